import { describe, expect, test } from 'vitest';
import { anOrder, ASKABLE, event, PAY, SEQUENCE, SHOP } from './an-order.ts';

describe('a contiguous sequence', () => {
  test('steps by its next event', () => {
    const order = anOrder();
    const created = order.say(SHOP, 'order.created', 1);
    expect(order.status).toBe('awaiting_payment');
    expect(order.outcomeOf(created)).toBe('applied');
    expect(order.stream(SHOP).version).toBe('1');
  });

  test('holds what comes before its turn, invents nothing, and goes on in order when the missing one arrives', () => {
    const order = anOrder({ pay: SEQUENCE });
    const refunded = order.say(PAY, 'payment.refunded', 3, { facts: { refund: 're_1' } });
    const captured = order.say(PAY, 'payment.captured', 2);
    expect(order.status).toBe('new');
    expect([order.outcomeOf(refunded), order.outcomeOf(captured)]).toEqual(['held', 'held']);
    expect(order.effects).toEqual([]);
    order.say(PAY, 'payment.authorized', 1);
    expect(order.status).toBe('refunded');
    expect([order.outcomeOf(captured), order.outcomeOf(refunded)]).toEqual(['applied', 'applied']);
    expect(order.effects).toEqual(['fulfil', 'sendReceipt', 'bookRefund re_1', 'revokeAccess']);
  });

  test('decides a batch in version order, whatever the order in it', () => {
    const order = anOrder({ pay: SEQUENCE });
    const events = [3, 1, 2].map((version) =>
      event(
        PAY,
        ['', 'payment.authorized', 'payment.captured', 'payment.refunded'][version] ?? null,
        version,
      ),
    );
    order.hear(...events);
    expect(order.status).toBe('refunded');
    expect(order.journal.filter(({ kind }) => kind === 'step').map(({ to }) => to)).toEqual([
      'authorized',
      'paid',
      'refunded',
    ]);
  });

  test('starts a timer at a gap, and asks the provider only when it has run out', () => {
    const order = anOrder({ pay: ASKABLE });
    order.say(PAY, 'payment.captured', 2);
    expect(order.asking).toEqual([]);
    expect(order.dueAt).toBe(order.now + 30_000);
    order.passAndWake(30_000);
    expect(order.asking).toEqual([PAY]);
    expect(order.attention).toEqual([]);
  });

  test('calls a person at a gap that nobody can be asked about, until the missing one arrives', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.captured', 2);
    order.passAndWake(30_000);
    expect(order.attention).toEqual(['gap: version 1 never came']);
    expect(order.status).toBe('new');
    order.say(PAY, 'payment.authorized', 1);
    expect(order.attention).toEqual([]);
    expect(order.status).toBe('paid');
  });

  test('names the number a gap waits for, not the first one that is held', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.authorized', 1);
    order.say(PAY, 'payment.captured', 4);
    order.say(PAY, 'payment.failed', 2);
    order.passAndWake(30_000);
    expect(order.attention).toEqual(['gap: version 3 never came']);
  });

  test('lets a cancel overtake a gap, and judges the passed number by its own rule when it comes', () => {
    const order = anOrder({ shop: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    const cancelled = order.say(SHOP, 'order.cancelled', 3);
    expect(order.outcomeOf(cancelled)).toBe('applied');
    expect(order.stream(SHOP).missing).toEqual([['2', '2']]);
    const late = order.say(SHOP, 'payment.captured', 2);
    expect(order.outcomeOf(late)).toBe('review');
    expect(order.attention).toEqual(['review: was captured before the cancel']);
    expect(order.status).toBe('cancelled');
  });

  test('does not let a cancel overtake a gap where its cell is none of a status', () => {
    const order = anOrder({ shop: SEQUENCE, pay: SEQUENCE });
    order.say(PAY, 'payment.captured', 1);
    order.say(PAY, 'order.shipped', 2);
    const cancelled = order.say(SHOP, 'order.cancelled', 2);
    expect(order.outcomeOf(cancelled)).toBe('held');
    expect(order.status).toBe('shipped');
  });

  test('counts an event nobody wants, and one the machine does not know, so that they open no gap', () => {
    const order = anOrder({ shop: SEQUENCE });
    const unwanted = order.say(SHOP, null, 1);
    const unknown = order.say(SHOP, 'order.confirmed', 2);
    order.say(SHOP, 'order.created', 3);
    expect(order.outcomeOf(unwanted)).toBe('archived');
    expect([order.outcomeOf(unknown), order.reasonOf(unknown)]).toEqual(['ignored', 'not_in_machine']);
    expect(order.status).toBe('awaiting_payment');
  });

  test('an ignored event counts as applied here: the next one is next', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.captured', 1);
    const authorized = order.say(PAY, 'payment.authorized', 2);
    order.say(PAY, 'payment.refunded', 3);
    expect(order.outcomeOf(authorized)).toBe('ignored');
    expect(order.status).toBe('refunded');
  });

  test('refuses a time as a version, visibly, and goes on with the next event', () => {
    const order = anOrder({ shop: { ...SEQUENCE, first: 'any' } });
    const odd = order.say(SHOP, 'order.created', '2026-01-01T00:00:00Z');
    expect(order.outcomeOf(odd)).toBe('failed');
    expect(order.attention[0]).toMatch(/^review: decision failed: a sequence counts by whole numbers/);
    order.say(SHOP, 'order.created', 7);
    order.passAndWake(30_000);
    expect(order.status).toBe('awaiting_payment');
  });
});

