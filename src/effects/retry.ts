import type { EffectRetry } from '../config/resolved.ts';

/**
 * Milliseconds until the next attempt after `failures` attempts that did not end well: doubling from `firstDelayMs`
 * up to `maxDelayMs`, less up to a quarter so that what failed together does not come back together. A receiver's
 * `Retry-After` is a floor, also above `maxDelayMs`.
 */
export function retryDelayMs(
  retry: EffectRetry,
  failures: number,
  retryAfterMs: number | null,
  random: () => number,
): number {
  const doublings = Math.min(Math.max(failures - 1, 0), 40);
  const delay = Math.min(retry.firstDelayMs * 2 ** doublings, retry.maxDelayMs);
  return Math.max(Math.round(delay * (1 - random() / 4)), retryAfterMs ?? 0);
}
