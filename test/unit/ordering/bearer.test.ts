/** Which payment carries the order. */
import { expect, test } from 'vitest';
import { anOrder, ASKABLE, PAY, PAY2, SHOP } from './an-order.ts';

test('a payment that failed carries nothing: the refund of the next one, whose capture was lost, is the order’s own', () => {
  const order = anOrder({ shop: ASKABLE, pay: ASKABLE });
  order.say(SHOP, 'order.created', 1);
  order.say(PAY, 'payment.failed', 1);
  expect(order.state.bearer).toBeNull();
  order.say(SHOP, 'order.cancelled', 2);
  order.say(PAY2, 'payment.refunded', 2, { facts: { refund: 're_1' } });
  order.passAndWake(60_000);
  order.answer(PAY2, 'payment.refunded', 2, { facts: { refund: 're_1' } });
  expect(order.status).toBe('refunded');
});

test('a late failure of another payment takes the order from nobody', () => {
  const order = anOrder();
  order.say(PAY, 'payment.captured', 1);
  order.say(PAY2, 'payment.failed', 1);
  expect(order.state).toMatchObject({ status: 'paid', bearer: 'p1' });
});
