/** Why a configuration could not be read, as one line that begins with the place to look at. */
import { relative } from 'node:path';

/** `path` is the configuration; the fault may lie in a file that it imports. */
export function importProblem(error: unknown, path: string): string {
  if (!(error instanceof Error)) return String(error);
  return syntaxProblem(error) ?? missingModule(error) ?? thrownAt(error, path);
}

/** The loader's parser writes its place into the message: `ParseError: what \n file:line:column`, from column 0. */
function syntaxProblem({ message }: Error): string | null {
  const [, what, file, line, column] = /^ParseError: ([^\n]*?)\s*\n\s*(.+):(\d+):(\d+)/.exec(message) ?? [];
  if (what === undefined) return null;
  return `${shown(file ?? '')}:${line}:${Number(column) + 1}: ${what}`;
}

function missingModule(error: Error & { code?: string; requireStack?: string[] }): string | null {
  if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ERR_MODULE_NOT_FOUND') return null;
  const [, name] = /^Cannot find (?:module|package) '([^']+)'/.exec(error.message) ?? [];
  const [importer] = error.requireStack ?? [];
  if (name === undefined || importer === undefined) return null;
  const advice = /^[./]/.test(name) ? 'no such file' : 'no such package; install it beside the configuration';
  return `${shown(importer)}: imports '${name}': ${advice}`;
}

/** Something threw while the file ran. The loader keeps lines as they are written, not columns. */
function thrownAt(error: Error, path: string): string {
  const frames = [
    ...(error.stack ?? '').matchAll(/(?:\(|at (?:async )?|file:\/\/)(\/[^():]+|[A-Z]:[^():]+):(\d+):\d+/g),
  ];
  const frame = frames.find(([, file = '']) => !file.includes('/node_modules/') && !file.includes('node:'));
  const place = frame?.[1] === undefined ? shown(path) : `${shown(frame[1])}:${frame[2]}`;
  const [what = 'unknown error'] = error.message.split('\n');
  // What is imported stands as a property of its module in the code that ran.
  return `${place}: ${what.replaceAll(/\(0 , _?\w+\.(\w+)\)/g, '$1')}`;
}

/** As seen from where the command runs, where that is shorter. */
function shown(file: string): string {
  const near = relative('', file);
  return near === '' || near.startsWith('..') ? file : near;
}
