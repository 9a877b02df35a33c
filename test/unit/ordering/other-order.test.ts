import { describe, expect, test } from 'vitest';
import { anOrder, HINTS, PAY } from './an-order.ts';

const REASON = "conflict: the provider says that payment:1 is order 7's, and this order was named first";

describe('an answer that names another order', () => {
  const heard = () => {
    const order = anOrder({ pay: HINTS });
    const captured = order.say(PAY, 'payment.captured', null);
    const other = () => order.take({ kind: 'other', stream: PAY, asOf: order.now, order: '7' }, PAY);
    other();
    return { order, captured, other };
  };

  test('settles nothing, and a person sees a conflict at once', () => {
    const { order, captured } = heard();
    expect(order.status).toBe('new');
    expect(order.outcomeOf(captured)).toBe('held');
    expect(order.attention).toEqual([REASON]);
    expect(order.effects).toEqual([]);
  });

  test('is asked for again, and told of once', () => {
    const { order, other } = heard();
    const told = order.journal.length;
    order.passAndWake(60_000);
    expect(order.asking).toEqual([PAY]);
    other();
    expect(order.attention).toEqual([REASON]);
    expect(order.journal).toHaveLength(told);
  });

  test('is over when the provider names this order again', () => {
    const { order, captured } = heard();
    order.passAndWake(60_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
    expect(order.outcomeOf(captured)).toBe('applied');
    expect(order.attention).toEqual([]);
  });
});
