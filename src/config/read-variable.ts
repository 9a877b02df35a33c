/**
 * One variable of the process's environment, or the file that `<NAME>_FILE` names (mounted secrets). Empty means
 * unset. A secret loses its trailing line break, because editors and `echo` add one (R3). Values never appear in
 * a problem.
 */
import { readFileSync, statSync } from 'node:fs';

export type Variables = Record<string, string | undefined>;
export type ReadVariable = { value: string | null } | { problem: string };

const MAX_SECRET_BYTES = 65_536;

export function readVariable(variables: Variables, name: string): ReadVariable {
  const value = withoutLineBreak(variables[name] ?? '');
  const file = variables[`${name}_FILE`] ?? '';
  if (value !== '' && file !== '') {
    return { problem: `${name} and ${name}_FILE are both set; keep one of them` };
  }
  if (file === '') return { value: value === '' ? null : value };
  try {
    if (statSync(file).size > MAX_SECRET_BYTES) {
      return {
        problem: `${name}_FILE names a file of more than ${MAX_SECRET_BYTES} bytes; is it the right one?`,
      };
    }
    const content = withoutLineBreak(readFileSync(file, 'utf8'));
    return content === '' ? { problem: `${name}_FILE names an empty file: ${file}` } : { value: content };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { problem: `${name}_FILE names a file that cannot be read (${code}): ${file}` };
  }
}

const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, '');
