import { describe, expect, it } from 'vitest';
import { order } from '../../../machines/order.ts';
import { viewEffects } from '../../../src/operations/effect-view.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { freshState, freshStream } from '../../../src/ordering/fresh-state.ts';
import type { ListedEffect } from '../../../src/store/order-listing.ts';
import { at } from './listed-event.ts';

const compiled = compileMachine(order);
if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
const { machine } = compiled;
const calm = freshState(machine, { machine: 'order', environment: 'live', id: '1' });
const ask = { n: 1, reason: 'gap', since: 0, attempts: 0, retryAt: null, late: false };
const asking = {
  ...calm,
  streams: { 'payments/payment:p1': { ...freshStream('sequence', '1'), ask } },
};

const effect = (name: string, fields: Partial<ListedEffect> = {}): ListedEffect => ({
  ...{ id: '1', name, key: `k/${name}`, state: 'pending', revision: 1, attempts: 0, nextAttemptAt: null },
  ...{ lastAttemptAt: null, error: null, createdAt: at(1), updatedAt: at(2) },
  cause: {
    ...{ source: 'shop', event: 'e1', type: 'payment.captured', object: 'payment:p1', version: '1' },
    claimedAt: null,
  },
  ...fields,
});
const waits = (effects: ListedEffect[], state = calm) =>
  viewEffects(effects, state, machine, Date.parse(at(5))).map(({ waitsFor }) => waitsFor);

describe('an effect for people', () => {
  it('has the time of its end, and waits for nothing from then on', () => {
    for (const state of ['done', 'failed', 'dropped', 'uncertain', 'recorded'])
      expect(viewEffects([effect('fulfil', { state })], asking, machine, 0)).toMatchObject([
        { endedAt: at(2), waitsFor: null },
      ]);
    expect(viewEffects([effect('fulfil')], calm, machine, 0)).toMatchObject([{ endedAt: null }]);
  });

  it('waits for what is asked about its order, if it is sensitive, and says since when', () => {
    expect(waits([effect('fulfil'), effect('sendReceipt')], asking)).toEqual([
      "the provider's answer about payments/payment:p1, asked since 1970-01-01T00:00:00.000Z",
      'a worker',
    ]);
  });

  it('waits for its attempt, the next one, or the effect of its name before it', () => {
    expect(waits([effect('bookRefund', { state: 'running' }), effect('bookRefund')])).toEqual([
      'the end of an attempt that is under way',
      'the bookRefund before it (running)',
    ]);
    expect(waits([effect('fulfil', { nextAttemptAt: at(9) })])).toEqual([`its next attempt at ${at(9)}`]);
    expect(waits([effect('fulfil', { nextAttemptAt: at(4) })])).toEqual(['a worker']);
  });
});
