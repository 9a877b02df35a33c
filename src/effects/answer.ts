/**
 * How one attempt of an effect ended, as far as anyone can know.
 *
 * `done`: the receiver said so. `failed`: it certainly was not done. `unknown`: it may have been, so that only a
 * repeat under the same key, a question to the receiver, or a person can tell.
 */
export type AttemptEnd =
  | { kind: 'done' }
  | { kind: 'failed'; error: string; retryAfterMs: number | null }
  | { kind: 'unknown'; error: string; retryAfterMs: number | null };

/** Answers of the 4xx class behind which the work may still be going on, or have been done before. */
const UNKNOWN_4XX = new Set([408, 409, 425, 429]);

/**
 * 2xx is done; a 4xx says that nothing was done, but for a few. All else is unknown: a 5xx may come from a proxy in
 * front of a receiver that did the work, and so may a redirect, which applications answer after a form was taken.
 */
export function endOfAnswer(status: number, retryAfterMs: number | null): AttemptEnd {
  if (status >= 200 && status < 300) return { kind: 'done' };
  const error = `the receiver answered ${status}`;
  const certain = status >= 400 && status < 500 && !UNKNOWN_4XX.has(status);
  return { kind: certain ? 'failed' : 'unknown', error, retryAfterMs };
}
