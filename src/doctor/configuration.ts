/** Whether the configuration holds: what would stop a start. Its problems are found before any check runs. */
import { fail } from './check.ts';
import type { Finding } from './check.ts';

const FIX = 'mend it there; `inorder config check` says the same';

export const configurationProblems = (problems: string[]): Finding[] =>
  problems.map((problem) => {
    const [, of, seen] = /^([\w.[\]]+): (.*)$/s.exec(problem) ?? [];
    return of === undefined || seen === undefined ? fail(problem, FIX) : fail(seen, FIX, of);
  });
