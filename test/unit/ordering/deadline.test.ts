import { describe, expect, test } from 'vitest';
import { noteTwoWriters } from '../../../src/ordering/two-writers.ts';
import { anOrder, factOf, HINTS, PAY, SEQUENCE, SHOP } from './an-order.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';

const DAY = 86_400_000;

describe('the deadline of a status', () => {
  test('runs from the entry into the status, and ends with it', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    expect(order.state.deadline).toMatchObject({
      at: order.now + DAY,
      type: 'order.expired',
      phase: 'waiting',
    });
    order.say(PAY, 'payment.authorized', 1);
    expect(order.state.deadline).toBeNull();
  });

  test('asks every stream and every source that can be searched before it acts', () => {
    const order = anOrder({ shop: { find: true } });
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, 'payment.failed', 1);
    expect(order.status).toBe('payment_failed');
    order.passAndWake(DAY);
    expect(order.asking).toEqual([PAY, SHOP]);
    expect(Object.keys(order.state.finds)).toEqual(['shop']);
    expect(order.status).toBe('payment_failed');
    order.answer(SHOP, 'order.created', 1);
    order.answer(PAY, 'payment.failed', 1);
    expect(order.status).toBe('payment_failed');
    order.found('shop', [SHOP]);
    expect(order.status).toBe('cancelled');
    expect(order.effects).toEqual(['releaseStock']);
    expect(order.journal.at(-1)).toMatchObject({ kind: 'deadline', from: 'payment_failed', to: 'cancelled' });
  });

  test('finds a payment whose only event was lost, and does not expire the order', () => {
    const order = anOrder({ pay: { ...HINTS, find: true } });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    order.found('pay', [PAY]);
    expect(order.asking).toEqual([PAY]);
    order.answer(PAY, 'payment.captured', null);
    order.passAndWake(60_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
    expect(order.effects).not.toContain('releaseStock');
  });

  test('does not act while the provider cannot be reached, and a person is asked in time', () => {
    const order = anOrder({ shop: { askDeadlineMs: 10_000 } });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.down(SHOP, 20_000);
    order.passAndWake(20_000);
    expect(order.status).toBe('awaiting_payment');
    expect(order.attention).toEqual(['reconcile: no usable answer after 1 try']);
    order.answer(SHOP, 'order.created', 1);
    expect(order.status).toBe('cancelled');
    expect(order.attention).toEqual([]);
  });

  test('is a person’s where nobody can be asked, until the order moves', () => {
    const order = anOrder({ shop: SEQUENCE, pay: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    expect(order.status).toBe('awaiting_payment');
    expect(order.attention).toEqual(['review: order.expired is due, and nobody can be asked']);
    order.say(PAY, 'payment.captured', 1);
    expect(order.attention).toEqual([]);
  });

  test('that is a person’s acts on their word, as the table leads its type, or not at all', () => {
    const due = () => {
      const order = anOrder({ shop: SEQUENCE, pay: SEQUENCE });
      order.say(SHOP, 'order.created', 1);
      order.passAndWake(DAY);
      return order;
    };
    const acted = due();
    expect(acted.resolve(null, null, { kind: 'apply', status: 'paid' })).toBe(
      'the table leads order.expired to cancelled, not to paid',
    );
    expect(acted.resolve(null, null, { kind: 'rebase' })).toBe('a deadline can be applied or ignored');
    expect(acted.resolve(null, null, { kind: 'apply', status: 'cancelled' })).toBeNull();
    expect(acted.status).toBe('cancelled');
    expect(acted.effects).toEqual(['releaseStock']);
    expect(acted.attention).toEqual([]);
    const resolved = { kind: 'resolved', type: 'order.expired', reason: 'ada: looked' };
    expect(acted.journal.at(-1)).toMatchObject({ ...resolved, from: 'awaiting_payment', to: 'cancelled' });

    const left = due();
    expect(left.resolve(null, null, { kind: 'ignore' })).toBeNull();
    expect([left.status, left.attention, left.state.deadline]).toEqual(['awaiting_payment', [], null]);
    expect(left.journal.at(-1)).toMatchObject(resolved);
    expect(left.resolve(null, null, { kind: 'ignore' })).toBe('nothing of the order waits for a person');
    left.say(PAY, 'payment.captured', 1);
    expect(left.status).toBe('paid');
  });

  test('acts where nobody can be asked when it says `unasked: act`', () => {
    const machine = structuredClone(demoMachine);
    const { deadline } = machine.statuses['awaiting_payment'] as { deadline: { unasked: 'review' | 'act' } };
    deadline.unasked = 'act';
    const order = anOrder({ shop: SEQUENCE, pay: SEQUENCE }, machine);
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    expect(order.status).toBe('cancelled');
  });

  test('does not act over an answer that the table cannot explain', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.shipped', 5);
    expect(order.status).toBe('awaiting_payment');
    order.passAndWake(DAY);
    expect(order.attention).toHaveLength(1);
    order.say(PAY, 'payment.captured', 1);
    expect(order.status).toBe('shipped');
  });

  test('does not act over a gap; what fills it may move the order, and then the time begins anew', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, 'payment.failed', 2);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    expect(order.status).toBe('awaiting_payment');
    expect(order.attention).toEqual(['gap: version 1 never came']);
    expect(order.state.deadline?.phase).toBe('asking');
    order.say(PAY, null, 1);
    expect(order.status).toBe('payment_failed');
    expect(order.state.deadline).toMatchObject({ phase: 'waiting', status: 'payment_failed' });
  });

  test('does not act over news of a source that nobody can ask', () => {
    const order = anOrder({ shop: SEQUENCE, pay: { ...HINTS, lagWindowMs: 0 } });
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, 'payment.failed', null);
    order.answer(PAY, 'payment.failed', null);
    order.say(SHOP, 'order.shipped', 2);
    order.passAndWake(DAY);
    expect([order.status, order.asking]).toEqual(['payment_failed', [PAY]]);
    order.answer(PAY, 'payment.failed', null);
    expect([order.status, order.asking]).toEqual(['payment_failed', []]);
  });

  test('is a person’s where the table leads its type to a person', () => {
    const expired = { ...demoMachine.on['order.expired'], awaiting_payment: { review: 'look first' } };
    const order = anOrder({}, { ...demoMachine, on: { ...demoMachine.on, 'order.expired': expired } });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    expect([order.status, order.state.deadline?.phase]).toEqual(['awaiting_payment', 'review']);
    expect(order.attention.length).toBe(1);
  });

  test('is a person’s where the table has no cell for its type', () => {
    const { awaiting_payment: _gone, else: _rest, ...expired } = demoMachine.on['order.expired'] ?? {};
    const order = anOrder({}, { ...demoMachine, on: { ...demoMachine.on, 'order.expired': expired } });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    expect([order.status, order.state.deadline?.phase]).toEqual(['awaiting_payment', 'review']);
  });

  test('acts once what a search found has been answered and is no news', () => {
    const order = anOrder({ pay: { ...HINTS, find: true } });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    order.found('pay', [PAY]);
    order.answer(PAY, null, null);
    expect(order.status).toBe('awaiting_payment');
    order.passAndWake(60_000);
    order.answer(PAY, null, null);
    expect(order.status).toBe('cancelled');
  });

  test('acts although another run was found to write the order', () => {
    const order = anOrder({}, demoMachine, (state) => noteTwoWriters(demoMachine, state, 'run-2', 0).state);
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    expect(order.status).toBe('cancelled');
  });

  test('that the table ignores is over, and says so', () => {
    const expired = { ...demoMachine.on['order.expired'], awaiting_payment: { ignore: 'let it wait' } };
    const order = anOrder({}, { ...demoMachine, on: { ...demoMachine.on, 'order.expired': expired } });
    order.say(SHOP, 'order.created', 1);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    expect([order.status, order.state.deadline]).toEqual(['awaiting_payment', null]);
    expect(order.journal.at(-1)).toMatchObject({ kind: 'deadline', reason: 'let it wait' });
  });

  test('acts as soon as an event ends the doubt without moving the order', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, null, 2);
    order.passAndWake(DAY);
    order.answer(SHOP, 'order.created', 1);
    expect(order.status).toBe('awaiting_payment');
    order.say(PAY, null, 1);
    expect(order.status).toBe('cancelled');
  });

  test('asks a stream, too, that is first heard of while the others are asked', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.failed', null);
    order.answer(PAY, 'payment.failed', null);
    order.passAndWake(DAY);
    order.say(SHOP, 'order.created', 1);
    order.answer(PAY, 'payment.failed', null);
    expect(order.status).toBe('payment_failed');
    expect(order.asking).toEqual([SHOP]);
    order.answer(SHOP, 'order.cancelled', 2);
    expect(order.status).toBe('cancelled');
    expect(order.journal.at(-1)).toMatchObject({ kind: 'step', type: 'order.cancelled' });
  });
});

