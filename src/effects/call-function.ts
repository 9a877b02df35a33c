/**
 * One call of an effect that is the team's own function. Returning means done. Throwing `NotDone` means that it
 * certainly was not; any other error, and running out of time, leave the end unknown.
 *
 * A function that ignores its `abort` signal goes on behind our back: its late end changes nothing, because only
 * the attempt that holds the claim writes.
 */
import type { EffectCall } from '../config/resolved.ts';
import type { AttemptEnd } from './answer.ts';
import { isNotDone } from './not-done.ts';
import { shortError } from './short-error.ts';

export type TimedCall = Omit<EffectCall, 'abort'>;

export async function callFunction(
  run: (call: EffectCall) => Promise<void>,
  call: TimedCall,
  timeoutMs: number,
): Promise<AttemptEnd> {
  try {
    await withinTime((abort) => run({ ...call, abort }), timeoutMs);
    return { kind: 'done' };
  } catch (thrown) {
    if (isNotDone(thrown)) {
      return { kind: 'failed', error: shortError(thrown), retryAfterMs: thrown.retryAfterMs };
    }
    return { kind: 'unknown', error: shortError(thrown), retryAfterMs: null };
  }
}

/** What `start` gives, or an error once the time is over; the signal tells `start` to stop. */
export async function withinTime<T>(
  start: (abort: AbortSignal) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeIsOver = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`did not end within ${timeoutMs} ms`);
      reject(error);
      controller.abort(error);
    }, timeoutMs);
  });
  try {
    // `start` may be a plain function that throws before it returns a promise.
    return await Promise.race([(async () => await start(controller.signal))(), timeIsOver]);
  } finally {
    clearTimeout(timer);
  }
}
