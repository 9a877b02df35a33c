import { describe, expect, test } from 'vitest';
import { subscription } from '../../../examples/subscription/machine.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import type { MachineDefinition } from '../../../src/ordering/machine.ts';
import { anOrder, DISPUTE, MONOTONIC, PAY, PAY2, SEQUENCE, SHOP } from './an-order.ts';

const ALONE = { shop: SEQUENCE, pay: SEQUENCE };

describe('when the order moves', () => {
  test('a stream’s last word that had been ignored is judged again', () => {
    const order = anOrder(ALONE);
    const shipped = order.say(SHOP, 'order.created', 1);
    expect(order.outcomeOf(shipped)).toBe('applied');
    const { seq, source, event } = order.say(DISPUTE, 'dispute.opened', 1);
    expect(order.status).toBe('awaiting_payment');
    order.say(PAY, 'payment.captured', 1);
    expect(order.status).toBe('disputed');
    expect(order.journal.at(-1)).toMatchObject({ kind: 'rejudged', cause: { seq, source, event } });
  });

  test('a stay’s effects run once, however often it is judged', () => {
    const order = anOrder(ALONE);
    order.say(DISPUTE, 'dispute.lost', 1);
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.cancelled', 2);
    expect(order.effects.filter((effect) => effect.startsWith('alertFinance'))).toHaveLength(1);
  });

  test('a last word whose cell is a review now is a person’s', () => {
    const order = anOrder(ALONE);
    order.say(PAY, 'payment.captured', 1);
    order.say(PAY2, 'payment.failed', 1);
    order.say(PAY, 'payment.authorized', 2);
    order.say(SHOP, 'order.cancelled', 1);
    expect(order.status).toBe('cancelled');
    expect(order.attention).toEqual(['review: authorized although it was cancelled']);
  });

  test('a last word is the highest version’s, not the latest arrival’s', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'dispute.lost', 30);
    order.say(PAY, 'dispute.opened', 20);
    order.say(PAY, 'payment.captured', 10);
    expect(order.status).toBe('charged_back');
  });
});

describe('after a step back', () => {
  test('the last word of every other stream is judged again', () => {
    const order = anOrder(ALONE);
    order.say(PAY, 'payment.captured', 1);
    order.say(SHOP, 'order.shipped', 1);
    order.say(DISPUTE, 'dispute.opened', 1);
    expect(order.status).toBe('disputed');
    order.say(DISPUTE, 'dispute.won', 2);
    expect(order.status).toBe('shipped');
    expect(order.journal.slice(-2).map(({ kind, to }) => [kind, to])).toEqual([
      ['step', 'paid'],
      ['rejudged', 'shipped'],
    ]);
  });

  test('a refund that failed is judged against the dispute that stands', () => {
    const order = anOrder(ALONE);
    order.say(PAY, 'payment.captured', 1);
    order.say(DISPUTE, 'dispute.opened', 1);
    order.say(PAY, 'payment.refunded', 2, { facts: { refund: 're_1' } });
    expect(order.status).toBe('refunded');
    order.say(PAY, 'refund.failed', 3, { facts: { refund: 're_1' } });
    expect(order.status).toBe('disputed');
  });
});

test('of two payments that a step back calls back, the one that does not carry the order is judged at each move', () => {
  const order = anOrder(ALONE, compiled(subscription));
  const [one, two] = [{ payment: 'in_1' }, { payment: 'in_2' }];
  order.say('pay/subscription:1', 'subscription.started', 1);
  order.say('pay/invoice:2', 'invoice.failed', 1, two);
  order.say('pay/invoice:1', 'invoice.failed', 1, one);
  order.say('pay/subscription:1', 'subscription.paused', 2);
  order.say('pay/subscription:1', 'subscription.resumed', 3);
  expect(order.status).toBe('past_due');
  order.say('pay/invoice:1', 'invoice.paid', 2, one);
  expect(order.status).toBe('past_due');
  order.say('pay/invoice:2', 'invoice.paid', 2, two);
  expect(order.status).toBe('active');
});

function compiled(definition: MachineDefinition) {
  const result = compileMachine(definition);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.machine;
}

test('another payment’s events never touch the one that moved the order', () => {
  const order = anOrder(ALONE);
  order.say(PAY2, 'payment.captured', 1);
  const late = order.say(PAY, 'payment.failed', 1);
  const expired = order.say(PAY, 'payment.cancelled', 2);
  expect([order.outcomeOf(late), order.outcomeOf(expired)]).toEqual(['ignored', 'ignored']);
  expect(order.status).toBe('paid');
  const second = order.say(PAY, 'payment.captured', 3);
  expect(order.outcomeOf(second)).toBe('review');
  expect(order.attention).toEqual(['review: a second payment of the same order']);
});
