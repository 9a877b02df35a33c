import { order } from '../../../machines/order.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import type { Machine } from '../../../src/ordering/machine.ts';

function compiled(): Machine {
  const result = compileMachine(order);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.machine;
}

/** The demo's table, as it is entered into the store. */
export const demoMachine = compiled();
