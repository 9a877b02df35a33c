import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDurationMs } from '../../../src/ordering/duration.ts';
import { formatDuration } from '../../../src/ordering/format-duration.ts';

it.each([
  [500, '500ms'],
  [90_000, '90s'],
  [300_000, '5m'],
  [86_400_000, '24h'],
  [604_800_000, '7d'],
  [0, '0ms'],
])('%d milliseconds are written %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('what is written is read as the same time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (ms) => {
      expect(parseDurationMs(formatDuration(ms))).toBe(ms);
    }),
  );
});
