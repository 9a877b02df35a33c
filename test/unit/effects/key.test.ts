import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { effectKey } from '../../../src/effects/key.ts';

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('/', '%', '2', 'F', '~', 'a', '.'), maxLength: 8 }),
  fc.string({ unit: 'binary', minLength: 60, maxLength: 120 }),
);
const parts = fc.tuple(part, part, part, part, part);
type Parts = [string, string, string, string, string];

const keyOf = ([machine, environment, id, effect, once]: Parts) =>
  effectKey({ machine, environment, id }, effect, once);

describe('effectKey', () => {
  it('reads as machine, environment, order, effect and once', () => {
    const key = { machine: 'order', environment: 'live', id: '1042' };
    expect(effectKey(key, 'fulfil', 'order')).toBe('order/live/1042/fulfil/order');
  });

  it('keeps the bytes of an id: case, blanks, slashes, any Unicode', () => {
    const key = { machine: 'order', environment: 'live', id: 'Ä/1 ' };
    expect(effectKey(key, 'fulfil', 're_1')).toBe('order/live/%C3%84%2F1%20/fulfil/re_1');
  });

  it('is printable ASCII of at most 255 bytes, fit for a header', () => {
    fc.assert(
      fc.property(parts, (given) => {
        expect(keyOf(given)).toMatch(/^[!-~]{4,255}$/);
      }),
    );
  });

  it('is the same each time, and never the same for different parts', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        expect(keyOf(a)).toBe(keyOf([...a]));
        expect(keyOf(a) === keyOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never shares a key when a text moves over the border between two parts', () => {
    fc.assert(
      fc.property(parts, fc.nat(3), fc.integer({ min: 1, max: 5 }), (given, at, length) => {
        const moved: Parts = [...given];
        const taken = (moved[at + 1] as string).slice(0, length);
        fc.pre(taken !== '');
        moved[at] += taken;
        moved[at + 1] = (moved[at + 1] as string).slice(length);
        // Cutting a surrogate pair in two leaves no text that could be stored.
        fc.pre(moved.every((text) => !/\p{Surrogate}/u.test(text)));
        expect(keyOf(moved)).not.toBe(keyOf(given));
      }),
    );
  });

  it('keeps a readable head when it has to be shortened', () => {
    const key = { machine: 'order', environment: 'live', id: '4'.repeat(191) };
    const shortened = effectKey(key, 'bookRefund', 'r'.repeat(100));
    expect(shortened).toHaveLength(255);
    expect(shortened).toMatch(/^order\/live\/4{100,}.*~[0-9a-f]{64}$/);
  });
});