test('a request or search that was under way before a deadline was due does not count as its answer', () => {
  const order = anOrder({ pay: { ...HINTS, find: true } });
  order.say(SHOP, 'order.created', 1);
  order.pass(DAY - 1_000);
  const asOf = order.now;
  order.reconcile(null);
  order.passAndWake(2_000);
  expect(order.state.deadline?.phase).toBe('asking');
  const snapshot = {
    type: 'order.created',
    version: '1',
    payment: null,
    fact: factOf('order.created'),
    facts: {},
  };
  order.take({ kind: 'snapshot', snapshot: { ...snapshot, stream: SHOP, asOf, parts: [] } }, SHOP);
  order.found('pay', []);
  expect(order.status).toBe('awaiting_payment');
  expect(order.asking).toEqual([SHOP]);
  expect(Object.keys(order.state.finds)).toEqual(['pay']);
  order.answer(SHOP, 'order.created', 1);
  order.found('pay', []);
  expect(order.status).toBe('cancelled');
});

describe('searching for the order’s objects', () => {
  test('is tried again with back-off, and a person hears of it after the deadline', () => {
    const order = anOrder({ shop: { find: true, askDeadlineMs: 10_000 }, pay: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    order.reconcile(null);
    order.answer(SHOP, 'order.created', 1);
    order.searchFails('shop');
    expect(order.dueAt).toBe(order.now + 500);
    order.passAndWake(500);
    expect(order.state.finds['shop']).toMatchObject({ n: 2, retryAt: null });
    order.passAndWake(10_000);
    expect(order.attention).toEqual(["reconcile: shop could not be searched for the order's objects: 1 try"]);
    order.found('shop', [SHOP]);
    expect(order.attention).toEqual([]);
    expect(order.state.finds).toEqual({});
  });

  test('settles nothing: what it finds is asked about', () => {
    const order = anOrder({ pay: { ...HINTS, find: true } });
    order.say(SHOP, 'order.created', 1);
    order.reconcile(null);
    order.found('pay', [PAY]);
    expect(order.status).toBe('awaiting_payment');
    expect(order.asking).toContain(PAY);
  });
});
