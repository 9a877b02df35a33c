/** A question that events have answered meanwhile is not asked on: sensitive effects would wait for it. */
import { expect, test } from 'vitest';
import { planOf } from '../../../src/ordering/plan.ts';
import { anOrder, ASKABLE, PAY } from './an-order.ts';

test('a gap that its missing event closes is not asked about any more', () => {
  const order = anOrder({ pay: ASKABLE });
  order.say(PAY, 'payment.captured', 2);
  order.passAndWake(60_000);
  expect(order.asking).toEqual([PAY]);
  order.down(PAY);
  order.say(PAY, 'payment.authorized', 1);
  expect(order.status).toBe('paid');
  expect(order.stream(PAY).ask).toBeNull();
  expect(planOf(order.state)).toMatchObject({ asks: [], isUncertain: false, dueAt: null });
});

test('an unlisted event that another stream’s move lets step is not asked about any more', () => {
  const order = anOrder({ shop: ASKABLE, pay: ASKABLE });
  order.say('shop/shipment:1', 'order.shipped', 1);
  expect(order.asking).toEqual(['shop/shipment:1']);
  order.say(PAY, 'payment.captured', 1);
  expect(order.status).toBe('shipped');
  expect(order.stream('shop/shipment:1').ask).toBeNull();
});
