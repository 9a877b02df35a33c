import { describe, expect, test } from 'vitest';
import { anOrder, DISPUTE, HINTS, MONOTONIC, PAY, PAY2, SHOP } from './an-order.ts';

const at = (second: number) => ({ claimedAt: `2026-01-01T00:00:0${second}Z` });
const refund = (id: string) => ({ facts: { refund: id } });

describe('what an answer means, rule by rule', () => {
  test('(1) the last step again confirms it, wherever the order has gone since', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    order.say(SHOP, 'order.cancelled', 1);
    order.reconcile(PAY);
    order.answer(PAY, 'payment.captured', 1);
    expect(order.status).toBe('cancelled');
    expect(order.attention).toEqual([]);
    expect(order.journal.at(-1)).toMatchObject({ kind: 'confirmed', to: 'cancelled' });
  });

  test('(2) a cell that is a status steps', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    order.reconcile(PAY);
    order.answer(PAY, 'payment.refunded', 4, { ...refund('re_1'), parts: ['re_1'] });
    expect(order.status).toBe('refunded');
    expect(order.effects).toContain('bookRefund re_1');
  });

  test('(2) a cell that is a review asks a person, and the event that said the same is what they see', () => {
    const order = anOrder({ pay: HINTS });
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.cancelled', 2);
    const captured = order.say(PAY, 'payment.captured', null);
    order.answer(PAY, 'payment.captured', null);
    expect(order.outcomeOf(captured)).toBe('review');
    expect(order.attention).toEqual(['review: captured although it was cancelled']);
    expect(order.resolve(PAY, captured, { kind: 'apply', status: 'paid' })).toBeNull();
    expect(order.outcomeOf(captured)).toBe('applied');
    expect(order.status).toBe('paid');
    expect(order.attention).toEqual([]);
  });

  test('(2) the same review again settles nothing twice, and the attention keeps its time', () => {
    const order = anOrder({ pay: HINTS });
    order.say(SHOP, 'order.cancelled', 1);
    const captured = order.say(PAY, 'payment.captured', null);
    order.answer(PAY, 'payment.captured', null);
    const { since } = order.state.attention[0] as { since: number };
    order.pass(5_000);
    const again = order.say(PAY, 'payment.captured', null);
    const decision = order.answer(PAY, 'payment.captured', null);
    expect(decision.outcomes.map(({ ref, outcome }) => [ref.seq, outcome])).toEqual([[again.seq, 'stale']]);
    expect(order.outcomeOf(captured)).toBe('review');
    expect(order.state.attention).toMatchObject([{ since }]);
  });

  test('(2) an ignore speaks when another stream moved the order last', () => {
    const order = anOrder({ pay: HINTS });
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.cancelled', 2);
    const cancelled = order.say(PAY, 'payment.cancelled', null);
    order.answer(PAY, 'payment.cancelled', null);
    expect(order.status).toBe('cancelled');
    expect([order.outcomeOf(cancelled), order.reasonOf(cancelled)]).toEqual(['ignored', 'confirmed']);
  });

  test('(2) an ignore or stay always speaks for an answer about another payment', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    order.say(PAY2, 'payment.failed', 1);
    order.reconcile(PAY2);
    order.answer(PAY2, 'payment.refunded', 3, { ...refund('re_9'), parts: ['re_9'] });
    expect(order.status).toBe('paid');
    expect(order.effects).toContain('bookRefund re_9');
  });

  test('(2) an ignore that comes from `else` gives way to a path', () => {
    // Authorised, then nothing more was heard: the provider says the money went back.
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 10);
    order.say(PAY, 'payment.partially_refunded', 20, refund('re_1'));
    expect(order.status).toBe('partially_refunded');
    const asked = anOrder();
    asked.say(PAY, 'payment.authorized', 1);
    asked.reconcile(PAY);
    asked.answer(PAY, 'dispute.opened', 3);
    expect(asked.status).toBe('disputed');
    expect(asked.journal.at(-1)).toMatchObject({ kind: 'inferred', from: 'authorized', to: 'disputed' });
  });

  test('(3) in a status that the type leads to, the answer confirms it', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.failed', null, at(1));
    order.answer(PAY, 'payment.failed', null);
    const cancelled = order.say(PAY, 'payment.cancelled', null, at(2));
    order.answer(PAY, 'payment.cancelled', null);
    expect(order.status).toBe('payment_failed');
    expect([order.outcomeOf(cancelled), order.reasonOf(cancelled)]).toEqual(['ignored', 'confirmed']);
  });

  test('(4) an own answer jumps along the shortest way; only what lies on every such way counts as passed', () => {
    const order = anOrder();
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, 'payment.partially_refunded', 3, refund('re_1'));
    order.passAndWake(30_000);
    order.answer(PAY, 'payment.partially_refunded', 3, { ...refund('re_1'), parts: ['re_1'] });
    expect(order.status).toBe('partially_refunded');
    expect(order.effects).toEqual(['fulfil', 'sendReceipt', 'bookRefund re_1']);
    expect(order.journal.at(-1)).toMatchObject({ kind: 'inferred', reason: 'passed paid' });
  });

  test('(4) where several ways are equally short, nothing counts as passed', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.refunded', null, refund('re_1'));
    order.answer(PAY, 'payment.refunded', null, { ...refund('re_1'), parts: ['re_1'] });
    expect(order.status).toBe('refunded');
    expect(order.effects).toEqual(['bookRefund re_1', 'revokeAccess']);
  });

  test('(4) never over a step back', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null, at(1));
    order.answer(PAY, 'payment.captured', null);
    order.say(PAY, 'dispute.opened', null, at(2));
    order.answer(PAY, 'dispute.opened', null);
    // From disputed, `paid` and all that follows is reached only by a dispute that was won.
    order.say(PAY, 'order.shipped', null, at(3));
    order.answer(PAY, 'order.cancelled', null);
    expect(order.status).toBe('disputed');
  });

  test('(4) an answer that names no payment never jumps across a step of a payment', () => {
    const order = anOrder();
    order.say(SHOP, 'order.created', 1);
    order.reconcile(SHOP);
    order.answer(SHOP, 'order.shipped', 4);
    expect(order.status).toBe('awaiting_payment');
    expect(order.stream(SHOP).answer?.snapshot.type).toBe('order.shipped');
  });

  test('(5) what the table has no way to is held; the order’s other streams are asked for it', () => {
    const order = anOrder();
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, 'payment.authorized', 1);
    order.reconcile(SHOP);
    order.answer(SHOP, 'order.shipped', 4);
    expect(order.asking).toEqual([PAY]);
    order.answer(PAY, 'payment.captured', 2);
    expect(order.status).toBe('shipped');
    expect(order.stream(SHOP)).toMatchObject({ answer: null, version: '4' });
  });

  test('(5) a held answer becomes a person’s after the deadline, and is still tried when the order moves', () => {
    const order = anOrder({ shop: { askDeadlineMs: 10_000 }, pay: { api: false } });
    order.say(SHOP, 'order.created', 1);
    order.reconcile(SHOP);
    order.answer(SHOP, 'order.shipped', 4);
    expect(order.attention).toEqual([]);
    order.passAndWake(10_000);
    expect(order.attention).toEqual([
      'review: the table has no way from awaiting_payment to what the provider says (order.shipped)',
    ]);
    order.say(PAY, 'payment.captured', 1);
    expect(order.status).toBe('shipped');
    expect(order.attention).toEqual([]);
  });

  test('(5) a step of the stream drops a held answer, and what had waited for it is asked about again', () => {
    const order = anOrder({ pay: { ...MONOTONIC, api: true, askDeadlineMs: 10_000 } });
    const shipped = order.say(PAY, 'order.shipped', 30, { payment: null });
    order.answer(PAY, 'order.shipped', 30, { payment: null });
    order.say(PAY, 'order.created', 10, { payment: null });
    expect(order.status).toBe('awaiting_payment');
    expect(order.asking).toEqual([PAY]);
    order.answer(PAY, 'order.shipped', 30, { payment: null });
    order.passAndWake(10_000);
    expect(order.outcomeOf(shipped)).toBe('held');
    expect(order.attention).toHaveLength(1);
  });

  test('(5) a gap that only a held answer could close is not asked about again and again', () => {
    const order = anOrder();
    order.say(SHOP, 'order.shipped', 3);
    order.passAndWake(30_000);
    expect(order.asking).toEqual([SHOP]);
    order.answer(SHOP, 'order.shipped', 3);
    expect(order.asking).toEqual([]);
    expect(order.stream(SHOP).asks).toBe(1);
    expect(order.dueAt).toBe(order.now + 86_400_000);
  });
});

