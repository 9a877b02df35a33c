import { describe, expect, test } from 'vitest';
import { anOrder, DISPUTE, MONOTONIC, PAY, SHOP } from './an-order.ts';

const ASKED = { ...MONOTONIC, api: true };

describe('a monotonic stream', () => {
  test('steps by any higher version, with no gap between', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.authorized', 10);
    order.say(PAY, 'payment.captured', 500);
    expect(order.status).toBe('paid');
    expect(order.dueAt).toBeNull();
  });

  test('asks the provider about a lower one that no answer covers', () => {
    const order = anOrder({ pay: ASKED });
    order.say(PAY, 'payment.captured', 20);
    const late = order.say(PAY, 'payment.partially_refunded', 10, { facts: { refund: 're_1' } });
    expect(order.outcomeOf(late)).toBe('held');
    order.answer(PAY, 'payment.captured', 20);
    expect(order.outcomeOf(late)).toBe('superseded');
    expect(order.status).toBe('paid');
  });

  test('gives a lower one to a person where nobody can be asked', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 20);
    const late = order.say(PAY, 'payment.partially_refunded', 10, { facts: { refund: 're_1' } });
    expect(order.outcomeOf(late)).toBe('review');
    expect(order.status).toBe('paid');
  });

  test('supersedes a lower one that an answer at or above it covers', () => {
    const order = anOrder({ pay: ASKED });
    order.say(PAY, 'payment.authorized', 10);
    order.reconcile(PAY);
    order.answer(PAY, 'payment.captured', 40);
    const late = order.say(PAY, 'payment.partially_refunded', 30, { facts: { refund: 're_1' } });
    expect(order.outcomeOf(late)).toBe('superseded');
    expect(order.effects).toContain('bookRefund re_1');
    expect(order.status).toBe('paid');
  });

  test('supersedes a lower one whose cell is an ignore', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 20);
    expect(order.outcomeOf(order.say(PAY, 'payment.authorized', 10))).toBe('superseded');
  });

  test('an ignored event does not move the version: a lower one still steps, and the ignored is judged again', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(SHOP, 'order.created', 1);
    const opened = order.say(PAY, 'dispute.opened', 30);
    expect(order.outcomeOf(opened)).toBe('ignored');
    expect(order.stream(PAY).version).toBeNull();
    const captured = order.say(PAY, 'payment.captured', 20);
    expect(order.outcomeOf(captured)).toBe('applied');
    expect(order.status).toBe('disputed');
    expect(order.stream(PAY).version).toBe('30');
    expect(order.journal.at(-1)).toMatchObject({ kind: 'rejudged', from: 'paid', to: 'disputed' });
  });

  test('the same news as an ignored one is stale, other news at its version a tie', () => {
    const order = anOrder({ pay: ASKED });
    order.say(PAY, 'dispute.opened', 30);
    expect(order.outcomeOf(order.say(PAY, 'dispute.opened', 30))).toBe('stale');
    expect(order.outcomeOf(order.say(PAY, 'dispute.lost', 30))).toBe('held');
    expect(order.asking).toEqual([PAY]);
  });

  test('a held event holds the later ones of its stream, lower ones still step, other streams go on', () => {
    const order = anOrder({ pay: MONOTONIC, shop: MONOTONIC });
    const refunded = order.say(PAY, 'payment.refunded', 30, { facts: { refund: 're_1' } });
    const failed = order.say(PAY, 'refund.failed', 40, { facts: { refund: 're_1' } });
    expect([order.outcomeOf(refunded), order.outcomeOf(failed)]).toEqual(['held', 'held']);
    order.say(SHOP, 'order.created', 1);
    expect(order.status).toBe('awaiting_payment');
    order.say(PAY, 'payment.captured', 20);
    expect([order.outcomeOf(refunded), order.outcomeOf(failed)]).toEqual(['applied', 'applied']);
    expect(order.status).toBe('paid');
  });

  test('compares instants to the last digit, whatever their zone was', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', '2026-01-01T00:00:00.123456789Z');
    expect(order.outcomeOf(order.say(PAY, 'payment.authorized', '2026-01-01T00:00:00.123456788Z'))).toBe(
      'superseded',
    );
    order.say(PAY, 'payment.refunded', '2026-01-01T00:00:00.12345679Z');
    expect(order.status).toBe('refunded');
  });

  test('versions of two kinds have no order: the second kind fails visibly and is not kept', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.refunded', '2026-01-01T00:00:00Z');
    const odd = order.say(PAY, 'payment.captured', 7);
    expect(order.outcomeOf(odd)).toBe('failed');
    expect(order.stream(PAY).held).toHaveLength(1);
    expect(order.attention[0]).toMatch(/versions of two kinds/);
  });

  test('compares nothing between streams: a low version of one is not late for another', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 900);
    const opened = order.say(DISPUTE, 'dispute.opened', 1);
    expect(order.outcomeOf(opened)).toBe('applied');
    expect(order.status).toBe('disputed');
  });

  test('asks about a lower one that lies above what an answer covers', () => {
    const order = anOrder({ pay: { ...MONOTONIC, api: true } });
    order.say(PAY, 'payment.refunded', 10);
    order.answer(PAY, 'payment.captured', 10);
    order.say(PAY, 'payment.refunded', 30, { facts: { refund: 're_1' } });
    const between = order.say(PAY, 'dispute.lost', 20);
    expect([order.status, order.outcomeOf(between)]).toEqual(['refunded', 'held']);
    expect(order.asking).toEqual([PAY]);
  });

  test('goes on with what waited behind its first event, once a person has ignored that', () => {
    const order = anOrder({ pay: MONOTONIC });
    const refunded = order.say(PAY, 'payment.refunded', 10);
    const authorized = order.say(PAY, 'payment.authorized', 20);
    expect([order.outcomeOf(refunded), order.outcomeOf(authorized)]).toEqual(['held', 'held']);
    order.passAndWake(86_400_000);
    expect(order.resolve(PAY, refunded, { kind: 'ignore' })).toBeNull();
    expect([order.status, order.outcomeOf(authorized)]).toEqual(['authorized', 'applied']);
  });

  test('refuses a version of another kind than one that is only held', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.refunded', 10);
    const odd = order.say(PAY, 'payment.authorized', '2026-01-01T00:00:00Z');
    expect(order.outcomeOf(odd)).toBe('failed');
    expect(order.stream(PAY).held.length).toBe(1);
  });

  test('the same fact under a higher version than the ignored one is no repeat of it', () => {
    const order = anOrder({ pay: MONOTONIC });
    order.say(PAY, 'payment.captured', 10);
    order.say(PAY, 'payment.authorized', 20);
    const again = order.say(PAY, 'payment.authorized', 30);
    expect(order.outcomeOf(again)).toBe('ignored');
  });
});
