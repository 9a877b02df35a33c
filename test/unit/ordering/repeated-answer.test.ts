import { describe, expect, test } from 'vitest';
import { anOrder, DISPUTE, HINTS, PAY, SHOP } from './an-order.ts';

const at = (second: number) => ({ claimedAt: `2026-01-01T00:00:0${second}Z` });
const refund = (id: string) => ({ facts: { refund: id } });

describe('an answer that only repeats what the stream said last', () => {
  test('asks nobody, though the table has no way to it from where the order is by now', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null);
    order.answer(PAY, 'payment.captured', null);
    order.say(DISPUTE, 'dispute.won', null, at(2));
    order.answer(DISPUTE, 'dispute.won', null);
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.shipped', 2);
    expect(order.status).toBe('shipped');
    const late = order.say(DISPUTE, 'dispute.lost', null, at(1));
    order.answer(DISPUTE, 'dispute.won', null);
    expect(order.outcomeOf(late)).toBe('superseded');
    expect(order.stream(DISPUTE).answer).toBeNull();
    order.passAndWake(3_600_000);
    expect(order.status).toBe('shipped');
    expect(order.attention).toEqual([]);
  });

  test('leaves a person’s decision as it is', () => {
    const order = anOrder({ pay: HINTS });
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.cancelled', 2);
    const captured = order.say(PAY, 'payment.captured', null);
    order.answer(PAY, 'payment.captured', null);
    expect(order.attention).toEqual(['review: captured although it was cancelled']);
    expect(order.resolve(PAY, captured, { kind: 'ignore' })).toBeNull();
    order.reconcile(PAY);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('cancelled');
    expect(order.attention).toEqual([]);
  });

  test('leaves with a person what a step back gave to them', () => {
    const order = anOrder({ pay: HINTS, shop: HINTS });
    order.say(SHOP, 'order.cancelled', null);
    order.answer(SHOP, 'order.cancelled', null);
    order.say(PAY, 'payment.refunded', null, { ...refund('re_1'), ...at(1) });
    order.answer(PAY, 'payment.refunded', null, refund('re_1'));
    order.say(DISPUTE, 'dispute.opened', null);
    order.answer(DISPUTE, 'dispute.opened', null);
    order.say(PAY, 'refund.failed', null, { ...refund('re_1'), ...at(2) });
    order.answer(PAY, 'refund.failed', null, refund('re_1'));
    expect(order.status).toBe('disputed');
    const asked = ['review: cancelled after it went too far'];
    expect(order.attention).toEqual(asked);
    for (let again = 0; again < 3; again++) {
      order.reconcile(SHOP);
      order.answer(SHOP, 'order.cancelled', null);
      expect(order.attention).toEqual(asked);
    }
  });

  test('is held as before where it was only ignored, and news below it may be missing', () => {
    const order = anOrder({ pay: { contract: 'monotonic', api: true, first: 'any' } });
    order.say(PAY, 'payment.captured', 10);
    order.say(PAY, 'payment.failed', 30);
    order.reconcile(PAY);
    order.answer(PAY, 'payment.failed', 30);
    expect(order.stream(PAY).answer).toMatchObject({ review: null });
  });
});
