import { describe, expect, test } from 'vitest';
import { withContested } from '../../../src/ordering/contested.ts';
import { anOrder, DISPUTE, event, HINTS, MONOTONIC, PAY, SEQUENCE, SHOP } from './an-order.ts';

const OTHERS = `payment:1 belongs to order A, which was named first`;
const at = (second: number) => ({ claimedAt: `2026-01-01T00:00:0${second}Z` });

/** An order of which the store has said that payment 1 belongs to order A. */
const contested = (promises: Parameters<typeof anOrder>[0], ref = 'pay/payment:1') =>
  anOrder(promises, undefined, (state) => withContested(state, { [ref]: 'A' }));

describe('an event about a payment of another order', () => {
  test('moves nothing, asks nobody, and is a conflict for a person', () => {
    const order = contested({ pay: HINTS });
    order.say(SHOP, 'order.created', 1);
    const captured = order.say(PAY, 'payment.captured', null);
    expect(order.status).toBe('awaiting_payment');
    expect(order.outcomeOf(captured)).toBe('review');
    expect(order.asking).toEqual([]);
    expect(order.attention).toEqual([`conflict: ${OTHERS}`]);
    expect(order.effects).toEqual([]);
  });

  test.each([
    ['apply', { kind: 'apply', status: 'paid' }, 'paid', 'applied'],
    ['ignore', { kind: 'ignore' }, 'awaiting_payment', 'ignored'],
  ] as const)('is the person’s to %s', (_, as, status, outcome) => {
    const order = contested({ pay: HINTS });
    order.say(SHOP, 'order.created', 1);
    const captured = order.say(PAY, 'payment.captured', null);
    expect(order.resolve(PAY, captured, as)).toBeNull();
    expect(order.status).toBe(status);
    expect(order.outcomeOf(captured)).toBe(outcome);
    expect(order.attention).toEqual([]);
    // The same again, under another id: a person has had their word.
    expect(order.outcomeOf(order.say(PAY, 'payment.captured', null))).toBe('stale');
  });

  test('that a person ignored is not judged again when the order moves', () => {
    const order = contested({ pay: SEQUENCE });
    const captured = order.say(PAY, 'payment.captured', 1);
    order.resolve(PAY, captured, { kind: 'ignore' });
    order.say(SHOP, 'order.created', 1);
    expect(order.status).toBe('awaiting_payment');
  });

  test('is held once, however often it comes', () => {
    const order = contested({ pay: HINTS });
    order.say(PAY, 'payment.captured', null);
    expect(order.outcomeOf(order.say(PAY, 'payment.captured', null))).toBe('stale');
    expect(order.stream(PAY).held).toHaveLength(1);
  });

  test('fails when its version is of another kind than its stream: kept, it would stop the order at every look', () => {
    const order = contested({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 1);
    const timed = order.say(PAY, 'payment.refunded', '2026-01-01T00:00:00Z');
    expect(order.outcomeOf(timed)).toBe('failed');
    order.passAndWake(86_400_000);
    expect(order.stream(PAY).held).toHaveLength(1);
  });

  test('of a type that nobody wants needs nobody', () => {
    const order = contested({ pay: HINTS });
    expect(order.outcomeOf(order.say(PAY, null, null))).toBe('archived');
    expect(order.attention).toEqual([]);
  });

  test('keeps no effect for this order when an answer covers it', () => {
    const order = contested({ shop: { api: true } });
    const more = { payment: '1', facts: { refund: 're_1' } };
    const named = withContested(order.state, { 'shop/payment:1': 'A' });
    expect(named.contested).toEqual({ 'pay/payment:1': 'A', 'shop/payment:1': 'A' });
    const other = contested({ shop: { api: true } }, 'shop/payment:1');
    const refunded = other.say(SHOP, 'payment.refunded', 1, more);
    expect(other.outcomeOf(refunded)).toBe('review');
    other.reconcile(SHOP);
    other.answer(SHOP, 'order.created', 2, { payment: null });
    expect(other.outcomeOf(refunded)).toBe('superseded');
    expect(other.effects).toEqual([]);
  });
});

describe('an event whose payment alone belongs to another order', () => {
  test('waits for its turn in a sequence, and holds the later ones', () => {
    const order = contested({ shop: SEQUENCE }, 'shop/payment:1');
    const captured = event(SHOP, 'payment.captured', 2, { payment: '1' });
    const shipped = event(SHOP, 'order.shipped', 3);
    order.hear(captured, shipped);
    expect(order.outcomeOf(captured)).toBe('held');
    order.say(SHOP, 'order.created', 1);
    expect(order.outcomeOf(captured)).toBe('review');
    expect(order.outcomeOf(shipped)).toBe('held');
    order.resolve(SHOP, captured, { kind: 'apply', status: 'paid' });
    expect(order.status).toBe('shipped');
  });
});

describe('what the provider says of another order’s payment', () => {
  test('in an answer is a person’s', () => {
    const order = contested({ pay: HINTS }, 'pay/payment:p1');
    order.say(DISPUTE, 'dispute.opened', null, { payment: null, ...at(1) });
    order.answer(DISPUTE, 'dispute.opened', null, { payment: 'p1' });
    expect(order.effects).toEqual([]);
    expect(order.attention).toEqual(['conflict: payment:p1 belongs to order A, which was named first']);
    order.resolve(DISPUTE, null, { kind: 'ignore' });
    expect(order.attention).toEqual([]);
    order.reconcile(DISPUTE);
    order.answer(DISPUTE, 'dispute.opened', null, { payment: 'p1' });
    expect(order.attention).toEqual([]);
  });

  test('in a list is not asked about, and a deadline waits until a person has seen it', () => {
    const order = contested({ pay: { ...HINTS, find: true }, shop: { api: false } });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(86_400_000);
    order.found('pay', [PAY]);
    expect(order.asking).toEqual([]);
    expect(order.attention).toEqual([`conflict: ${OTHERS}, and the provider lists it for this one`]);
    expect(order.status).toBe('awaiting_payment');
    expect(order.resolve(PAY, null, { kind: 'ignore' })).toBeNull();
    expect(order.attention).toEqual([]);
    expect(order.status).toBe('cancelled');
  });
});
