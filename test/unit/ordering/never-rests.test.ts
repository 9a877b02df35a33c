import { expect, test } from 'vitest';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { defineMachine } from '../../../src/ordering/machine.ts';
import { anOrder, PAY, SHOP } from './an-order.ts';

/** Each of two streams' last words undoes the other one. */
const definition = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: { new: {}, paid: {} },
  effects: {},
  on: {
    'payment.captured': { else: 'paid' },
    'order.cancelled': { else: 'new' },
  },
  stepsBack: ['payment.captured', 'order.cancelled'],
  unlisted: 'ask',
});

function machine() {
  const compiled = compileMachine(definition);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  return compiled.machine;
}

test('a table that never comes to rest stops no order: a person is told, and nothing is due again at once', () => {
  const order = anOrder(
    { shop: { contract: 'sequence', api: false }, pay: { contract: 'sequence', api: false, first: 'any' } },
    machine(),
  );
  order.say(PAY, 'payment.captured', 1);
  order.say(SHOP, 'order.cancelled', 1);
  // The payment's first event counts when its gap is over.
  order.passAndWake(30_000);
  const told = 'review: decision failed: the table never comes to rest from new';
  expect(order.attention).toContain(told);
  expect(order.dueAt).toBeNull();
  expect(order.resolve(null, null, { kind: 'ignore' })).toBeNull();
  expect(order.attention).not.toContain(told);
});
