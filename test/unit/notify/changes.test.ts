import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { attentionChanges } from '../../../src/notify/changes.ts';
import type { Attention } from '../../../src/ordering/state.ts';

const gap: Attention = { kind: 'gap', stream: 'shop/order:1', since: 1, reason: 'version 2 never came' };
const review: Attention = { kind: 'review', stream: 'shop/order:1', since: 2, reason: 'captured late' };
const effect: Attention = { kind: 'effect', stream: null, since: 3, reason: 'fulfil: 500' };

describe('attention between two states', () => {
  it('begins and ends, each with its source', () => {
    expect(attentionChanges([gap], [effect])).toEqual([
      { kind: 'effect', source: 'inorder', hasEnded: false, reason: 'fulfil: 500' },
      { kind: 'gap', source: 'shop', hasEnded: true, reason: 'version 2 never came' },
    ]);
  });

  it('is no news while the same thing waits, however its text and time change', () => {
    const later = { ...gap, since: 9, reason: 'version 5 never came' };
    expect(attentionChanges([gap, review], [review, later])).toEqual([]);
  });

  it('is news when another thing of a kind takes the place of one', () => {
    const other = { ...review, since: 7, reason: 'captured twice' };
    expect(attentionChanges([review], [other]).map(({ hasEnded, reason }) => [hasEnded, reason])).toEqual([
      [false, 'captured twice'],
      [true, 'captured late'],
    ]);
  });

  it('leads from any state to any other and back', () => {
    const some = fc.subarray([
      gap,
      review,
      effect,
      { ...gap, stream: 'shop/order:2' },
      { ...review, since: 8 },
    ]);
    fc.assert(
      fc.property(some, some, (before, after) => {
        const there = attentionChanges(before, after);
        const back = attentionChanges(after, before);
        const sum = there.reduce((total, { hasEnded }) => total + (hasEnded ? -1 : 1), 0);
        expect(sum).toBe(after.length - before.length);
        expect(back).toHaveLength(there.length);
      }),
    );
  });
});
