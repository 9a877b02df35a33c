import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip } from '../../../src/store/clip.ts';

test('what fits is left as it is', () => {
  expect(clip(null, 10)).toBeNull();
  expect(clip('', 10)).toBe('');
  expect(clip('0123456789', 10)).toBe('0123456789');
  expect(clip('ééééé', 10)).toBe('ééééé');
});

test('what does not fit is cut between characters and says so', () => {
  expect(clip('0123456789a', 10)).toBe('0123456…');
  expect(clip('éééééé', 10)).toBe('ééé…');
  expect(clip('😀😀😀😀', 12)).toBe('😀😀…');
});

test('the result always fits and is the beginning of the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.integer({ min: 3, max: 80 }),
      (text, max) => {
        const clipped = clip(text, max) ?? '';
        expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(max);
        expect(clipped === text || text.startsWith(clipped.slice(0, -1))).toBe(true);
      },
    ),
  );
});
