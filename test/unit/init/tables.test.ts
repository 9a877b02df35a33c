import { describe, expect, test } from 'vitest';
import { order as anyOrder } from '../../../src/init/templates/any-order/order.ts';
import { order as stripeOrder } from '../../../src/init/templates/stripe/order.ts';
import { proveContract } from '../../../src/ordering/check/prove-contract.ts';
import type { Proof } from '../../../src/ordering/check/prove-contract.ts';
import { linesOf } from '../../../src/ordering/check/tell.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import type { Machine, MachineDefinition } from '../../../src/ordering/machine.ts';

function compiled(definition: MachineDefinition): Machine {
  const result = compileMachine(definition);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.machine;
}

const saidOf = (proof: Proof): string =>
  proof.ok ? 'ok' : proof.story === null ? 'too large' : linesOf(proof.story).join('\n');

describe('the table for Stripe, whose events are hints', () => {
  const machine = compiled(stripeOrder);
  const promises = { contract: 'unordered', api: true } as const;

  test('ends in one status whatever arrives first, and no pair of types needs a person', () => {
    const proof = proveContract(machine, promises);
    expect(saidOf(proof)).toBe('ok');
    expect(proof.pairs).toEqual([]);
  }, 120_000);
});

describe('the table for events in any order, of which nobody can be asked', () => {
  test('ends in one status whatever arrives first, or a person is asked', () => {
    const promises = { contract: 'unordered', api: false } as const;
    const proof = proveContract(compiled(anyOrder), promises);
    expect(saidOf(proof)).toBe('ok');
    expect(proof.asked / proof.endings).toBeLessThan(0.4);
    // Which of the two was first, or whether it is one payment, only the provider knows.
    expect(proof.pairs).toEqual([
      ['payment.authorized', 'payment.cancelled'],
      ['order.shipped', 'payment.partially_refunded'],
      ['payment.captured', 'payment.refunded'],
      ['payment.partially_refunded', 'payment.refunded'],
    ]);
  }, 120_000);
});
