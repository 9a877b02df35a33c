import { describe, expect, test } from 'vitest';
import type { LateRule, Machine } from '../../../src/ordering/machine.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { anOrder, ASKABLE, SEQUENCE, SHOP } from './an-order.ts';

/** Cancelled ahead of number 2, which is a capture and has this rule when it comes. */
function lateCapture(rule: LateRule | null, api: boolean) {
  const late: Machine['late'] = rule === null ? {} : { 'payment.captured': { cancelled: rule } };
  const order = anOrder({ shop: api ? ASKABLE : SEQUENCE }, { ...demoMachine, late });
  order.say(SHOP, 'order.created', 1);
  order.say(SHOP, 'order.cancelled', 4);
  return { order, captured: order.say(SHOP, 'payment.captured', 2) };
}

describe('an event that comes late, by its rule', () => {
  test('is recorded as an alert', () => {
    const { order, captured } = lateCapture('alert', true);
    expect([order.outcomeOf(captured), order.reasonOf(captured)]).toEqual([
      'ignored',
      'late, recorded as an alert',
    ]);
    expect(order.journal.at(-1)).toMatchObject({ kind: 'alert', type: 'payment.captured', version: '2' });
    expect([order.asking, order.attention, order.status]).toEqual([[], [], 'cancelled']);
  });

  test('is compensated by effects, and the order stays', () => {
    const { order, captured } = lateCapture({ effects: ['revokeAccess'] }, true);
    expect([order.outcomeOf(captured), order.reasonOf(captured)]).toEqual(['ignored', 'late, compensated']);
    expect(order.effects).toEqual(['releaseStock', 'revokeAccess']);
    expect(order.journal.at(-1)).toMatchObject({ kind: 'stayed', reason: 'late, compensated' });
    expect(order.status).toBe('cancelled');
  });

  test('is asked about, and its number is missing until the answer', () => {
    const { order, captured } = lateCapture('ask', true);
    expect([order.outcomeOf(captured), order.reasonOf(captured)]).toEqual(['held', 'asking']);
    expect(order.asking).toEqual([SHOP]);
    expect(order.stream(SHOP).missing).toEqual([['2', '3']]);
  });

  test('is a person’s where nobody can be asked', () => {
    const { order, captured } = lateCapture('ask', false);
    expect([order.outcomeOf(captured), order.reasonOf(captured)]).toEqual([
      'review',
      'late, and nobody can be asked',
    ]);
  });

  test('is missing no more once it is settled, by whatever rule', () => {
    expect(lateCapture('ignore', true).order.stream(SHOP).missing).toEqual([['3', '3']]);
    expect(lateCapture({ review: 'why' }, true).order.stream(SHOP).missing).toEqual([['3', '3']]);
  });
});

describe('below the version of a sequence', () => {
  test('only what was passed over is asked about; the rest is covered', () => {
    const { order } = lateCapture(null, true);
    expect(order.asking).toEqual([SHOP]);
    const other = anOrder({ shop: ASKABLE }, { ...demoMachine, late: {} });
    other.say(SHOP, 'order.created', 1);
    other.say(SHOP, null, 2);
    other.say(SHOP, 'order.cancelled', 5);
    const covered = other.say(SHOP, 'payment.captured', 2);
    expect([other.outcomeOf(covered), other.asking]).toEqual(['superseded', []]);
  });

  test('what nobody wants closes its number and is kept as what it is', () => {
    const { order } = lateCapture('ignore', true);
    const unknown = order.say(SHOP, 'order.confirmed', 3);
    expect([order.outcomeOf(unknown), order.reasonOf(unknown)]).toEqual(['ignored', 'not_in_machine']);
    expect(order.stream(SHOP).missing).toEqual([]);
    const unwanted = order.say(SHOP, null, 3);
    expect([order.outcomeOf(unwanted), order.reasonOf(unwanted)]).toEqual(['archived', 'type not wanted']);
  });
});

test('a cancel does not overtake a gap when other news waits under its own number', () => {
  const order = anOrder({ shop: SEQUENCE });
  order.say(SHOP, 'order.created', 1);
  order.say(SHOP, 'payment.failed', 3);
  const cancelled = order.say(SHOP, 'order.cancelled', 3);
  expect([order.outcomeOf(cancelled), order.status]).toEqual(['held', 'awaiting_payment']);
});
