import { describe, expect, it, vi } from 'vitest';
import { formatAge, formatInstant, parseInstant } from '../../../src/cli/time.ts';

describe('an instant', () => {
  it('is written in UTC to the millisecond, whatever its digits', () => {
    expect(formatInstant('2026-12-01T10:00:00.123456Z', { utc: true })).toBe('2026-12-01 10:00:00.123');
    expect(formatInstant('2026-12-01T10:00:00.123Z', { utc: true })).toBe('2026-12-01 10:00:00.123');
  });

  it('is written in the zone of whoever reads it', () => {
    const local = new Date('2026-12-01T10:00:00.123Z');
    const hour = String(local.getHours()).padStart(2, '0');
    expect(formatInstant('2026-12-01T10:00:00.123456Z', {})).toContain(` ${hour}:`);
  });

  it('is read as an instant with a zone or as how long ago', () => {
    vi.useFakeTimers({ now: 1_000_000_000 });
    expect(parseInstant('15m')).toBe(1_000_000_000 - 900_000);
    vi.useRealTimers();
    expect(parseInstant('2026-12-01T12:00:00+02:00')).toBe(Date.parse('2026-12-01T10:00:00Z'));
    for (const text of ['yesterday', '2026-12-01T10:00:00', '2026-13-01T10:00:00Z', '15']) {
      expect(() => parseInstant(text), text).toThrow(/how long ago/);
    }
  });
});

it.each([
  [0, 'now'],
  [45_000, '45s ago'],
  [300_000, '5m ago'],
  [3 * 3_600_000, '3h ago'],
  [72 * 3_600_000, '3d ago'],
])('an age of %d ms is written %s', (ageMs, text) => {
  const nowMs = Date.parse('2026-12-01T10:00:00Z');
  expect(formatAge(new Date(nowMs - ageMs).toISOString(), nowMs)).toBe(text);
});
