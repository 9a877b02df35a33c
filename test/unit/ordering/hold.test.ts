import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/ordering/decide.ts';
import { MAX_HELD } from '../../../src/ordering/room.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { anOrder, event, HINTS, MONOTONIC, PAY, PAY2, SEQUENCE, SHOP } from './an-order.ts';

describe('holding', () => {
  test('a reviewed event holds the later ones of its stream, and another stream goes on', () => {
    const order = anOrder({ shop: SEQUENCE, pay: SEQUENCE });
    order.say(SHOP, 'order.cancelled', 1);
    const captured = order.say(PAY, 'payment.captured', 1);
    const refunded = order.say(PAY, 'payment.refunded', 2, { facts: { refund: 're_1' } });
    expect([order.outcomeOf(captured), order.outcomeOf(refunded)]).toEqual(['review', 'held']);
    const other = order.say(PAY2, 'payment.failed', 1);
    expect(order.outcomeOf(other)).toBe('ignored');
    order.resolve(PAY, captured, { kind: 'ignore' });
    expect(order.outcomeOf(refunded)).toBe('applied');
  });

  test('an event without a cell is asked about, and goes on by itself if the order moves where it has one', () => {
    const order = anOrder({ shop: SEQUENCE });
    const refunded = order.say(PAY2, 'payment.refunded', 1, { facts: { refund: 're_1' } });
    expect(order.outcomeOf(refunded)).toBe('held');
    expect(order.asking).toEqual([PAY2]);
    order.say(PAY, 'payment.captured', 1);
    expect([order.outcomeOf(refunded), order.status]).toEqual(['ignored', 'paid']);
    expect(order.effects).toContain('bookRefund re_1');
  });

  test('says anew why an event waits when what is before it changes', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.captured', 1);
    order.say(PAY, 'payment.failed', 1);
    order.say(PAY, 'payment.refunded', 3, { facts: { refund: 're_1' } });
    expect(order.stream(PAY).held.map(({ reason }) => reason)).toEqual(['review', 'gap']);
    order.say(PAY, 'payment.authorized', 2);
    expect(order.stream(PAY).held.map(({ reason }) => reason)).toEqual(['review', 'review', 'review']);
  });

  test('a gap that opens later has its own time', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.authorized', 2);
    order.say(PAY, 'payment.captured', 4);
    order.pass(20_000);
    order.say(PAY, 'payment.failed', 1);
    expect(order.dueAt).toBe(order.now + 10_000);
    order.passAndWake(10_000);
    expect(order.attention).toEqual(['gap: version 3 never came']);
  });

  test('an event that is held already is no second one, alone or in a batch', () => {
    const order = anOrder({ pay: HINTS });
    const captured = order.say(PAY, 'payment.captured', null);
    const { outcomes } = order.hear(captured, captured);
    expect(outcomes).toEqual([]);
    expect(order.stream(PAY).held).toHaveLength(1);
  });

  test('a row number that another store used before does not make another event the held one', () => {
    const order = anOrder({ pay: HINTS });
    const captured = order.say(PAY, 'payment.captured', null);
    const other = { ...event(PAY, 'payment.captured', null), seq: captured.seq };
    expect(order.hear(other).outcomes).toHaveLength(1);
  });

  test('the same news under another id is stale while the first one is held', () => {
    const order = anOrder({ pay: SEQUENCE });
    order.say(PAY, 'payment.captured', 2);
    expect(order.outcomeOf(order.say(PAY, 'payment.captured', 2))).toBe('stale');
  });

  test('more than the limit stay untaken in the store, without an outcome, and the missing one still gets in', () => {
    const order = anOrder({ pay: SEQUENCE });
    const many = Array.from({ length: MAX_HELD + 3 }, (_, at) => event(PAY, null, at + 2));
    const { outcomes } = order.hear(...many);
    expect(outcomes).toHaveLength(MAX_HELD);
    expect(order.stream(PAY).held).toHaveLength(MAX_HELD);
    order.say(PAY, 'payment.captured', 1);
    expect(order.stream(PAY).held).toHaveLength(0);
    expect(order.hear(...many.slice(MAX_HELD)).outcomes.map(({ outcome }) => outcome)).toEqual([
      'archived',
      'archived',
      'archived',
    ]);
  });
});