describe('what an answer covers', () => {
  test('by version: what is held at or below it is settled, what is above waits', () => {
    const order = anOrder();
    const captured = order.say(PAY, 'payment.captured', 2);
    const refunded = order.say(PAY, 'payment.refunded', 5, refund('re_1'));
    order.passAndWake(30_000);
    order.answer(PAY, 'payment.captured', 3);
    expect(order.outcomeOf(captured)).toBe('applied');
    expect(order.outcomeOf(refunded)).toBe('held');
    // The gap remains: the provider is asked again.
    expect(order.asking).toEqual([PAY]);
  });

  test('what was passed over is covered, too', () => {
    const order = anOrder();
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.cancelled', 4);
    expect(order.stream(SHOP).missing).toEqual([['2', '3']]);
    order.passAndWake(30_000);
    order.answer(SHOP, 'order.cancelled', 4);
    expect(order.stream(SHOP).missing).toEqual([]);
    expect(order.outcomeOf(order.say(SHOP, 'order.expired', 3))).toBe('superseded');
  });

  test('an answer without a version covers all that was known when it was asked for', () => {
    const order = anOrder();
    const cancelled = order.say(SHOP, 'order.cancelled', 3, at(1));
    expect(order.outcomeOf(cancelled)).toBe('applied');
    order.passAndWake(30_000);
    order.answer(SHOP, 'order.cancelled', null);
    expect(order.asking).toEqual([]);
    expect(order.stream(SHOP)).toMatchObject({ version: '3', missing: [] });
  });

  test('an answer without a version moves a gapped stream to what it covered: the missing one is superseded', () => {
    const order = anOrder();
    const captured = order.say(PAY, 'payment.captured', 3, at(3));
    order.passAndWake(30_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.outcomeOf(captured)).toBe('applied');
    expect(order.outcomeOf(order.say(PAY, 'payment.cancelled', 2, at(2)))).toBe('superseded');
    expect(order.status).toBe('paid');
    expect(order.attention).toEqual([]);
  });

  test('a superseded event keeps the effects that are counted by its own facts, and no others', () => {
    const order = anOrder();
    const first = order.say(PAY, 'payment.partially_refunded', 2, refund('re_1'));
    order.passAndWake(30_000);
    order.answer(PAY, 'payment.refunded', 3, { ...refund('re_2'), parts: ['re_2'] });
    expect(order.outcomeOf(first)).toBe('superseded');
    expect(order.effects.filter((effect) => effect.startsWith('bookRefund')).sort()).toEqual([
      'bookRefund re_1',
      'bookRefund re_2',
    ]);
  });

  test('each refund that an answer lists is booked under its own key, seen or not', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    order.reconcile(PAY);
    order.answer(PAY, 'payment.refunded', 4, { ...refund('re_3'), parts: ['re_1', 're_2', 're_3'] });
    order.say(PAY, 'payment.partially_refunded', 2, refund('re_1'));
    expect(order.effects.filter((effect) => effect.startsWith('bookRefund')).sort()).toEqual([
      'bookRefund re_1',
      'bookRefund re_2',
      'bookRefund re_3',
    ]);
  });

  test('a copy of the event that said the same is stale, not superseded', () => {
    const order = anOrder({ pay: HINTS });
    const one = order.say(DISPUTE, 'dispute.opened', null);
    order.down(DISPUTE);
    const two = order.say(DISPUTE, 'dispute.opened', null);
    order.passAndWake(1_000);
    order.answer(DISPUTE, 'dispute.opened', null);
    expect([order.outcomeOf(one), order.outcomeOf(two)]).toEqual(['stale', 'applied']);
    expect(order.effects.filter((effect) => effect.startsWith('alertFinance'))).toHaveLength(1);
  });
});

