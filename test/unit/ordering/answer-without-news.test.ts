import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anOrder, DISPUTE, HINTS, PAY, SHOP } from './an-order.ts';

const at = (second: number) => ({ claimedAt: `2026-01-01T00:00:0${second}Z` });

/** The same answer twice: the second time it has stood for the window, which is none. */
function answerTwice(
  order: ReturnType<typeof anOrder>,
  stream: string,
  type: string | null,
  more: Parameters<ReturnType<typeof anOrder>['answer']>[3] = {},
): void {
  order.answer(stream, type, null, more);
  order.passAndWake(0);
  order.answer(stream, type, null, more);
}

describe('an answer that says nothing yet', () => {
  test('closes the hint that asked, when it has stood for a while, and changes nothing', () => {
    const order = anOrder({ pay: HINTS });
    const failed = order.say(PAY, 'payment.failed', null, at(1));
    order.answer(PAY, null, null);
    expect(order.outcomeOf(failed)).toBe('held');
    order.passAndWake(60_000);
    order.answer(PAY, null, null);
    expect(order.outcomeOf(failed)).toBe('superseded');
    expect(order.status).toBe('new');
    expect(order.asking).toEqual([]);
    expect(order.attention).toEqual([]);
    expect(order.stream(PAY)).toMatchObject({
      ask: null,
      candidate: null,
      answer: null,
      word: null,
      fact: null,
    });
  });

  test('ends what a deadline asked of the stream', () => {
    const order = anOrder({ pay: { ...HINTS, lagWindowMs: 1_000 }, shop: { api: false } });
    order.say(SHOP, 'order.created', 1);
    order.say(PAY, null, null);
    order.passAndWake(86_400_000);
    order.answer(PAY, null, null);
    order.passAndWake(1_000);
    order.answer(PAY, null, null);
    expect(order.status).toBe('cancelled');
  });

  test('leaves a hint that came after the request to one more', () => {
    const order = anOrder({ pay: { ...HINTS, lagWindowMs: 0 } });
    order.say(PAY, 'payment.failed', null, at(1));
    order.answer(PAY, null, null);
    order.passAndWake(0);
    const captured = order.say(PAY, 'payment.captured', null, at(2));
    order.answer(PAY, null, null);
    expect(order.outcomeOf(captured)).toBe('held');
    expect(order.asking).toEqual([PAY]);
    order.answer(PAY, 'payment.captured', null);
    expect(order.status).toBe('paid');
  });

  test('books the refunds it lists all the same', () => {
    const order = anOrder({ pay: { ...HINTS, lagWindowMs: 0 } });
    order.say(PAY, 'payment.failed', null, at(1));
    answerTwice(order, PAY, null, { parts: ['re_1'] });
    expect(order.effects).toEqual(['bookRefund re_1']);
  });

  test('never takes a person’s matter from them', () => {
    const order = anOrder({ pay: { ...HINTS, lagWindowMs: 0 } });
    order.say(SHOP, 'order.created', 1);
    order.say(SHOP, 'order.cancelled', 2);
    const captured = order.say(PAY, 'payment.captured', null, at(1));
    order.answer(PAY, 'payment.captured', null);
    order.reconcile(PAY);
    answerTwice(order, PAY, null);
    expect(order.asking).toEqual([]);
    expect(order.outcomeOf(captured)).toBe('review');
    expect(order.attention).toEqual(['review: captured although it was cancelled']);
  });

  test('fills no gap of a sequence: what never came may have said more', () => {
    const order = anOrder({ shop: { api: true, gapTimeoutMs: 1_000 } });
    order.say(SHOP, 'order.created', 1);
    const shipped = order.say(SHOP, 'order.cancelled', 3);
    order.passAndWake(1_000);
    const asks = order.stream(SHOP).asks;
    order.answer(SHOP, null, 4);
    expect(order.outcomeOf(shipped)).toBe('applied');
    expect(order.stream(SHOP).ask).not.toBeNull();
    expect(order.stream(SHOP).missing).toEqual([['2', '2']]);
    order.passAndWake(500);
    expect(order.stream(SHOP).asks).toBe(asks + 1);
  });

  test('of the very next number ends the question, and the number itself is still to come', () => {
    const order = anOrder();
    order.say(SHOP, 'order.created', 1);
    order.reconcile(SHOP);
    order.answer(SHOP, null, 2);
    expect(order.asking).toEqual([]);
    expect(order.stream(SHOP).version).toBe('1');
    expect(order.outcomeOf(order.say(SHOP, 'order.cancelled', 2))).toBe('applied');
  });

  test('that knows of numbers nobody has heard of is no answer yet, and somebody sees it in time', () => {
    const order = anOrder({ shop: { askDeadlineMs: 10_000 } });
    order.say(SHOP, 'order.created', 1);
    order.reconcile(SHOP);
    order.answer(SHOP, null, 3);
    expect(order.stream(SHOP).ask).not.toBeNull();
    order.passAndWake(10_000);
    expect(order.attention).toEqual([expect.stringMatching(/^reconcile: no usable answer/)]);
  });
});

