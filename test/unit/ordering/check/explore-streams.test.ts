import { describe, expect, test } from 'vitest';
import { explore } from '../../../../src/ordering/check/explore.ts';
import type { Allowance } from '../../../../src/ordering/check/moves.ts';
import { modelOf } from '../stories.ts';
import type { Plot, Promised } from '../stories.ts';

const SEQUENCE: Promised = { contract: 'sequence', api: true, first: '1' };
const ALONE: Promised = { contract: 'sequence', api: false, first: '1' };
const MONOTONIC: Promised = { contract: 'monotonic', api: true, first: 'any' };
const HINTS: Promised = { contract: 'unordered', api: true, first: 'any' };

/** Three events of one stream and two of another, with one ending whichever stream is heard first. */
const PLOTS: Plot[] = [
  {
    lines: ['o order.created', 'p payment.authorized', 'p payment.captured', 'p payment.refunded', 'o note'],
    ending: 'refunded',
  },
  {
    lines: ['o order.created', 'p payment.captured', 'p payment.refunded', 'o note', 'p refund.failed'],
    ending: 'paid',
  },
  {
    lines: ['o order.created', 'p payment.captured', 'd dispute.opened', 'd dispute.won', 'o note'],
    ending: 'paid',
  },
  {
    lines: [
      'p payment.captured',
      's order.shipped',
      'p payment.partially_refunded',
      'p payment.refunded',
      's note',
    ],
    ending: 'refunded',
  },
  {
    lines: ['o order.created', 'p payment.failed', 'p payment.cancelled', 'o order.cancelled'],
    ending: 'cancelled',
  },
  {
    lines: ['o order.created', 'p payment.captured', 'q payment.captured', 'q payment.refunded'],
    ending: 'paid',
  },
];

function expectEveryWay(promised: { shop: Promised; pay: Promised }, allowance: Allowance) {
  let endings = 0;
  for (const plot of PLOTS) {
    const promises = { ...promised, ship: promised.shop };
    const model = modelOf({ plot, kept: [], promises, claims: 'exact', versionedAnswers: true });
    const copies = model.story.map((_, happening) => ({ happening, id: `${happening}` }));
    const found = explore(model, copies, model.truth, allowance);
    expect(found.counterexamples, plot.lines.join(', ')).toEqual([]);
    endings += found.endings;
  }
  expect(endings).toBeGreaterThan(PLOTS.length);
}

describe('every way through two streams ends in the truth, or somebody is asked', () => {
  test('where both are sequences', () => {
    expectEveryWay({ shop: SEQUENCE, pay: SEQUENCE }, { bad: 1, wakes: 1 });
  });

  test('where both are sequences and nobody can be asked', () => {
    expectEveryWay({ shop: ALONE, pay: ALONE }, { bad: 0, wakes: 2 });
  });

  test('where both are monotonic', () => {
    expectEveryWay({ shop: MONOTONIC, pay: MONOTONIC }, { bad: 1, wakes: 1 });
  });

  test('where one sends hints', () => {
    expectEveryWay({ shop: SEQUENCE, pay: HINTS }, { bad: 0, wakes: 0 });
    expectEveryWay({ shop: HINTS, pay: MONOTONIC }, { bad: 0, wakes: 0 });
  });

  test('where both send hints', () => {
    expectEveryWay({ shop: HINTS, pay: HINTS }, { bad: 0, wakes: 0 });
  });
});
