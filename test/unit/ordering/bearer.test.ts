/** Which payment carries the order. */
import { expect, test } from 'vitest';
import { anOrder, ASKABLE, HINTS, PAY, PAY2, SHOP } from './an-order.ts';

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

// A lagging answer had made an abandoned attempt the bearer; that it is abandoned is heard after the cancel, where it
// changes nothing. Whether the money that went back was the order's cannot be told any more.
test('a refund of another payment than the one that bore the cancelled order is a person’s', () => {
  const order = anOrder({ pay: HINTS });
  order.say(PAY, 'payment.authorized', null);
  order.answer(PAY, 'payment.authorized', null);
  order.say(SHOP, 'order.created', 1);
  order.say(SHOP, 'order.cancelled', 2);
  order.say(PAY2, 'payment.refunded', null, { facts: { refund: 're_1' } });
  order.answer(PAY2, 'payment.refunded', null, { facts: { refund: 're_1' } });
  order.say(PAY, 'payment.cancelled', null);
  order.answer(PAY, 'payment.cancelled', null);
  expect(order.status).toBe('cancelled');
  expect(order.attention).toEqual(['review: a second payment refunded after the cancel']);
});