describe('however much waits, the state of an order fits into one payload', () => {
  const MOST_STATE_BYTES = 1_500_000;
  const heavy = (n: number) =>
    Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`fact${at}`, `${n} ${'\u0001'.repeat(250)}`]));
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  test('of events that queue, heavy ones stay untaken sooner, and are judged when they come again', () => {
    const order = anOrder({ pay: SEQUENCE });
    const many = Array.from({ length: 100 }, (_, at) => event(PAY, null, at + 2, { facts: heavy(at) }));
    order.hear(...many);
    const held = order.stream(PAY).held.length;
    expect(held).toBeLessThan(100);
    expect(bytesOf(order.state)).toBeLessThan(MOST_STATE_BYTES);
    order.say(PAY, 'payment.captured', 1);
    order.hear(...many.slice(held));
    expect(order.stream(PAY)).toMatchObject({ version: '101', held: [] });
  });

  test('of hints whose provider is away, the first ones wait and the others stay untaken', () => {
    const order = anOrder({ pay: HINTS });
    const hint = (n: number) => event(PAY, 'payment.captured', null, { facts: { amount: String(n) } });
    const hints = Array.from({ length: MAX_HELD + 50 }, (_, n) => hint(n));
    for (const said of hints) order.hear(said);
    expect(order.stream(PAY).held).toHaveLength(MAX_HELD);
    expect(order.outcomeOf(hints.at(-1) as (typeof hints)[number])).toBeUndefined();
    expect(order.asking).toEqual([PAY]);
    expect(bytesOf(order.state)).toBeLessThan(MOST_STATE_BYTES);
  });

  test('of what is for a person, too much fails in sight: what comes after it must not go on', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 1);
    for (let n = 0; n < 100; n++) order.say(PAY, 'payment.captured', 1, { facts: heavy(n) });
    expect(bytesOf(order.state)).toBeLessThan(MOST_STATE_BYTES);
    expect(order.attention.at(0)).toMatch(/^review: decision failed: more waits than an order can hold/);
  });

  test('of objects that it never heard of before, those beyond the limit fail in sight, and the known ones go on', () => {
    const order = anOrder({ pay: { ...SEQUENCE, first: '1' } });
    for (let n = 0; n < 1_000; n++) order.say(`pay/payment:x${n}`, 'payment.failed', 1);
    const beyond = order.say(PAY, 'payment.failed', 1);
    const known = order.say('pay/payment:x7', 'payment.failed', 2);
    expect([order.outcomeOf(beyond), order.outcomeOf(known)]).toEqual(['failed', 'ignored']);
    expect(order.attention).toEqual([
      'review: decision failed: the order has more objects than it can know of',
    ]);
    expect(bytesOf(order.state)).toBeLessThan(MOST_STATE_BYTES);
  });

  test('of what fails, a person is shown a hundred at most', () => {
    const order = anOrder({ shop: SEQUENCE, pay: SEQUENCE });
    for (let n = 0; n < 300; n++) order.say(`pay/payment:x${n}`, 'payment.captured', '2026-01-01T00:00:00Z');
    expect(order.attention).toHaveLength(100);
  });
});

test('a decision never changes the state it was given', () => {
  const order = anOrder({ pay: SEQUENCE });
  order.say(PAY, 'payment.captured', 2);
  const before = structuredClone(order.state);
  decide(
    demoMachine,
    order.state,
    [event(PAY, 'payment.authorized', 1), event(SHOP, 'order.cancelled', 1)],
    5,
  );
  expect(order.state).toEqual(before);
});

test('an event whose decision throws fails visibly, and the others of its batch go on', () => {
  const order = anOrder({ shop: SEQUENCE, pay: SEQUENCE });
  const broken = event(PAY, 'payment.captured', '2026-01-01T00:00:00Z');
  const sound = event(SHOP, 'order.created', 1);
  order.hear(broken, sound);
  expect([order.outcomeOf(broken), order.outcomeOf(sound)]).toEqual(['failed', 'applied']);
  expect(order.status).toBe('awaiting_payment');
  expect(order.attention[0]).toMatch(/^review: decision failed/);
});

test('what waited below the number from which a person lets a stream go on is judged, and what waited above follows', () => {
  const order = anOrder({ pay: SEQUENCE });
  const third = order.say(PAY, 'payment.failed', 3);
  const fourth = order.say(PAY, 'payment.authorized', 4);
  const sixth = order.say(PAY, 'payment.captured', 6);
  const seventh = order.say(PAY, 'payment.refunded', 7);
  order.passAndWake(30_000);
  expect(order.resolve(PAY, sixth, { kind: 'rebase' })).toBeNull();
  expect([third, fourth, sixth, seventh].map(order.outcomeOf)).toEqual([
    'superseded',
    'superseded',
    'applied',
    'applied',
  ]);
  expect([order.status, order.stream(PAY).held]).toEqual(['refunded', []]);
});

test('other news under the number from which a person lets a stream go on waits no more: it is theirs, too', () => {
  const order = anOrder({ pay: SEQUENCE });
  const captured = order.say(PAY, 'payment.captured', 6);
  const authorized = order.say(PAY, 'payment.authorized', 6);
  order.passAndWake(30_000);
  expect(order.resolve(PAY, captured, { kind: 'rebase' })).toBeNull();
  expect([captured, authorized].map(order.outcomeOf)).toEqual(['applied', 'review']);
});