describe('below and at the version', () => {
  test('the same news under another id is stale, without late rule or effect', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.captured', 1);
    const again = order.say(PAY, 'payment.captured', 1);
    expect(order.outcomeOf(again)).toBe('stale');
    order.say(PAY, null, 2);
    order.say(SHOP, 'order.cancelled', 1);
    const twin = order.say(PAY, 'payment.captured', 1, { twin: true });
    expect(order.outcomeOf(twin)).toBe('stale');
    expect(order.attention).toEqual([]);
  });

  test('other news at an applied version is a tie: the provider is asked, neither wins by arrival', () => {
    const order = anOrder();
    order.say(PAY, 'payment.captured', 1);
    const other = order.say(PAY, 'payment.failed', 1);
    expect(order.outcomeOf(other)).toBe('held');
    expect(order.asking).toEqual([PAY]);
    order.answer(PAY, 'payment.captured', 1);
    expect(order.outcomeOf(other)).toBe('superseded');
    expect(order.status).toBe('paid');
  });

  test('a tie that nobody can be asked about is a person’s, and holds what comes after it', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.captured', 1);
    const other = order.say(PAY, 'payment.failed', 1);
    const after = order.say(PAY, 'payment.refunded', 2);
    expect(order.outcomeOf(other)).toBe('review');
    expect(order.attention).toEqual(['review: two contents of version 1']);
    expect(order.outcomeOf(after)).toBe('held');
    expect(order.resolve(PAY, other, { kind: 'ignore' })).toBeNull();
    expect(order.status).toBe('refunded');
    expect(order.attention).toEqual([]);
  });

  test('two contents of one version that wait for their turn are a tie when it comes', () => {
    const order = anOrder();
    const one = order.say(PAY, 'payment.captured', 2);
    const other = order.say(PAY, 'payment.failed', 2);
    order.say(PAY, 'payment.authorized', 1);
    expect([order.outcomeOf(one), order.outcomeOf(other)]).toEqual(['held', 'held']);
    expect(order.stream(PAY).held.map(({ reason }) => reason)).toEqual(['tie', 'tie']);
    order.answer(PAY, 'payment.captured', 2);
    expect([order.outcomeOf(one), order.outcomeOf(other)]).toEqual(['applied', 'superseded']);
  });

  test('an event whose id came before with other news is a tie at once', () => {
    const order = anOrder();
    order.say(SHOP, 'order.created', 1);
    const conflict = order.say(SHOP, 'order.cancelled', 2, { conflict: true });
    expect(order.stream(SHOP).held[0]?.reason).toBe('tie');
    order.answer(SHOP, 'order.created', 2);
    expect(order.outcomeOf(conflict)).toBe('superseded');
    expect(order.status).toBe('awaiting_payment');
  });

  test('what an answer of the same version settled is superseded, not tied', () => {
    const order = anOrder();
    order.say(PAY, 'payment.authorized', 1);
    order.reconcile(PAY);
    order.answer(PAY, 'payment.captured', 2, { facts: { amount: '5' } });
    const event = order.say(PAY, 'payment.captured', 2);
    expect(order.outcomeOf(event)).toBe('superseded');
  });

  test('a version below a sequence’s first is a person’s, and does not stop the ones that count', () => {
    const order = anOrder({ shop: SEQUENCE });
    const zero = order.say(SHOP, 'order.created', 0);
    expect(order.outcomeOf(zero)).toBe('review');
    order.say(SHOP, 'order.created', 1);
    expect(order.status).toBe('awaiting_payment');
    expect(order.attention).toEqual(['review: version 0 lies below the first of its source']);
  });

  test('three new events in a row below the version with later times ask a person whether the count began anew', () => {
    const order = anOrder({ shop: SEQUENCE });
    for (let version = 1; version <= 5; version++)
      order.say(SHOP, 'order.created', version, {
        claimedAt: `2026-01-01T00:00:0${version}Z`,
        facts: { n: `${version}` },
      });
    order.say(SHOP, 'order.created', 1, { claimedAt: '2026-01-02T00:00:01Z', facts: { n: 'a' } });
    order.say(SHOP, 'order.created', 2, { claimedAt: '2026-01-02T00:00:02Z', facts: { n: 'b' } });
    expect(order.attention).toEqual([]);
    const third = order.say(SHOP, 'order.cancelled', 3, { claimedAt: '2026-01-02T00:00:03Z' });
    expect(order.attention).toEqual(['review: version reset?']);
    expect(order.resolve(SHOP, third, { kind: 'rebase' })).toBeNull();
    expect(order.outcomeOf(third)).toBe('applied');
    expect(order.status).toBe('cancelled');
    expect(order.stream(SHOP).version).toBe('3');
    expect(order.attention).toEqual([]);
  });

  test('late events with earlier times are no sign of a new count', () => {
    const order = anOrder({ shop: SEQUENCE });
    order.say(SHOP, 'order.created', 1, { claimedAt: '2026-01-01T00:00:01Z' });
    order.say(SHOP, 'order.cancelled', 5, { claimedAt: '2026-01-01T00:00:05Z' });
    for (const version of [2, 3, 4])
      order.say(SHOP, 'order.expired', version, {
        claimedAt: `2026-01-01T00:00:0${version}Z`,
        facts: { n: `${version}` },
      });
    expect(order.attention).toEqual([]);
  });
});

