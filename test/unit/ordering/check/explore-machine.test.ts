import { describe, expect, test } from 'vitest';
import { exploreMachine } from '../../../../src/ordering/check/explore-machine.ts';
import { kindsOf, tellsNew } from '../../../../src/ordering/check/kinds.ts';
import { proveContract } from '../../../../src/ordering/check/prove-contract.ts';
import { sizeOf, talesOf } from '../../../../src/ordering/check/tales.ts';
import { linesOf } from '../../../../src/ordering/check/tell.ts';
import { compileMachine } from '../../../../src/ordering/compile-machine.ts';
import { ignore, review, stay } from '../../../../src/ordering/machine.ts';
import type { Cell, Machine, MachineDefinition } from '../../../../src/ordering/machine.ts';
import { demoMachine } from '../../dispatch/demo-machine.ts';

function compiled(definition: MachineDefinition): Machine {
  const result = compileMachine(definition);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.machine;
}

/** Orders that nobody pays for in time are cancelled; the test says what a capture does then. */
const expiring = (afterwards: Cell, unasked: 'act' | 'review') =>
  compiled({
    name: 'order',
    version: 1,
    initial: 'new',
    statuses: {
      new: {},
      awaiting_payment: { deadline: { after: '24h', type: 'order.expired', unasked } },
      paid: {},
      cancelled: {},
    },
    effects: {},
    on: {
      'order.created': { new: 'awaiting_payment', else: ignore('the payment came first') },
      'order.expired': { awaiting_payment: 'cancelled', else: ignore('paid in time') },
      'payment.captured': {
        new: 'paid',
        awaiting_payment: 'paid',
        paid: ignore('captured before'),
        cancelled: afterwards,
      },
    },
  });

const subscription = compiled({
  name: 'subscription',
  version: 1,
  initial: 'new',
  statuses: { new: {}, active: { effects: ['bookInvoice'] }, past_due: {}, ended: {} },
  effects: { bookInvoice: { once: 'facts.invoice', whenPassed: 'run' } },
  on: {
    'subscription.created': { new: 'active', else: ignore('known') },
    'subscription.deleted': {
      new: 'ended',
      active: 'ended',
      past_due: 'ended',
      ended: ignore('ended before'),
    },
    'invoice.paid': {
      new: 'active',
      active: 'active',
      past_due: 'active',
      ended: stay('last one', ['bookInvoice']),
    },
    'invoice.failed': { new: 'past_due', active: 'past_due', past_due: 'past_due', ended: ignore('ended') },
  },
});

describe('a deadline that acts though nobody can be asked', () => {
  const ALONE = { contract: 'unordered', api: false } as const;

  test('is refused where what was paid in time, and heard of too late, is ignored afterwards', () => {
    const proof = proveContract(expiring(ignore('too late'), 'act'), ALONE);
    if (proof.ok || proof.story === null) throw new Error('not refused');
    expect(linesOf(proof.story)).toEqual([
      'payment.captured arrives after the deadline of awaiting_payment: the order ends cancelled, the truth is paid',
      '  in truth  order.created, payment.captured',
      '  arrives   order.created        new → awaiting_payment  (applied)',
      '            the deadline passes  awaiting_payment → cancelled  (its type steps)',
      '            payment.captured     cancelled  (ignored)',
      '  ends      cancelled: the order is cancelled and should be paid',
      expect.stringContaining("or leave unasked: 'act' out"),
    ]);
  });

  test.each<[string, Cell, 'act' | 'review']>([
    ['a person is asked about it', review('captured although it was cancelled'), 'act'],
    ['it leads on from there', 'paid', 'act'],
    ['a person is asked before it acts', ignore('too late'), 'review'],
  ])('is none where %s', (_how, afterwards, unasked) => {
    expect(proveContract(expiring(afterwards, unasked), ALONE).ok).toBe(true);
  });
});

describe('types of any business', () => {
  test('are told by streams of their kinds, with the facts that effects are counted by', () => {
    expect(kindsOf(subscription)).toEqual(['subscription', 'invoice']);
    expect(kindsOf(demoMachine)).toEqual(['order', 'payment', 'dispute']);
    expect(tellsNew(subscription, 'invoice.paid')).toEqual(['invoice']);
    expect(tellsNew(demoMachine, 'payment.refunded')).toEqual(['refund']);
    expect(tellsNew(demoMachine, 'refund.failed')).toEqual([]);
    const tales = talesOf(subscription, ['subscription', 'invoice', 'invoice'], 3);
    expect(tales.every((tale) => sizeOf(tale) === 3)).toBe(true);
    expect(tales.some(({ streams }) => streams['invoice:2'] !== undefined)).toBe(true);
  });

  test('are looked at like any', () => {
    const runs = exploreMachine(subscription, { contracts: ['sequence'], complete: 3, samples: 20 });
    expect(runs.map(({ streams }) => streams)).toEqual([
      ['all'],
      ['subscription', 'invoice'],
      ['all'],
      ['subscription', 'invoice'],
    ]);
    for (const run of runs) expect(run).toMatchObject({ complete: 3, sampled: { stories: 20 } });
    expect(runs[0]).toMatchObject({ wrong: 0, counterexample: null });
  });
});

describe('the demo’s table', () => {
  test.each(['sequence', 'monotonic', 'unordered'] as const)(
    'has no order that ends wrong unseen where the provider can be asked: %s',
    (contract) => {
      const runs = exploreMachine(demoMachine, {
        contracts: [contract],
        apis: [true],
        complete: 2,
        samples: 10,
      });
      for (const run of runs) {
        expect(run.wrong, JSON.stringify(run.counterexample)).toBe(0);
        expect(run).toMatchObject({ complete: 2, sampled: { stories: 10 } });
        expect(run.asks).toBeGreaterThan(0);
      }
    },
    120_000,
  );

  test('has none where numbers are contiguous, though nobody can be asked', () => {
    for (const run of exploreMachine(demoMachine, {
      contracts: ['sequence'],
      apis: [false],
      complete: 2,
      samples: 20,
    }))
      expect(run, JSON.stringify(run.counterexample)).toMatchObject({ wrong: 0, complete: 2, asks: 0 });
  });

  test('has some in any order without an API; the shortest story is told, all are counted', () => {
    const [run] = exploreMachine(demoMachine, {
      contracts: ['unordered'],
      apis: [false],
      streams: [['all']],
      samples: 0,
    });
    expect(run?.wrong).toBeGreaterThan(10);
    expect(run?.counterexample?.story).toHaveLength(2);
  });
});

test('the same seed draws the same stories, and the time that is left ends the search', () => {
  const options = {
    contracts: ['sequence'],
    apis: [false],
    streams: [['all']],
    complete: 1,
    samples: 20,
  } as const;
  expect(exploreMachine(demoMachine, options)).toEqual(exploreMachine(demoMachine, options));
  expect(exploreMachine(demoMachine, { ...options, seed: 2 })).not.toEqual(
    exploreMachine(demoMachine, options),
  );
  let now = 0;
  const [run] = exploreMachine(demoMachine, {
    ...options,
    complete: 6,
    budget: { now: () => now++, ms: 100 },
  });
  expect(run?.complete).toBeLessThan(6);
  expect(run?.partly).toBeGreaterThan(0);
});
