import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { InorderError } from '../../../src/errors.ts';
import { attentionOf } from '../../../src/ordering/attention.ts';
import { decide } from '../../../src/ordering/decide.ts';
import { planOf } from '../../../src/ordering/plan.ts';
import { readState } from '../../../src/ordering/read-state.ts';
import { settle } from '../../../src/ordering/settle.ts';
import { readStoredState } from '../../../src/store/orders.ts';
import { STATE_FORMAT } from '../../../src/ordering/state.ts';
import { wake } from '../../../src/ordering/wake.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { event, factOf, PAY, SHOP } from './an-order.ts';

/**
 * An order as it was stored in format 1: numbers passed over, a review with an event behind it, a tie whose
 * provider was down, an answer under review, a search that failed, an effect in trouble.
 */
const stored = (format: number): unknown =>
  (
    JSON.parse(
      readFileSync(new URL(`../../vectors/states/format-${format}.json`, import.meta.url), 'utf8'),
    ) as { state: unknown }
  ).state;

describe('a state that was stored in format 1', () => {
  const state = readState(stored(1));
  const now = 1_000_000;

  test('is read, and shows what it showed', () => {
    expect(attentionOf(state)).toEqual(state.attention);
    expect(state.attention.map(({ kind }) => kind)).toEqual(['review', 'review', 'effect']);
    expect(planOf(state)).toMatchObject({
      dueAt: 1_000_500,
      asks: [
        { stream: PAY, n: 1 },
        { stream: SHOP, n: 1 },
      ],
      isUncertain: true,
      isOpen: true,
    });
  });

  test('is decided on: late news, the answer that was awaited, and the timers', () => {
    const late = decide(demoMachine, state, [event(SHOP, 'order.expired', 3)], now);
    expect(late.outcomes.map(({ outcome }) => outcome)).toEqual(['superseded']);
    const facts = { refund: 're_1' };
    const snapshot = {
      stream: PAY,
      type: 'payment.refunded',
      version: '9007199254740994',
      payment: 'p1',
      fact: factOf('payment.refunded', facts),
      facts,
      asOf: now,
      parts: [],
    };
    const settled = settle(demoMachine, late.state, { kind: 'snapshot', snapshot }, 1, now);
    expect(settled.state.status).toBe('refunded');
    expect(settled.outcomes.map(({ ref, outcome }) => [ref.event, outcome])).toEqual([
      ['evt_captured', 'superseded'],
      ['evt_refunded', 'applied'],
    ]);
    const woken = wake(demoMachine, settled.state, now + 1_000);
    expect(planOf(woken.state)).toMatchObject({ finds: [{ source: 'shop', n: 2 }] });
  });
});

test('there is a stored state of every format that was ever written', () => {
  for (let format = 1; format <= STATE_FORMAT; format++) expect(readState(stored(format)).v).toBe(format);
});

test('a state of a later release, or none at all, is refused', () => {
  const later = { ...(stored(1) as object), v: STATE_FORMAT + 1 };
  expect(() => readState(later)).toThrow(/stored in format 2, and this release reads up to 1/);
  for (const none of [null, {}, 'state', { v: '1' }, { v: 0 }])
    expect(() => readState(none)).toThrow(/no state of an order/);
});

describe('a damaged state', () => {
  const good = stored(1) as Record<string, unknown>;
  const [stream] = Object.values(good['streams'] as Record<string, Record<string, unknown>>);

  test('is refused by the place that is wrong, whichever field is missing', () => {
    for (const field of Object.keys(good).filter((name) => name !== 'v'))
      expect(() => readState({ ...good, [field]: undefined }), field).toThrow(`state.${field} is not what`);
    for (const field of Object.keys(stream as object)) {
      const damaged = { ...stream, [field]: undefined };
      expect(() => readState({ ...good, streams: { 'a/b': damaged } }), field).toThrow(
        `state.streams.a/b.${field} is not what`,
      );
    }
  });

  test('is refused when versions of one stream could not be compared', () => {
    const damaged = { ...stream, version: '2026-01-01T00:00:00Z', missing: [['2', '3']] };
    expect(() => readState({ ...good, streams: { 'a/b': damaged } })).toThrow('a/b.version');
  });

  test('may have fields that a newer release has added', () => {
    expect(readState({ ...good, later: { any: 'thing' } })).toMatchObject({ later: { any: 'thing' } });
  });

  test('is refused by name where it is stored, whatever its bytes are, and nothing of them is quoted', () => {
    const key = { machine: 'order', environment: 'test', id: '1' };
    for (const bytes of ['', '{"secret', 'null', '{"v":1}', Buffer.from([0x22, 0xff, 0x22])]) {
      const read = () => readStoredState(key, Buffer.from(bytes as string));
      expect(read).toThrow(InorderError);
      expect(read).toThrow(/^The stored state of order 1 cannot be read \((?!.*secret)/);
    }
  });
});
