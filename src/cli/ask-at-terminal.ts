/** Questions to a person at a terminal. They go to stderr, because stdout is for data. */
import { createInterface } from 'node:readline/promises';
import type { Ask } from '../init/answers.ts';
import { InorderError } from '../errors.ts';

/** Runs with a way to ask; null where nobody could answer. */
export async function withTerminal<T>(run: (ask: Ask | null) => Promise<T>): Promise<T> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return await run(null);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  // Ctrl-C and Ctrl-D end the question, and with it the command.
  terminal.once('close', () => left.abort());
  terminal.once('SIGINT', () => terminal.close());
  try {
    return await run(async ({ text, usual, choices = [], problem }) => {
      if (problem !== null) process.stderr.write(`  It ${problem}.\n`);
      else
        for (const [index, choice] of choices.entries()) process.stderr.write(`  ${index + 1}  ${choice}\n`);
      return await terminal.question(`${text} [${usual}] `, { signal: left.signal });
    });
  } catch (error) {
    if (left.signal.aborted) throw new InorderError('usage', 'nothing was written', { cause: error });
    throw error;
  } finally {
    terminal.close();
  }
}
