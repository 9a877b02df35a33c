import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { retryDelayMs } from '../../../src/effects/retry.ts';

const retry = { maxAttempts: 20, firstDelayMs: 1_000, maxDelayMs: 60_000 };
const noJitter = () => 0;

describe('retryDelayMs', () => {
  it('doubles from the first delay up to the greatest', () => {
    const delays = [1, 2, 3, 4, 7, 20, 10_000].map((n) => retryDelayMs(retry, n, null, noJitter));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000]);
  });

  it('takes up to a quarter off, so that what failed together comes back apart', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, random) => {
          const full = retryDelayMs(retry, n, null, noJitter);
          const delay = retryDelayMs(retry, n, null, () => random);
          expect(delay).toBeLessThanOrEqual(full);
          expect(delay).toBeGreaterThanOrEqual(full * 0.75 - 1);
        },
      ),
    );
  });

  it('never comes back before the receiver asked for it, also beyond the greatest delay', () => {
    expect(retryDelayMs(retry, 1, 30_000, noJitter)).toBe(30_000);
    expect(retryDelayMs(retry, 1, 600_000, noJitter)).toBe(600_000);
    expect(retryDelayMs(retry, 5, 1_000, noJitter)).toBe(16_000);
  });
});