describe('a stream that may begin anywhere', () => {
  test('is not begun by its first event: the provider is asked', () => {
    const order = anOrder({ pay: { ...ASKABLE, first: 'any' } });
    const captured = order.say(PAY, 'payment.captured', 41);
    expect(order.outcomeOf(captured)).toBe('held');
    expect(order.asking).toEqual([PAY]);
    order.answer(PAY, 'payment.refunded', 42, { facts: { refund: 're_1' }, parts: ['re_1'] });
    expect(order.outcomeOf(captured)).toBe('superseded');
    expect(order.stream(PAY).version).toBe('42');
  });

  test('is begun by its lowest held event when the gap’s time is over and nobody answered', () => {
    const order = anOrder({ pay: { ...SEQUENCE, first: 'any' } });
    order.say(PAY, 'payment.captured', 12);
    order.say(PAY, 'payment.authorized', 11);
    expect(order.status).toBe('new');
    order.passAndWake(30_000);
    expect(order.status).toBe('paid');
    expect(order.attention).toEqual([]);
  });

  test('asks a person about an event below where it began: it was never covered', () => {
    const order = anOrder({ pay: { ...SEQUENCE, first: 'any' } });
    order.say(PAY, 'payment.captured', 12);
    order.passAndWake(30_000);
    const lower = order.say(PAY, 'payment.partially_refunded', 11, { facts: { refund: 're_1' } });
    expect(order.outcomeOf(lower)).toBe('review');
  });
});
