import { describe, expect, test } from 'vitest';
import { afterRestore } from '../../../src/ordering/after-restore.ts';
import type { OrderEvent } from '../../../src/ordering/state.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { anOrder, event, HINTS, PAY, SEQUENCE, SHOP } from './an-order.ts';

/** An order that knew more than what is stored of it. */
function restored(shop = SEQUENCE, events: OrderEvent[] = []) {
  const order = anOrder({ shop, pay: HINTS });
  order.say(SHOP, 'order.created', 1);
  const stored = order.state;
  order.say(SHOP, 'order.cancelled', 2);
  const known = order.state;
  return { stored, known, after: afterRestore(demoMachine, stored, { state: known, events }, order.now) };
}

describe('an order that goes back to what is stored', () => {
  test('stands where the store has it and says what it knew', () => {
    const { stored, known, after } = restored();
    expect([stored.status, known.status]).toEqual(['awaiting_payment', 'cancelled']);
    expect(after.state.status).toBe('awaiting_payment');
    expect(after.effects).toEqual([]);
    expect(after.journal).toMatchObject([
      { kind: 'alert', reason: 'the store was restored: the order knew itself as cancelled' },
    ]);
  });

  test('asks about every stream of which something is gone', () => {
    const { after, known } = restored({ ...SEQUENCE, api: true });
    expect(after.state.streams[SHOP]?.ask).toMatchObject({ reason: 'restored' });
    expect(after.state.streams[SHOP]?.asks).toBeGreaterThan(known.streams[SHOP]?.asks ?? 0);
    expect(after.state.attention).toEqual([]);
  });

  test('calls a person where nobody can be asked', () => {
    const { after } = restored();
    expect(after.state.attention).toMatchObject([
      {
        kind: 'review',
        stream: SHOP,
        reason: 'the store was restored, and lost what came up to order.cancelled version 2',
      },
      { kind: 'review', stream: null },
    ]);
  });

  test('asks about what it was only told of, and did not know yet', () => {
    const told = event(PAY, 'payment.captured', null);
    const { after } = restored({ ...SEQUENCE, api: true }, [told]);
    expect(after.state.streams[PAY]?.ask).toMatchObject({ reason: 'restored' });
  });

  test('of what is the same as before nothing is said', () => {
    const order = anOrder({ shop: SEQUENCE });
    order.say(SHOP, 'order.created', 1);
    const { state } = order;
    const after = afterRestore(demoMachine, state, { state, events: [] }, order.now);
    expect(after.state).toEqual(state);
  });
});
