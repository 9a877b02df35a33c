/**
 * A question before much is changed at once. Without a terminal nobody can answer, so the answer has to be there
 * already: `--yes`.
 */
import { createInterface } from 'node:readline/promises';
import { isatty } from 'node:tty';
import { InorderError } from '../errors.ts';
import { say } from './print.ts';

/** false: the person said no. `what` is a sentence that counts what would be done. */
export async function confirm(what: string, { yes = false }: { yes?: boolean }): Promise<boolean> {
  say(what);
  if (yes) return true;
  if (!isatty(0) || !isatty(2))
    throw new InorderError('usage', 'Nothing was done: without a terminal to ask at, say --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Go on? [y/N] ');
    if (/^y(es)?$/i.test(answer.trim())) return true;
    say('Nothing was done.');
    return false;
  } finally {
    terminal.close();
  }
}
