import { describe, expect, test } from 'vitest';
import { anOrder, DISPUTE, PAY, PAY2, SHOP } from './an-order.ts';

const refund = (id: string) => ({ facts: { refund: id } });

describe('effects', () => {
  test('are asked for on entry, with the status, the one before and the cause', () => {
    const order = anOrder();
    order.say(SHOP, 'order.created', 1);
    const { effects } = order.hear(eventOfCapture());
    expect(effects).toMatchObject([
      {
        name: 'fulfil',
        once: 'order',
        status: 'paid',
        previous: 'awaiting_payment',
        cause: {
          source: 'pay',
          object: 'payment:1',
          event: 'evt_capture',
          type: 'payment.captured',
          version: '1',
        },
        mode: 'run',
      },
      { name: 'sendReceipt', once: 'order' },
    ]);
  });

  test('are keyed by the order, by the fact named, or by the event', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    order.say(PAY, 'payment.partially_refunded', 2, refund('re_1'));
    order.say(PAY, 'payment.partially_refunded', 3, refund('re_2'));
    order.say(DISPUTE, 'dispute.opened', 1, { facts: { amount: '5' } });
    expect(order.effects).toEqual([
      'fulfil',
      'sendReceipt',
      'bookRefund re_1',
      'bookRefund re_2',
      'alertFinance pay/dispute:1|dispute.opened {"amount":"5"}',
    ]);
  });

  test('two legitimate refunds of one amount are two, the same refund under two ids is one', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    order.say(PAY, 'payment.partially_refunded', 2, { facts: { refund: 're_1', amount: '500' } });
    order.say(PAY, 'payment.partially_refunded', 3, { facts: { refund: 're_2', amount: '500' } });
    order.say(PAY, 'payment.partially_refunded', 4, { facts: { refund: 're_2', amount: '500' } });
    expect(order.effects.filter((effect) => effect.startsWith('bookRefund'))).toEqual([
      'bookRefund re_1',
      'bookRefund re_2',
    ]);
  });

  test('an event without the fact that its effect is counted by stands for itself; an answer without it counts nothing', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    order.say(PAY, 'payment.partially_refunded', 2);
    expect(order.effects).toContain('bookRefund pay/payment:1|payment.partially_refunded {}');
    const asked = anOrder();
    asked.say(PAY, 'payment.captured', 1);
    asked.reconcile(PAY);
    asked.answer(PAY, 'payment.refunded', 2, { parts: ['re_1'] });
    expect(asked.effects).toEqual(['fulfil', 'sendReceipt', 'revokeAccess', 'bookRefund re_1']);
  });

  test('of a stay run, and the order stays', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    const second = order.say(PAY2, 'payment.refunded', 1, refund('re_9'));
    expect(order.outcomeOf(second)).toBe('ignored');
    expect(order.status).toBe('paid');
    expect(order.effects).toContain('bookRefund re_9');
  });

  test('of a source in shadow mode are written and never run', () => {
    const order = anOrder({ pay: { effects: 'record' } });
    const { effects } = order.hear(eventOfCapture());
    expect(effects.map(({ mode }) => mode)).toEqual(['record', 'record']);
  });

  test('of a deadline are shadowed only when all of the order’s sources are', () => {
    const modeOfExpiry = (pay: 'run' | 'record') => {
      const order = anOrder({ shop: { effects: 'record' }, pay: { effects: pay } });
      order.say(SHOP, 'order.created', 1);
      order.passAndWake(86_400_000);
      return order.answer(SHOP, 'order.created', 1).effects.map(({ name, mode }) => [name, mode]);
    };
    expect(modeOfExpiry('run')).toEqual([['releaseStock', 'run']]);
    expect(modeOfExpiry('record')).toEqual([['releaseStock', 'record']]);
  });
});

function eventOfCapture() {
  return {
    seq: '900001',
    source: 'pay',
    event: 'evt_capture',
    stream: PAY,
    type: 'payment.captured',
    payment: 'p1',
    version: '1',
    claimedAt: null,
    fact: 'captured',
    facts: {},
  };
}
