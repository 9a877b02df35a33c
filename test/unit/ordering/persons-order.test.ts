import { describe, expect, test } from 'vitest';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import { orderEffect, orderLink } from '../../../src/ordering/persons-order.ts';
import { noteEffects } from '../../../src/ordering/trouble.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';

const state = freshState(demoMachine, { machine: 'order', environment: 'test', id: '1' });

describe('a person’s orders', () => {
  test('about an effect: its trouble goes with its attention, and the journal says what, who and why', () => {
    const ends = ['a', 'b'].map((key) => ({ key, name: 'fulfil', trouble: 'uncertain: no answer' }));
    const troubled = noteEffects(demoMachine, state, ends, 5).state;
    expect(troubled.attention).toHaveLength(2);
    const word = { key: 'a', action: 'confirm', seen: 'uncertain', by: 'ada: the shop has it' } as const;
    const decision = orderEffect(demoMachine, troubled, word, 6);
    expect(Object.keys(decision.state.troubles)).toEqual(['b']);
    expect(decision.state.attention).toHaveLength(1);
    expect(decision.journal).toMatchObject([
      { kind: 'effect', reason: 'confirmed a, ada: the shop has it (fulfil was uncertain: no answer)' },
    ]);
    expect(decision.person).toEqual({ kind: 'effect', ...word });
    expect(Object.keys(troubled.troubles)).toEqual(['a', 'b']);
  });

  test('about an event: the journal names it', () => {
    const event = { seq: '7', source: 'pay', event: 'evt_7' };
    const decision = orderLink(
      demoMachine,
      state,
      { event, stream: 'pay/payment:1', by: 'ada: by phone' },
      6,
    );
    expect(decision.journal).toMatchObject([
      { kind: 'linked', stream: 'pay/payment:1', cause: event, reason: 'ada: by phone' },
    ]);
    expect(decision.state.attention).toEqual([]);
  });
});
