/** How a command that failed speaks: one message on stderr, and an exit code that scripts can rely on. */
import { InorderError } from '../errors.ts';

export const EXIT = { ok: 0, failed: 1, usage: 2, nothing: 3 } as const;

export function exitCodeOf(thrown: unknown): number {
  switch (InorderError.from(thrown).code) {
    case 'usage':
      return EXIT.usage;
    case 'order_unknown':
    case 'event_unknown':
    case 'effect_unknown':
      return EXIT.nothing;
    default:
      return EXIT.failed;
  }
}

export function report(thrown: unknown): void {
  const error = InorderError.from(thrown);
  process.stderr.write(`inorder: ${error.message} [${error.code}]\n`);
  // An error nobody foresaw is a bug: its stack is what a report needs.
  if (error.code === 'internal' && error.cause instanceof Error)
    process.stderr.write(`${error.cause.stack ?? ''}\n`);
}
