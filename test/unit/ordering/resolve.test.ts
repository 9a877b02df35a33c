import { describe, expect, test } from 'vitest';
import { anOrder, HINTS, MONOTONIC, PAY, PAY2, SEQUENCE, SHOP } from './an-order.ts';

/** An order that was cancelled, then its payment captured: a person is asked. */
function inReview(pay = SEQUENCE) {
  const order = anOrder({ shop: SEQUENCE, pay });
  order.say(SHOP, 'order.created', 1);
  order.say(SHOP, 'order.cancelled', 2);
  const captured = order.say(PAY, 'payment.captured', 1);
  expect(order.attention).toEqual(['review: captured although it was cancelled']);
  return { order, captured };
}

describe('a person’s word on an event', () => {
  test('applied: moves the order as the table would, with the effects, and says who and why', () => {
    const { order, captured } = inReview();
    expect(order.resolve(PAY, captured, { kind: 'apply', status: 'paid' })).toBeNull();
    expect(order.outcomeOf(captured)).toBe('applied');
    expect(order.reasonOf(captured)).toBe('ada: looked');
    expect(order.effects).toContain('fulfil');
    expect(order.journal.at(-1)).toMatchObject({
      kind: 'resolved',
      from: 'cancelled',
      to: 'paid',
      reason: 'ada: looked',
    });
    expect(order.attention).toEqual([]);
  });

  test('ignored: settles it without a change, and what waited behind goes on', () => {
    const { order, captured } = inReview();
    const refunded = order.say(PAY, 'payment.refunded', 2, { facts: { refund: 're_1' } });
    expect(order.resolve(PAY, captured, { kind: 'ignore' })).toBeNull();
    expect([order.outcomeOf(captured), order.outcomeOf(refunded)]).toEqual(['ignored', 'applied']);
    expect(order.status).toBe('refunded');
  });

  test('is refused where the table leads the type to another status', () => {
    const { order, captured } = inReview();
    expect(order.resolve(PAY, captured, { kind: 'apply', status: 'shipped' })).toMatch(
      /^the table leads payment.captured to paid, not to shipped$/,
    );
    expect(order.resolve(PAY, captured, { kind: 'apply', status: 'payed' })).toMatch(/no status payed/);
  });

  test('is refused where nothing waits for a person', () => {
    const { order } = inReview();
    expect(order.resolve(SHOP, null, { kind: 'ignore' })).toMatch(/nothing of that stream waits/);
    expect(order.resolve(PAY2, null, { kind: 'ignore' })).toMatch(/no stream pay\/payment:2/);
  });

  test('on a late event takes neither the version nor the last word back', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 20);
    const late = order.say(PAY, 'payment.partially_refunded', 10, { facts: { refund: 're_1' } });
    order.resolve(PAY, late, { kind: 'ignore' });
    expect(order.stream(PAY)).toMatchObject({ version: '20', word: { type: 'payment.captured' } });
    expect(order.outcomeOf(order.say(PAY, 'payment.captured', 20))).toBe('stale');
  });

  test('on a type that says nothing about the order can only be to ignore it', () => {
    const order = anOrder({ shop: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    const odd = order.say(SHOP, null, 2, { conflict: true });
    expect(order.outcomeOf(odd)).toBe('review');
    expect(order.resolve(SHOP, odd, { kind: 'apply', status: 'cancelled' })).toMatch(/can only be ignored/);
    expect(order.resolve(SHOP, odd, { kind: 'ignore' })).toBeNull();
    expect(order.attention).toEqual([]);
  });

  test('on an event that only waits for an earlier one is refused, with the way out', () => {
    const order = anOrder({ pay: SEQUENCE });
    const captured = order.say(PAY, 'payment.captured', 2);
    expect(order.resolve(PAY, captured, { kind: 'apply', status: 'paid' })).toMatch(/rebase/);
  });

  test('of two in a tie ends both, one by one', () => {
    const order = anOrder({ pay: SEQUENCE });
    const failed = order.say(PAY, 'payment.failed', 2);
    const captured = order.say(PAY, 'payment.captured', 2);
    const refunded = order.say(PAY, 'payment.refunded', 3, { facts: { refund: 're_1' } });
    order.say(PAY, 'payment.authorized', 1);
    expect(order.attention).toEqual([
      'review: two contents of version 2',
      'review: two contents of version 2',
    ]);
    order.resolve(PAY, captured, { kind: 'apply', status: 'paid' });
    expect(order.outcomeOf(refunded)).toBe('held');
    order.resolve(PAY, failed, { kind: 'ignore' });
    expect(order.status).toBe('refunded');
  });
});

