/**
 * The worked tables of docs/worked-tables.md, proved: every story of up to two events, and a sample of longer ones
 * up to six from a seed. Where the proof has its limits, it says so: `inorder machine check --explore` goes further.
 */
import { describe, expect, test } from 'vitest';
import { order as marketplace } from '../../../examples/marketplace/machine.ts';
import { subscription } from '../../../examples/subscription/machine.ts';
import { checkConfig } from '../../../src/config/check.ts';
import { exploreMachine } from '../../../src/ordering/check/explore-machine.ts';
import type { ExploreOptions, MachineRun } from '../../../src/ordering/check/explore-machine.ts';
import { linesOf } from '../../../src/ordering/check/tell.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import type { Machine, MachineDefinition } from '../../../src/ordering/machine.ts';

/** Who tells of each: one stream that tells all, each kind of object by itself, and two payments beside the order. */
const TABLES = {
  subscription: {
    definition: subscription,
    streams: [['all'], ['subscription', 'invoice'], ['invoice', 'invoice', 'subscription']],
  },
  marketplace: {
    definition: marketplace,
    streams: [['all'], ['order', 'part', 'payment', 'dispute', 'payout'], ['payment', 'payment', 'order']],
  },
};
const BOUNDS: ExploreOptions = { events: 6, complete: 2, samples: 25, seed: 1 };

function compiled(definition: MachineDefinition): Machine {
  const result = compileMachine(definition);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.machine;
}

/** What is wrong in the runs, in lines. */
const wrongOf = (runs: MachineRun[]): string[] =>
  runs.flatMap(({ counterexample, contract, streams }) =>
    counterexample === null ? [] : [`${contract}, ${streams.join(' ')}`, ...linesOf(counterexample)],
  );

/** The share of endings with a person asked. */
function shareAsked(runs: MachineRun[]): number {
  const sum = (of: (run: MachineRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  return sum(({ review }) => review) / sum(({ endings }) => endings);
}

describe.each(Object.entries(TABLES))('the table of a %s', (_name, { definition, streams }) => {
  const machine = compiled(definition);
  const bounds = { ...BOUNDS, streams };

  test('ends in no contract untrue unseen where the provider can be asked', () => {
    const runs = exploreMachine(machine, { ...bounds, apis: [true] });
    expect(wrongOf(runs)).toEqual([]);
    expect(shareAsked(runs)).toBeLessThan(0.15);
  }, 240_000);

  test('does not either where nobody can be asked and versions are contiguous', () => {
    const runs = exploreMachine(machine, { ...bounds, apis: [false], contracts: ['sequence'] });
    expect(wrongOf(runs)).toEqual([]);
  }, 240_000);

  test('is refused where events have no versions and nobody can be asked', () => {
    const runs = exploreMachine(machine, { ...bounds, apis: [false], contracts: ['unordered'] });
    expect(wrongOf(runs).length).toBeGreaterThan(0);
  }, 240_000);
});

test('a configuration whose events nothing puts in order is refused with the story that goes wrong', () => {
  const billing = {
    provider: 'stripe',
    environment: 'live',
    machine: 'subscription',
    unknownTypes: 'archive',
    secrets: [{ id: 'a', value: 'whsec_a' }],
  };
  const call = { run: () => Promise.resolve(), keyTtl: '24h' };
  const effects = { syncAccess: call, sendReceipt: call, askForPayment: call };
  const checked = checkConfig({ machines: [subscription], sources: { billing }, effects }, '/c.ts', {});
  const problems = 'problems' in checked ? checked.problems : [];
  expect(problems.join('\n')).toContain('arrives before');
  expect(problems.join('\n')).toContain(
    "its events come in any order, and without 'apiKey' nobody can be asked",
  );
});
