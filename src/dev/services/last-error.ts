/** What a program said last of why it ended, as one line for a person; its log has the rest. */
import { readFile } from 'node:fs/promises';

const CODE = / \[[a-z_]+\]$/;
const MAX_LENGTH = 600;
const MAX_LINES = 60;

export async function lastError(logFile: string): Promise<string> {
  return lastErrorIn(await readFile(logFile, 'utf8').catch(() => ''));
}

export function lastErrorIn(log: string): string {
  const lines = log
    .split('\n')
    .filter((line) => line.trim() !== '')
    // A log may hold what earlier starts said.
    .slice(-MAX_LINES);
  const told = own(lines) ?? lines.map(fromJson).findLast((line) => line !== null) ?? plain(lines);
  const text = told ?? lines.at(-1) ?? 'it said nothing';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
}

/** The report of our own command line: `inorder: … [code]`, whose list of problems may follow in lines. */
function own(lines: string[]): string | null {
  const start = lines.findLastIndex((line) => line.startsWith('inorder: '));
  if (start < 0) return null;
  const report = lines.slice(start);
  const end = report.findIndex((line) => CODE.test(line));
  return report
    .slice(0, end < 0 ? 1 : end + 1)
    .join('\n')
    .slice('inorder: '.length)
    .replace(CODE, '');
}

function fromJson(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    if (entry['level'] !== 'error' && entry['level'] !== 'fatal') return null;
    const { msg } = entry;
    const error = entry['error'];
    const reason = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    return [msg, reason].filter((part) => typeof part === 'string' && part !== '').join(': ') || null;
  } catch {
    // Half a line, of a program that was killed while it wrote.
    return null;
  }
}

/** MySQL's last word is always that it gives up, which everybody sees. */
const plain = (lines: string[]): string | undefined =>
  lines.findLast((line) => /\b(error|fatal)\b/i.test(line) && !/^\s+at |\bAborting$/.test(line))?.trim();
