/**
 * Beats while an activity runs, so that a worker that died is noticed within seconds and not when the call's own
 * limit is over. Calls that end sooner never beat.
 */
import { Context } from '@temporalio/activity';

const EVERY_MS = 3_000;

export function withHeartbeat<Input, Result>(
  activity: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), EVERY_MS);
    try {
      return await activity(input);
    } finally {
      clearInterval(beat);
    }
  };
}
