import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Model } from '../../../src/ordering/check/model.ts';
import { anOrder, DISPUTE, HINTS, PAY, SEQUENCE, SHOP } from './an-order.ts';
import { play } from './play.ts';
import { modelOf, tellings } from './stories.ts';

const START = '2026-06-01T00:00:00Z';
const BEFORE = '2026-05-01T00:00:00Z';
const AFTER = '2026-07-01T00:00:00Z';
const since = { existingBefore: START };
const old = { createdAt: BEFORE, claimedAt: AFTER };

describe('an order that is older than inorder', () => {
  test('gets its status, and what its statuses ask for once per order is written down only', () => {
    const order = anOrder({ pay: { ...SEQUENCE, ...since } });
    order.say(PAY, 'payment.captured', 1, old);
    expect(order.status).toBe('paid');
    expect(order.state.adopted).toBe(START);
    expect(order.effects).toEqual(['fulfil', 'sendReceipt']);
    expect(order.running).toEqual([]);
    expect(order.journal[0]).toMatchObject({ kind: 'adopted', to: 'new' });
  });

  test('is known by the first event of an object that was there before, or that says it is from before', () => {
    for (const more of [old, { claimedAt: BEFORE }]) {
      const order = anOrder({ pay: { ...HINTS, ...since } });
      order.say(PAY, 'payment.captured', null, more);
      expect(order.state.adopted).toBe(START);
    }
    const young = anOrder({ pay: { ...HINTS, ...since } });
    young.say(PAY, 'payment.captured', null, { createdAt: AFTER, claimedAt: AFTER });
    young.answer(PAY, 'payment.captured', null, { createdAt: AFTER });
    expect(young.state.adopted).toBeUndefined();
    expect(young.running).toEqual(['fulfil order', 'sendReceipt order']);
  });

  test('is known by the first answer, too: a new refund of an old payment is booked, the old one is not', () => {
    const order = anOrder({ pay: { ...HINTS, ...since } });
    const refund = { facts: { refund: 're_2' }, claimedAt: AFTER, createdAt: AFTER };
    order.say(PAY, 'payment.refunded', null, refund);
    order.answer(PAY, 'payment.refunded', null, {
      facts: { refund: 're_2' },
      createdAt: BEFORE,
      parts: [
        { refund: 're_1', createdAt: BEFORE },
        { refund: 're_2', createdAt: AFTER },
      ],
    });
    expect(order.status).toBe('refunded');
    expect(order.running).toEqual(['bookRefund re_2']);
    expect(order.effects).toContain('bookRefund re_1');
  });

  test('runs what comes of it later, counted by what happened', () => {
    const order = anOrder({ pay: { ...SEQUENCE, ...since } });
    order.say(PAY, 'payment.captured', 1, old);
    order.say(PAY, 'payment.partially_refunded', 2, { facts: { refund: 're_0' }, claimedAt: BEFORE });
    order.say(PAY, 'payment.partially_refunded', 3, { facts: { refund: 're_1' }, claimedAt: AFTER });
    order.say(PAY, 'payment.partially_refunded', 4, { facts: { refund: 're_2' } });
    order.say(DISPUTE, 'dispute.opened', 1, { facts: { dispute: 'd' }, claimedAt: AFTER });
    expect(order.status).toBe('disputed');
    expect(order.running.map((effect) => effect.split(' ')[0])).toEqual(['bookRefund', 'alertFinance']);
    expect(order.running[0]).toBe('bookRefund re_1');
  });

  test('is none any more once it has moved: an old object that is heard of later changes nothing', () => {
    const order = anOrder({ pay: { ...SEQUENCE, ...since } });
    order.say(SHOP, 'order.created', 1, { claimedAt: AFTER });
    order.say(PAY, 'payment.captured', 1, old);
    expect(order.state.adopted).toBeUndefined();
    expect(order.running).toEqual(['fulfil order', 'sendReceipt order']);
  });
});

/** The same model, whose sources adopt what is older than the instant. */
const adopting = <M extends Model>(model: M, existingBefore: string): M => ({
  ...model,
  sources: Object.fromEntries(
    Object.entries(model.sources).map(([name, policy]) => [name, { ...policy, existingBefore }]),
  ),
});

const plays = fc.record({
  copies: fc.array(fc.constantFrom(0, 1, 1, 2, 3, 4), { minLength: 7, maxLength: 7 }),
  choices: fc.array(fc.nat(59), { maxLength: 40 }),
  hasPerson: fc.constant(false),
});

test('whatever happens, adoption changes no status and no outcome; what is from before or unknown never runs', () => {
  fc.assert(
    fc.property(tellings(true), plays, fc.integer({ min: 0, max: 9 }), (telling, chance, second) => {
      const model = modelOf(telling);
      const before = `2026-01-01T00:00:0${second}Z`;
      const plain = play(model, chance, () => {}).world;
      const adopted = play(adopting(model, before), chance, () => {}).world;
      const { adopted: instant, sources: _, ...state } = adopted.state;
      const { sources: __, ...expected } = plain.state;
      expect(state).toEqual(expected);
      expect(adopted.outcomes).toEqual(plain.outcomes);
      expect(Object.keys(adopted.effects)).toEqual(Object.keys(plain.effects));
      for (const { name, cause, mode } of Object.values(adopted.effects)) {
        if (instant === undefined) expect(mode).toBe('run');
        else if (model.machine.effects[name]?.once === 'order') expect(mode).toBe('record');
        else if (cause.event !== null && cause.claimedAt !== null)
          expect(mode).toBe(cause.claimedAt < before ? 'record' : 'run');
      }
    }),
    { numRuns: 600 },
  );
});
