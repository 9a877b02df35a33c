/**
 * The file of variables that demo and dev leave to be sourced, and how they know their own again: a shell that has
 * sourced it and starts one of them anew names servers that ended long ago. The file carries a mark with a digest of
 * each value, so that what a person sets later in the same shell counts as theirs.
 */
import { createHash } from 'node:crypto';

/** Not of the `INORDER_` names, which are settings and are all known. */
const MARK = 'SOURCED_FROM_INORDER';

/** `settings` carry no mark: who starts dev again in such a shell means the same ones. */
export function toEnvFile(variables: Record<string, string>, settings: Record<string, string> = {}): string {
  const mark = Object.entries(variables).map(([name, value]) => digestOf(name, value));
  return Object.entries({ ...variables, ...settings, [MARK]: mark.join(',') })
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('');
}

/** What such a file says, for a command that finds the file itself. */
export function readEnvFile(text: string): Record<string, string> {
  const lines = [...text.matchAll(/^export (\w+)='((?:[^']|'\\'')*)'$/gm)];
  const variables = lines.map(([, name = '', value = '']) => [name, value.replaceAll("'\\''", "'")] as const);
  return Object.fromEntries(variables.filter(([name]) => name !== MARK));
}

/** Whether this is from such a file, which may be an older one. */
export const isOwnVariable = (variables: NodeJS.ProcessEnv, name: string): boolean =>
  (variables[MARK] ?? '').split(',').includes(digestOf(name, variables[name] ?? ''));

/** Takes them out, for us and for whatever we start; returns their names. */
export function dropOwnVariables(variables: NodeJS.ProcessEnv): string[] {
  const marked = new Set((variables[MARK] ?? '').split(','));
  const names = Object.entries(variables).flatMap(([name, value = '']) =>
    marked.has(digestOf(name, value)) ? [name] : [],
  );
  for (const name of [...names, MARK]) delete variables[name];
  return names;
}

/** One line, or none. */
export function tellOfDropped(names: string[]): string[] {
  if (names.length === 0) return [];
  const known = ['MYSQL_URL', 'TEMPORAL_ADDRESS'].filter((name) => names.includes(name));
  const others = names.length - known.length;
  const list = [known.join(', '), others > 0 ? `${others} more` : '']
    .filter((part) => part !== '')
    .join(' and ');
  return [`Ignored: ${list}, which this shell has from an env file of an earlier demo or dev.`];
}

const digestOf = (name: string, value: string): string =>
  createHash('sha256').update(`${name}=${value}`).digest('hex').slice(0, 16);

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