describe('an answer of a type that the machine does not know', () => {
  test('closes a question that nothing waits for', () => {
    const order = anOrder({ pay: { ...HINTS, lagWindowMs: 0 } });
    order.say(DISPUTE, 'dispute.touched', null);
    order.reconcile(DISPUTE);
    answerTwice(order, DISPUTE, 'dispute.touched');
    expect(order.asking).toEqual([]);
    expect(order.stream(DISPUTE).answer).toBeNull();
  });

  test('is held while a hint waits: it may be what the hint has led to', () => {
    const order = anOrder({ pay: { ...HINTS, lagWindowMs: 0, askDeadlineMs: 5_000 } });
    const captured = order.say(PAY, 'payment.captured', null);
    answerTwice(order, PAY, 'payment.garnished');
    expect(order.outcomeOf(captured)).toBe('held');
    order.passAndWake(5_000);
    expect(order.attention).toEqual([
      'review: the table has no way from new to what the provider says (payment.garnished)',
    ]);
  });
});

describe('an answer that knows of the newest hint', () => {
  const refunded = (id: string) => ({ facts: { refund: id } });

  test('is believed at once, though it says something later', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.refunded', null, { ...at(2), ...refunded('re_1') });
    order.answer(PAY, 'payment.captured', null, { parts: ['re_1'] });
    expect(order.status).toBe('paid');
  });

  test('is not believed at once when it knows of one of two that share their time', () => {
    const order = anOrder({ pay: HINTS });
    order.say(PAY, 'payment.refunded', null, { ...at(2), ...refunded('re_1') });
    order.say(PAY, 'payment.refunded', null, { ...at(2), ...refunded('re_2') });
    order.pass(1);
    order.answer(PAY, 'payment.captured', null, { parts: ['re_1'] });
    expect(order.status).toBe('new');
    expect(order.stream(PAY).candidate).not.toBeNull();
    order.passAndWake(60_000);
    order.answer(PAY, 'payment.captured', null, { parts: ['re_1', 're_2'] });
    expect(order.status).toBe('paid');
  });

  test('of hints that no time tells apart is forgotten when they are many', () => {
    const order = anOrder({ pay: HINTS });
    for (let n = 0; n < 40; n++) {
      order.say(PAY, 'payment.refunded', null, refunded(`re_${n}`));
      expect(order.stream(PAY).newest?.facts?.length ?? 0).toBeLessThanOrEqual(16);
    }
    expect(order.stream(PAY).newest?.facts).toBeUndefined();
  });
});

/** A payment that fails, is tried again, is captured and given back in parts; in between nothing can be said of it. */
const lives = fc
  .record({
    tries: fc.integer({ min: 0, max: 2 }),
    refunds: fc.integer({ min: 0, max: 3 }),
    chances: fc.array(fc.nat(99), { minLength: 40, maxLength: 80 }),
  })
  .map(({ tries, refunds, chances }) => {
    const life: { type: string | null; facts: Record<string, string> }[] = [];
    for (let n = 0; n < tries; n++)
      life.push({ type: null, facts: {} }, { type: 'payment.failed', facts: { attempt: `${n}` } });
    life.push({ type: null, facts: {} }, { type: 'payment.captured', facts: {} });
    for (let n = 0; n < refunds; n++)
      life.push({ type: 'payment.partially_refunded', facts: { refund: `re_${n}` } });
    return { life, refunds, chances };
  });

test('whatever is answered in between, and by whatever replica, the payment ends where it is', () => {
  fc.assert(
    fc.property(lives, ({ life, refunds, chances }) => {
      const order = anOrder({ pay: { ...HINTS, lagWindowMs: 1_000 } });
      const waiting: (() => void)[] = [];
      const happened: number[] = [];
      const pick = (below: number) => (chances.shift() ?? 0) % below;
      const answer = (behind: number) => {
        const known = life.slice(0, happened.length - behind);
        const now = known.at(-1);
        if (now === undefined) return order.gone(PAY);
        const parts = known.flatMap(({ facts: { refund } }) => (refund === undefined ? [] : [refund]));
        return order.answer(PAY, now.type, null, { facts: now.facts, parts });
      };
      const step = () => {
        const next = life[happened.length];
        const isAsked = order.asking.includes(PAY);
        const lagging = happened.filter((when) => when > order.now - 1_000).length;
        switch (pick(4)) {
          case 0:
            if (next === undefined) return;
            happened.push(order.now);
            if (next.type !== null) {
              const claimedAt = `2026-01-01T00:00:${String(happened.length).padStart(2, '0')}Z`;
              waiting.push(() => order.say(PAY, next.type, null, { facts: next.facts, claimedAt }));
            }
            return;
          case 1:
            waiting.splice(pick(waiting.length || 1), 1)[0]?.();
            return;
          case 2:
            return isAsked ? void answer(pick(lagging + 1)) : undefined;
          default:
            return order.passAndWake(pick(700));
        }
      };
      while (chances.length > 0) step();
      while (happened.length < life.length) {
        chances.push(0);
        step();
      }
      while (waiting.length > 0) waiting.shift()?.();
      for (let n = 0; n < 20; n++) {
        order.passAndWake(2_000);
        if (order.asking.includes(PAY)) answer(0);
      }
      expect(order.status).toBe(refunds === 0 ? 'paid' : 'partially_refunded');
      expect(order.attention).toEqual([]);
      const booked = order.effects.filter((effect) => effect.startsWith('bookRefund'));
      expect(booked.sort()).toEqual(Array.from({ length: refunds }, (_, n) => `bookRefund re_${n}`));
    }),
    { numRuns: 1_500 },
  );
});