describe('an answer that lags', () => {
  test('above what was applied but below a tie settles what it can, and the tie is asked about again', () => {
    const order = anOrder();
    const tied = order.say(SHOP, 'order.cancelled', 2, { conflict: true });
    order.answer(SHOP, 'order.created', 1);
    expect(order.status).toBe('awaiting_payment');
    expect(order.asking).toEqual([SHOP]);
    order.answer(SHOP, 'order.created', 2);
    expect(order.outcomeOf(tied)).toBe('superseded');
  });

  test('below what was applied is asked for again with back-off, and never applied', () => {
    const order = anOrder();
    order.say(PAY, 'payment.authorized', 1);
    order.say(PAY, 'payment.captured', 2);
    order.reconcile(PAY);
    order.answer(PAY, 'payment.authorized', 1);
    expect(order.status).toBe('paid');
    expect(order.asking).toEqual([]);
    expect(order.dueAt).toBe(order.now + 500);
    order.passAndWake(500);
    order.answer(PAY, 'payment.authorized', 1);
    expect(order.dueAt).toBe(order.now + 1_000);
    order.passAndWake(1_000);
    order.answer(PAY, 'payment.captured', 2);
    expect(order.dueAt).toBeNull();
  });

  test('at the version, with an event above it waiting, has not caught up', () => {
    const order = anOrder();
    order.say(PAY, 'payment.authorized', 1);
    order.say(PAY, 'payment.refunded', 3, refund('re_1'));
    order.passAndWake(30_000);
    order.answer(PAY, 'payment.authorized', 1);
    expect(order.stream(PAY).ask).toMatchObject({ attempts: 1, retryAt: order.now + 500 });
  });

  test('that does not know an object which an authentic event named is asked for again', () => {
    const order = anOrder({ pay: HINTS });
    const captured = order.say(PAY, 'payment.captured', null);
    order.gone(PAY);
    expect(order.outcomeOf(captured)).toBe('held');
    order.passAndWake(500);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
  });

  test('without a version is taken at once when it says what the newest hint said', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null, at(2));
    order.say(PAY, 'payment.authorized', null, at(1));
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
  });

  test('without a version and otherwise must stand unchanged for the window, by the time it was asked for', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.refunded', null, { ...at(2), ...refund('re_1') });
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('new');
    expect(order.dueAt).toBe(order.now + 60_000);
    order.passAndWake(60_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
  });

  test('without a version starts its window anew when it changes, and with each new hint', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.refunded', null, { ...at(3), ...refund('re_1') });
    order.answer(PAY, 'payment.authorized', null);
    order.passAndWake(60_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('new');
    order.pass(50_000);
    order.say(PAY, 'payment.failed', null, at(1));
    order.passAndWake(10_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('new');
    order.passAndWake(60_000);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
  });

  test('with hints of one second, or that name no time, none of them is the newest', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.captured', null, at(1));
    order.say(PAY, 'payment.refunded', null, { ...at(1), ...refund('re_1') });
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('new');
    expect(order.stream(PAY).candidate?.type).toBe('payment.captured');
  });
});

test('an answer to a request that is not open any more says nothing', () => {
  const order = anOrder({ pay: HINTS });
  order.say(PAY, 'payment.captured', null);
  order.answer(PAY, 'payment.captured', null);
  const before = order.state;
  const { outcomes, effects } = order.answer(PAY, 'payment.refunded', null, refund('re_1'));
  expect([outcomes, effects]).toEqual([[], []]);
  expect(order.state).toEqual(before);
});

test('an answer whose version cannot be compared with those of its stream is none: the provider is asked again', () => {
  const order = anOrder({ pay: { contract: 'monotonic' } });
  order.say(PAY, 'payment.captured', '2026-01-01T00:00:00Z');
  order.reconcile(PAY);
  order.answer(PAY, 'payment.refunded', 7);
  expect(order.status).toBe('paid');
  expect(order.stream(PAY)).toMatchObject({ version: '2026-01-01T00:00:00Z', ask: { attempts: 1 } });
});
