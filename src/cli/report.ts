/** How a command that failed speaks: one message on stderr, and an exit code that scripts can rely on. */
import { isOwnVariable } from '../dev/own-variables.ts';
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

const VARIABLE_OF: Partial<Record<InorderError['code'], string>> = {
  store_unavailable: 'MYSQL_URL',
  temporal_unavailable: 'TEMPORAL_ADDRESS',
};

/** A dev that was started anew has other ports, and shells of before do not know. */
function adviceFor(code: InorderError['code']): string | null {
  const name = VARIABLE_OF[code];
  if (name === undefined || !isOwnVariable(process.env, name)) return null;
  return `This shell has ${name} from the env file of a demo or dev: start that again if it has ended, and source its file anew (. .inorder/dev/env).`;
}

export function report(thrown: unknown): void {
  const error = InorderError.from(thrown);
  process.stderr.write(`inorder: ${error.message} [${error.code}]\n`);
  const advice = adviceFor(error.code);
  if (advice !== null) process.stderr.write(`${advice}\n`);
  // An error nobody foresaw is a bug: its stack is what a report needs.
  if (error.code === 'internal' && error.cause instanceof Error)
    process.stderr.write(`${error.cause.stack ?? ''}\n`);
}