describe('a person’s word on an answer', () => {
  test('settles all that the answer covers, so that nothing waits unseen', () => {
    const order = anOrder({ shop: { askDeadlineMs: 10_000 }, pay: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    const shipped = order.say(SHOP, 'order.shipped', 3);
    order.passAndWake(30_000);
    order.answer(SHOP, 'order.shipped', 3);
    order.passAndWake(10_000);
    expect(order.attention).toHaveLength(1);
    expect(order.resolve(SHOP, null, { kind: 'apply', status: 'shipped' })).toBeNull();
    expect(order.outcomeOf(shipped)).toBe('applied');
    expect(order.status).toBe('shipped');
    expect(order.stream(SHOP)).toMatchObject({ version: '3', held: [], answer: null });
    expect(order.attention).toEqual([]);
    expect(order.asking).toEqual([]);
  });

  test('ignored, ends the question and covers what was held', () => {
    const order = anOrder({ shop: SEQUENCE, pay: HINTS });
    order.say(SHOP, 'order.cancelled', 1);
    order.reconcile(PAY);
    const first = order.say(PAY, 'payment.authorized', null, { claimedAt: '2026-01-01T00:00:01Z' });
    order.say(PAY, 'payment.captured', null, { claimedAt: '2026-01-01T00:00:02Z' });
    order.answer(PAY, 'payment.captured', null, { facts: { amount: '5' } });
    expect(order.attention).toEqual(['review: captured although it was cancelled']);
    expect(order.outcomeOf(first)).toBe('superseded');
    expect(order.resolve(PAY, null, { kind: 'ignore' })).toBeNull();
    expect(order.attention).toEqual([]);
    expect(order.status).toBe('cancelled');
  });
});

describe('beginning a stream anew', () => {
  test('passes a gap that will never be filled, and what was missing is not taken for covered', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.authorized', 1);
    const captured = order.say(PAY, 'payment.captured', 4);
    const refunded = order.say(PAY, 'payment.refunded', 5, { facts: { refund: 're_2' } });
    order.passAndWake(30_000);
    expect(order.attention).toEqual(['gap: version 2 never came']);
    expect(order.resolve(PAY, captured, { kind: 'rebase' })).toBeNull();
    expect([order.outcomeOf(captured), order.outcomeOf(refunded)]).toEqual(['applied', 'applied']);
    expect(order.attention).toEqual([]);
    expect(order.dueAt).toBeNull();
    const late = order.say(PAY, 'payment.partially_refunded', 3, { facts: { refund: 're_1' } });
    expect(order.outcomeOf(late)).toBe('review');
  });

  test('needs an event with a version whose cell says what it means', () => {
    const { order, captured } = inReview();
    expect(order.resolve(PAY, captured, { kind: 'rebase' })).toMatch(/apply a status, or ignore it/);
    const hints = anOrder({ pay: HINTS });
    const hint = hints.say(PAY, 'payment.captured', null);
    expect(hints.resolve(PAY, hint, { kind: 'rebase' })).toMatch(/only an event with a version/);
  });

  test('works on instants, which have no version just below them', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', '2026-01-02T00:00:00Z');
    const late = order.say(PAY, 'payment.partially_refunded', '2026-01-01T00:00:00Z', {
      facts: { refund: 're_1' },
    });
    expect(order.outcomeOf(late)).toBe('review');
    expect(order.resolve(PAY, late, { kind: 'rebase' })).toBeNull();
    expect(order.status).toBe('partially_refunded');
    expect(order.stream(PAY).version).toBe('2026-01-01T00:00:00Z');
  });
});
