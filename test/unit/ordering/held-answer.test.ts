import { describe, expect, test } from 'vitest';
import { anOrder, HINTS, PAY, PAY2, SHOP } from './an-order.ts';

const at = (second: number) => ({ claimedAt: `2026-01-01T00:00:0${second}Z` });
const refund = (id: string) => ({ facts: { refund: id } });

describe('an answer that is held', () => {
  test('that is taken later covers nothing that came after it: what is being asked meanwhile is still answered', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY2, 'payment.authorized', null, at(1));
    order.answer(PAY2, 'payment.authorized', null);
    order.say(PAY, 'payment.refunded', null, { ...refund('re_1'), ...at(2) });
    order.answer(PAY, 'payment.refunded', null, refund('re_1'));
    order.answer(PAY2, 'payment.authorized', null);
    expect(order.status).toBe('authorized');
    const failed = order.say(PAY, 'refund.failed', null, { ...refund('re_1'), ...at(4) });
    order.say(PAY2, 'payment.cancelled', null, at(3));
    order.answer(PAY2, 'payment.cancelled', null);
    expect(order.status).toBe('refunded');
    expect(order.outcomeOf(failed)).toBe('held');
    expect(order.asking).toContain(PAY);
    order.answer(PAY, 'refund.failed', null, refund('re_1'));
    expect(order.status).toBe('paid');
    expect(order.outcomeOf(failed)).toBe('applied');
  });

  test('that a person closes covers nothing that came after it', () => {
    const order = anOrder({ pay: HINTS });
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.cancelled', 2);
    order.reconcile(null);
    order.say(PAY, 'payment.authorized', null, at(1));
    order.answer(PAY, 'payment.captured', null);
    order.passAndWake(120_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.attention).toEqual(['review: captured although it was cancelled']);
    const refunded = order.say(PAY, 'payment.refunded', null, { ...refund('re_1'), ...at(2) });
    expect(order.resolve(PAY, null, { kind: 'ignore' })).toBeNull();
    expect(order.outcomeOf(refunded)).toBe('held');
    expect(order.asking).toContain(PAY);
  });
});
