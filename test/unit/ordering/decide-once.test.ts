import { describe, expect, test } from 'vitest';
import { decide, withSources } from '../../../src/ordering/decide.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import type { OrderState } from '../../../src/ordering/state.ts';
import { POLICY } from '../dispatch/policy.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { eventOf, keyOf } from '../dispatch/order-events.ts';

const fresh: OrderState = withSources(freshState(demoMachine, keyOf('1042')), { shop: POLICY });

describe('a row that is delivered twice', () => {
  test('is one event within a batch: the second copy does not make it stale', () => {
    const event = eventOf(1);
    const { outcomes } = decide(demoMachine, fresh, [event, event], 0);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied']);
  });

  test('is one event while it is held: its turn comes once', () => {
    const ahead = eventOf(2, { type: 'payment.captured' });
    const held = decide(demoMachine, fresh, [ahead], 0).state;
    const again = decide(demoMachine, held, [ahead], 1);
    expect(again.outcomes).toEqual([]);
    const { outcomes } = decide(demoMachine, again.state, [eventOf(1)], 2);
    expect(outcomes.map(({ ref, outcome }) => [ref.seq, outcome])).toEqual([
      ['1', 'applied'],
      ['2', 'applied'],
    ]);
  });
});
