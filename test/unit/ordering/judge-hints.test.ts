import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/ordering/decide.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { anOrder, event, HINTS, PAY, SHOP, TABLE_ALONE } from './an-order.ts';

const at = (second: number) => ({ claimedAt: `2026-01-01T00:00:0${second}Z` });

describe('an event without a version, and an API', () => {
  test('is a hint: it changes nothing, the provider is asked and its answer applied', () => {
    const order = anOrder({ pay: HINTS });
    const captured = order.say(PAY, 'payment.captured', null);
    expect(order.status).toBe('new');
    expect(order.outcomeOf(captured)).toBe('held');
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
    expect(order.outcomeOf(captured)).toBe('applied');
  });

  test('costs one call for many hints at once', () => {
    const order = anOrder({ pay: HINTS });
    const hints = [1, 2, 3, 4].map((n) => order.say(PAY, 'payment.captured', null, { facts: { n: `${n}` } }));
    expect(order.stream(PAY).asks).toBe(1);
    order.answer(PAY, 'payment.captured', null, { facts: { n: '4' } });
    // The ones that came after the request was sent cause one more, all together.
    expect(order.stream(PAY).asks).toBe(2);
    order.answer(PAY, 'payment.captured', null, { facts: { n: '4' } });
    expect(hints.map((hint) => order.outcomeOf(hint))).toEqual([
      'superseded',
      'superseded',
      'superseded',
      'ignored',
    ]);
    expect(order.asking).toEqual([]);
  });

  test('is settled only by an answer whose request was sent after it came', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null, at(1));
    const refunded = order.say(PAY, 'payment.refunded', null, { ...at(2), facts: { refund: 're_1' } });
    order.pass(1_000);
    order.answer(PAY, 'payment.refunded', null, { facts: { refund: 're_1' } });
    expect(order.status).toBe('refunded');
    expect(order.outcomeOf(refunded)).toBe('held');
    order.answer(PAY, 'payment.refunded', null, { facts: { refund: 're_1' } });
    expect(order.outcomeOf(refunded)).toBe('ignored');
    expect(order.reasonOf(refunded)).toBe('confirmed');
  });

  test('is stale when it repeats what was settled last and nothing is asked; older news is asked about again', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.authorized', null, at(1));
    order.answer(PAY, 'payment.authorized', null);
    order.say(PAY, 'payment.captured', null, at(2));
    order.answer(PAY, 'payment.captured', null);
    expect(order.outcomeOf(order.say(PAY, 'payment.captured', null, at(2)))).toBe('stale');
    const old = order.say(PAY, 'payment.authorized', null, at(1));
    expect(order.outcomeOf(old)).toBe('held');
    order.answer(PAY, 'payment.captured', null);
    expect(order.outcomeOf(old)).toBe('superseded');
    expect(order.status).toBe('paid');
  });

  test('of a type nobody wants, or that the machine does not know, asks nobody', () => {
    const order = anOrder({ pay: HINTS });
    expect(order.outcomeOf(order.say(PAY, null, null))).toBe('archived');
    expect(order.outcomeOf(order.say(PAY, 'payment.touched', null))).toBe('ignored');
    expect(order.asking).toEqual([]);
  });

  test('where versions promise nothing there are none, whatever number came along', () => {
    const order = anOrder({ pay: HINTS });
    const captured = order.say(PAY, 'payment.captured', 7);
    expect(order.outcomeOf(captured)).toBe('held');
    order.answer(PAY, 'payment.captured', 3);
    expect(order.outcomeOf(captured)).toBe('applied');
  });
});

describe('an event without a version, and nobody to ask', () => {
  test('is decided by the table alone, in the order of arrival', () => {
    const order = anOrder({ pay: TABLE_ALONE });
    order.say(PAY, 'payment.authorized', null);
    order.say(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
  });

  test('waits where the table has no cell, and is tried again whenever the order moves', () => {
    const order = anOrder({ pay: TABLE_ALONE });
    const refunded = order.say(PAY, 'payment.refunded', null, { facts: { refund: 're_1' } });
    order.say(SHOP, 'order.created', 1);
    expect(order.outcomeOf(refunded)).toBe('held');
    order.say(PAY, 'payment.captured', null);
    expect(order.outcomeOf(refunded)).toBe('applied');
    expect(order.status).toBe('refunded');
  });

  test('is given to a person when the order did not move in time', () => {
    const order = anOrder({ pay: { ...TABLE_ALONE, askDeadlineMs: 5_000 } });
    const refunded = order.say(PAY, 'payment.refunded', null, { facts: { refund: 're_1' } });
    order.passAndWake(5_000);
    expect(order.outcomeOf(refunded)).toBe('review');
    expect(order.attention).toEqual([
      'review: no cell for payment.refunded in new, and the order did not move',
    ]);
  });

  test('is stale when it repeats anything that was settled before', () => {
    const order = anOrder({ pay: TABLE_ALONE });
    order.say(PAY, 'payment.authorized', null);
    order.say(PAY, 'payment.captured', null);
    expect(order.outcomeOf(order.say(PAY, 'payment.authorized', null))).toBe('stale');
  });

  test('is stale when its news waits for a person under another id', () => {
    const order = anOrder({ pay: TABLE_ALONE });
    order.say(SHOP, 'order.cancelled', 1);
    order.say(PAY, 'payment.captured', null, { id: 'first' });
    expect(order.attention).toEqual(['review: captured although it was cancelled']);
    expect(order.outcomeOf(order.say(PAY, 'payment.captured', null, { id: 'second' }))).toBe('stale');
  });

  test('leaves the state it was decided on as it was: decided again, it is no repeat', () => {
    const before = anOrder({ pay: TABLE_ALONE }).state;
    const captured = event(PAY, 'payment.captured', null);
    const first = decide(demoMachine, before, [event(PAY, 'payment.authorized', null)], 1).state;
    decide(demoMachine, first, [captured], 2);
    expect(decide(demoMachine, first, [captured], 3).outcomes[0]?.outcome).toBe('applied');
  });

  test('whose id came before with other news is a person’s', () => {
    const order = anOrder({ pay: TABLE_ALONE });
    const conflict = order.say(PAY, 'payment.captured', null, { conflict: true });
    expect(order.outcomeOf(conflict)).toBe('review');
    expect(order.attention).toEqual(['review: two contents of one event']);
  });
});
