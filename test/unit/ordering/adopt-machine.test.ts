import { describe, expect, test } from 'vitest';
import { adoptMachine } from '../../../src/ordering/adopt-machine.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { anOrder, ASKABLE, MONOTONIC, PAY, SEQUENCE, SHOP } from './an-order.ts';

/** The demo's machine one version on, changed. */
const next = (changes: Partial<Machine>, version = 2): Machine => ({ ...demoMachine, ...changes, version });

function without(status: string, renamed: Record<string, string> = {}): Machine {
  const { [status]: policy, ...statuses } = demoMachine.statuses;
  const news = Object.fromEntries(Object.values(renamed).map((name) => [name, policy ?? { effects: [] }]));
  return next({ statuses: { ...statuses, ...news }, renamed });
}

function anOrderAwaitingPayment() {
  const order = anOrder({ shop: SEQUENCE, pay: MONOTONIC });
  order.say(SHOP, 'order.created', 1);
  return order;
}

describe('a new version of the machine under an open order', () => {
  test('leaves what was decided, and is journalled with both versions', () => {
    const { state, now } = anOrderAwaitingPayment();
    const decision = adoptMachine(next({}), state, now + 5);
    expect(decision.state).toEqual({ ...state, machineVersion: 2 });
    expect(decision.journal).toEqual([
      expect.objectContaining({ kind: 'machine', reason: 'version 1 to 2', from: 'awaiting_payment' }),
    ]);
    expect([decision.effects, decision.outcomes]).toEqual([[], []]);
  });

  test('calls the status by its new name, keeps the deadline that runs, and asks for no effect again', () => {
    const { state, now } = anOrderAwaitingPayment();
    const decision = adoptMachine(
      without('awaiting_payment', { awaiting_payment: 'unpaid' }),
      state,
      now + 5,
    );
    expect(decision.state).toMatchObject({ status: 'unpaid', deadline: state.deadline, attention: [] });
    expect(decision.state.deadline).not.toBeNull();
    expect(decision.effects).toEqual([]);
  });

  test('judges what had waited for a cell anew', () => {
    const order = anOrder({ shop: { ...SEQUENCE, ...ASKABLE }, pay: MONOTONIC });
    order.say(SHOP, 'order.created', 1);
    const shipped = order.say(SHOP, 'order.shipped', 2);
    expect(order.outcomeOf(shipped)).toBe('held');
    const row = { ...demoMachine.on['order.shipped'], awaiting_payment: 'shipped' };
    const decision = adoptMachine(
      next({ on: { ...demoMachine.on, 'order.shipped': row } }),
      order.state,
      order.now,
    );
    expect(decision.state.status).toBe('shipped');
    expect(decision.outcomes).toEqual([expect.objectContaining({ outcome: 'applied', to: 'shipped' })]);
  });

  test('that lacks its status makes it a person’s, until a version knows the status', () => {
    const { state, now } = anOrderAwaitingPayment();
    const lost = adoptMachine(without('awaiting_payment'), state, now).state;
    expect(lost.status).toBe('awaiting_payment');
    expect(lost.attention).toEqual([
      {
        kind: 'review',
        stream: null,
        since: now,
        reason:
          'version 2 of the machine has no status awaiting_payment, in which this order stands: enter a version that has it, or that says what it is called now',
      },
    ]);
    const again = adoptMachine({ ...without('awaiting_payment'), version: 3 }, lost, now + 1).state;
    expect(again.attention.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^version 3 of/)]);
    expect(adoptMachine(next({}, 4), again, now + 2).state.attention).toEqual([]);
  });

  test('keeps the other notices of the order', () => {
    const order = anOrderAwaitingPayment();
    order.say(PAY, 'payment.captured', 5);
    const notice = { kind: 'conflict' as const, stream: null, since: 1, reason: 'two runs write this order' };
    const decision = adoptMachine(next({}), { ...order.state, notices: [notice] }, order.now);
    expect(decision.state.notices).toEqual([notice]);
  });
});
