/** The demo's table with one cell that nobody would miss at once, and what the model checker finds about it. */
import { subscription } from '../../../../examples/subscription/machine.ts';
import { order } from '../../../../machines/order.ts';
import { compileMachine } from '../../../../src/ordering/compile-machine.ts';
import { proveContract } from '../../../../src/ordering/check/prove-contract.ts';
import type { CounterexampleStory } from '../../../../src/ordering/check/tell.ts';
import type { Machine, MachineDefinition } from '../../../../src/ordering/machine.ts';

const row = order.on['order.cancelled'];

/** Cancelled after a failed payment, the order is taken for shipped. */
export const brokenTable: MachineDefinition = {
  ...order,
  on: { ...order.on, 'order.cancelled': { ...row, payment_failed: 'shipped' } },
};

/** In words of its own, and taken for paused where it was cancelled. */
export const brokenSubscription: MachineDefinition = {
  ...subscription,
  on: {
    ...subscription.on,
    'subscription.cancelled': { ...subscription.on['subscription.cancelled'], active: 'paused' },
  },
};

export function whatIsFound(
  table = brokenTable,
  single = 3,
): { found: CounterexampleStory; machine: Machine } {
  const compiled = compileMachine(table);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  const { machine } = compiled;
  const bounds = { single, several: 2, worlds: 100_000 };
  const proof = proveContract(machine, { contract: 'sequence', api: false }, bounds);
  if (proof.ok || proof.story === null) throw new Error('nothing was found');
  return { found: proof.story, machine };
}
