import { describe, expect, test } from 'vitest';
import { boundsOf, proveContract } from '../../../../src/ordering/check/prove-contract.ts';
import { linesOf } from '../../../../src/ordering/check/tell.ts';
import { compileMachine } from '../../../../src/ordering/compile-machine.ts';
import { ignore, review } from '../../../../src/ordering/machine.ts';
import type { Cell, Machine } from '../../../../src/ordering/machine.ts';
import { demoMachine } from '../../dispatch/demo-machine.ts';

const ALONE = { contract: 'unordered', api: false } as const;

/** Created, captured, refunded; the test says what a capture does after the refund. */
function smallTable(afterRefund: Cell): Machine {
  const compiled = compileMachine({
    name: 'order',
    version: 1,
    initial: 'new',
    statuses: { new: {}, paid: {}, refunded: {} },
    effects: {},
    on: {
      'payment.captured': { new: 'paid', paid: ignore('captured before'), refunded: afterRefund },
      'payment.refunded': { new: 'refunded', paid: 'refunded', refunded: ignore('refunded before') },
    },
  });
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  return compiled.machine;
}

describe('a table for events in any order that nobody can be asked about', () => {
  test('is safe if a later truth stays', () => {
    const proof = proveContract(smallTable(ignore('refunded since')), ALONE);
    expect(proof.ok).toBe(true);
    expect(proof.asked).toBe(0);
  });

  test('is not if the last arrival wins; the shortest story is told', () => {
    const proof = proveContract(smallTable('paid'), ALONE);
    if (proof.ok || proof.story === null) throw new Error('not refused');
    expect(proof.story.summary).toBe(
      'payment.refunded arrives before payment.captured: the order ends paid, the truth is refunded',
    );
    expect(linesOf(proof.story)).toEqual([
      'payment.refunded arrives before payment.captured: the order ends paid, the truth is refunded',
      '  in truth  payment.captured, payment.refunded',
      '  arrives   payment.refunded  new → refunded  (applied)',
      '            payment.captured  refunded → paid  (applied)',
      '  ends      paid: the order is paid and should be refunded',
      "  change    on['payment.refunded'].new leads to refunded, then on['payment.captured'].refunded leads to paid: " +
        'change one of these cells so that every order of arrival leads to refunded, ' +
        "or write review('…') where it cannot be known; or let the provider be asked (an API key)",
    ]);
  });

  test('may ask a person; which pairs of types do is listed', () => {
    const proof = proveContract(smallTable(review('captured after it was refunded')), ALONE);
    expect(proof.ok).toBe(true);
    expect(proof.asked).toBeGreaterThan(0);
    expect(proof.pairs).toEqual([['payment.captured', 'payment.refunded']]);
  });

  test('is not the demo’s, which counts on numbers', () => {
    const proof = proveContract(demoMachine, ALONE);
    if (proof.ok || proof.story === null) throw new Error('not refused');
    expect(proof.story.summary).toMatch(/^\S+ arrives before \S+: the order ends \S+, the truth is \S+$/);
    expect(proof.worlds).toBeLessThan(2_000);
  });
});

describe('the demo’s table', () => {
  test('is safe where versions are contiguous, and where they only rise, though nobody can be asked', () => {
    for (const contract of ['sequence', 'monotonic'] as const) {
      const proof = proveContract(demoMachine, { contract, api: false }, { ...boundsOf(ALONE), several: 3 });
      expect(proof.ok, JSON.stringify(proof)).toBe(true);
    }
  }, 120_000);

  test('is safe where every event is a hint, in walks of two', () => {
    const bounds = { single: 2, several: 3, worlds: 400_000 };
    const proof = proveContract(demoMachine, { contract: 'unordered', api: true }, bounds);
    expect(proof.ok, JSON.stringify(proof)).toBe(true);
  }, 120_000);
});

test('what is too large to be proved is not proved', () => {
  const proof = proveContract(
    demoMachine,
    { contract: 'sequence', api: false },
    { ...boundsOf(ALONE), worlds: 100 },
  );
  expect(proof).toMatchObject({ ok: false, story: null });
});
