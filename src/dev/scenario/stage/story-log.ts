/** What receivers and workers of a story warn of, line by line into its file, which is made with the first of them. */
import { appendFileSync } from 'node:fs';
import { createLog } from '../../../log.ts';
import type { Log } from '../../../log.ts';

/** `file` null: nobody wants to know. Several processes may write into one file. */
export function storyLog(component: string, file: string | null): Log {
  if (file === null) return createLog('silent', component);
  return createLog('warn', component, {
    // Few lines, each whole at once: a process may be killed behind any of them.
    write: (line) => appendFileSync(file, line, { mode: 0o600 }),
  });
}
