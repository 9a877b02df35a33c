import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../src/ordering/machine.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { anOrder, ASKABLE, MONOTONIC, PAY, SEQUENCE, SHOP } from './an-order.ts';

describe('an event that the table has no cell for', () => {
  /** A refund where nothing was paid yet. */
  function refunded(unlisted: Machine['unlisted'], api = true) {
    const order = anOrder({ pay: api ? ASKABLE : SEQUENCE }, { ...demoMachine, unlisted });
    const said = order.say(PAY, 'payment.refunded', 1);
    return { order, said, outcome: [order.outcomeOf(said), order.reasonOf(said)] };
  }
  const NO_CELL = 'the table has no cell for payment.refunded in new';

  test('is ignored where the machine says so', () => {
    const { order, outcome } = refunded('ignore');
    expect(outcome).toEqual(['ignored', NO_CELL]);
    expect(order.stream(PAY).version).toBe('1');
  });

  test.each(['review', null] as const)('is a person’s where the machine says %s', (unlisted) => {
    const { order, said, outcome } = refunded(unlisted);
    expect(outcome).toEqual(['review', NO_CELL]);
    expect(order.attention).toEqual([`review: ${NO_CELL}`]);
    expect(order.journal.at(-1)).toMatchObject({ kind: 'review', cause: { seq: said.seq } });
    expect(order.asking).toEqual([]);
  });

  test('is asked about, or waits for the order to move where nobody can be asked', () => {
    const asked = refunded('ask');
    expect([asked.outcome, asked.order.asking]).toEqual([['held', 'asking'], [PAY]]);
    expect(refunded('ask', false).outcome).toEqual(['held', 'unlisted']);
  });
});

test('a late event that a person applied does not take its stream back', () => {
  const order = anOrder({ shop: SEQUENCE });
  order.say(SHOP, 'order.created', 1);
  order.say(SHOP, 'order.cancelled', 3);
  const captured = order.say(SHOP, 'payment.captured', 2);
  expect(order.resolve(SHOP, captured, { kind: 'apply', status: 'paid' })).toBeNull();
  expect([order.status, order.outcomeOf(captured)]).toEqual(['paid', 'applied']);
  expect(order.stream(SHOP)).toMatchObject({ version: '3', word: { type: 'order.cancelled' } });
});

test('other news of one version that a person applied is what its stream said last', () => {
  const order = anOrder({ pay: SEQUENCE });
  order.say(PAY, 'payment.authorized', 1);
  const captured = order.say(PAY, 'payment.captured', 1);
  expect(order.outcomeOf(captured)).toBe('review');
  expect(order.resolve(PAY, captured, { kind: 'apply', status: 'paid' })).toBeNull();
  expect(order.stream(PAY)).toMatchObject({
    version: '1',
    fact: captured.fact,
    word: { type: 'payment.captured' },
  });
});

test('facts are remembered only where nothing else tells a repeat', () => {
  const order = anOrder({ shop: SEQUENCE, pay: MONOTONIC });
  order.say(SHOP, 'order.created', 1);
  order.say(PAY, 'payment.captured', 1);
  expect([order.stream(SHOP).seen, order.stream(PAY).seen]).toEqual([[], []]);
});
