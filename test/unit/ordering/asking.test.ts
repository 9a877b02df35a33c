import { describe, expect, test } from 'vitest';
import { retryDelayMs } from '../../../src/ordering/asking.ts';
import { anOrder, HINTS, PAY, SHOP } from './an-order.ts';

describe('asking a provider', () => {
  test('is one request at a time per stream; streams are asked beside each other', () => {
    const order = anOrder({ pay: HINTS, shop: HINTS });
    order.say(PAY, 'payment.captured', null);
    order.say(PAY, 'payment.captured', null, { facts: { n: '2' } });
    order.say(SHOP, 'order.created', null);
    expect(order.asking).toEqual([PAY, SHOP]);
    expect(order.stream(PAY).asks).toBe(1);
  });

  test('backs off from half a second to five minutes while the API fails', () => {
    const delays = [1, 2, 3, 10, 11, 50].map(retryDelayMs);
    expect(delays).toEqual([500, 1_000, 2_000, 256_000, 300_000, 300_000]);
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null);
    order.down(PAY);
    expect(order.dueAt).toBe(order.now + 500);
  });

  test('waits as long as the provider says, if that is longer', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null);
    order.down(PAY, 20_000);
    expect(order.dueAt).toBe(order.now + 20_000);
  });

  test('answers a hint that came between two tries with the second', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null);
    order.down(PAY);
    const second = order.say(PAY, 'payment.captured', null, { facts: { n: '2' } });
    order.passAndWake(500);
    order.answer(PAY, 'payment.captured', null, { facts: { n: '2' } });
    expect(order.outcomeOf(second)).toBe('applied');
    expect(order.asking).toEqual([]);
  });

  test('calls a person after the deadline and goes on asking; an answer ends the call', () => {
    const order = anOrder({ pay: { ...HINTS, askDeadlineMs: 10_000 } });
    order.say(PAY, 'payment.captured', null);
    for (let tries = 0; tries < 6; tries++) {
      order.down(PAY);
      order.passAndWake(retryDelayMs(tries + 1));
    }
    expect(order.attention).toEqual(['reconcile: no usable answer after 6 tries']);
    order.answer(PAY, 'payment.captured', null);
    expect(order.attention).toEqual([]);
    expect(order.status).toBe('paid');
  });

  test('calls a person, too, when the request itself never ends', () => {
    const order = anOrder({ pay: { ...HINTS, askDeadlineMs: 10_000 } });
    order.say(PAY, 'payment.captured', null);
    order.passAndWake(10_000);
    expect(order.attention).toEqual(['reconcile: no usable answer after 0 tries']);
    expect(order.dueAt).toBeNull();
  });

  test('on a person’s word asks one stream, or all that can be asked and every source that can be searched', () => {
    const order = anOrder({ shop: { find: true } });
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, 'payment.captured', 1);
    order.reconcile(PAY);
    expect(order.asking).toEqual([PAY]);
    order.answer(PAY, 'payment.captured', 1);
    order.reconcile(null);
    expect(order.asking).toEqual([PAY, SHOP]);
    expect(Object.keys(order.state.finds)).toEqual(['shop']);
    expect(order.journal.filter(({ kind }) => kind === 'asked')).toHaveLength(3);
  });
});
