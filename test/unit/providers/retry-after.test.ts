import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseRetryAfterMs } from '../../../src/providers/retry-after.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 6, 8, 49, 0);

describe('parseRetryAfterMs', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Fri, 06 Nov 2026 08:49:37 GMT', 37_000],
    ['Friday, 06-Nov-26 08:49:37 GMT', 37_000],
    ['Fri Nov  6 08:49:37 2026', 37_000],
  ])('reads %j', (header, ms) => {
    expect(parseRetryAfterMs(header, NOW)).toBe(ms);
  });

  it.each([
    '',
    '-1',
    '+5',
    '1.5',
    '1e3',
    '0x10',
    '5 s',
    '5, 6',
    'soon',
    '1234567890',
    '2026-11-06T08:49:37Z',
    'Fri, 6 Nov 2026 08:49:37 GMT',
    'Fri, 06 Nov 2026 08:49:37',
    'Fri, 06 Nov 2026 08:49:37 +0100',
    'Fri, 31 Feb 2026 08:49:37 GMT',
    'Fri, 00 Nov 2026 08:49:37 GMT',
    'Fri, 06 Abc 2026 08:49:37 GMT',
    'Fri, 06 Nov 2026 24:00:00 GMT',
    'Fri, 06 Nov 2026 08:60:00 GMT',
    'fri, 06 nov 2026 08:49:37 gmt',
  ])('takes %j for absent', (header) => {
    expect(parseRetryAfterMs(header, NOW)).toBeNull();
  });

  it('is absent when the header is', () => {
    expect(parseRetryAfterMs(undefined, NOW)).toBeNull();
    expect(parseRetryAfterMs(null, NOW)).toBeNull();
  });

  it('takes a date that has passed for now', () => {
    expect(parseRetryAfterMs('Fri, 06 Nov 2020 08:49:37 GMT', NOW)).toBe(0);
  });

  it('takes a two-digit year far ahead for one of the past century', () => {
    expect(parseRetryAfterMs('Sunday, 06-Nov-94 08:49:37 GMT', NOW)).toBe(0);
  });

  it('never waits longer than a day, whatever the header says', () => {
    expect(parseRetryAfterMs('999999999', NOW)).toBe(DAY_MS);
    expect(parseRetryAfterMs('Fri, 06 Nov 2099 08:49:37 GMT', NOW)).toBe(DAY_MS);
  });

  it('reads back what clocks write, and never anything but a sane number or null', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: DAY_MS / 1_000 }), (seconds) => {
        const at = new Date(NOW + seconds * 1_000);
        expect(parseRetryAfterMs(at.toUTCString(), NOW)).toBe(seconds * 1_000);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const ms = parseRetryAfterMs(text, NOW);
        expect(ms === null || (ms >= 0 && ms <= DAY_MS)).toBe(true);
      }),
    );
  });
});
