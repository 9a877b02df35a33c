/** A counterexample becomes a story that fails on the table it was found in, and passes on one that is right. */
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { order } from '../../../../machines/order.ts';
import { checkNames } from '../../../../src/dev/scenario/format/check-names.ts';
import { storyOfCounterexample } from '../../../../src/dev/scenario/from-counterexample.ts';
import { observePure, playPure, preparePure } from '../../../../src/dev/scenario/pure/play-pure.ts';
import { scenarioSchema } from '../../../../src/dev/scenario/format/scenario.ts';
import { brokenSubscription, brokenTable, whatIsFound } from './broken-table.ts';

it('ends wrong in memory as the checker says', async () => {
  const { found, machine } = whatIsFound();
  const scenario = scenarioSchema.parse(parse(storyOfCounterexample(found, machine)));
  const story = preparePure({ scenario, file: 'found.yaml', machine: brokenTable });
  const seen = await observePure(story);
  expect(seen.orders.map(({ status, attention }) => ({ status, attention }))).toEqual([
    { status: found.ending, attention: [] },
  ]);
  expect(await playPure(story)).toContainEqual({
    path: ['expect', 'order', 'status'],
    expected: 'shipped',
    actual: found.ending,
  });
});

it('says which words only the table has, so that the source takes them', async () => {
  const { found, machine } = whatIsFound(brokenSubscription, 2);
  const scenario = scenarioSchema.parse(parse(storyOfCounterexample(found, machine)));
  expect(scenario.sources['source']).toMatchObject({
    types: { 'subscription.cancelled': 'subscription.cancelled' },
  });
  expect(checkNames(scenario, machine)).toEqual([]);
  const diffs = await playPure(preparePure({ scenario, file: 'found.yaml', machine: brokenSubscription }));
  expect(diffs).toContainEqual({
    path: ['expect', 'order', 'status'],
    expected: 'paused',
    actual: found.ending,
  });
});

it('tells what was lost, what is true and what the provider is asked', () => {
  const { found, machine } = whatIsFound();
  const [source] = Object.values(found.sources);
  if (source === undefined) throw new Error('no source');
  const lost = {
    ...found,
    copies: found.copies.slice(0, 1),
    way: [{ do: 'happen' as const }, { do: 'deliver' as const, copies: [0] }, { do: 'happen' as const }],
    sources: { source: { ...source, api: true } },
  };
  const scenario = scenarioSchema.parse(parse(storyOfCounterexample(lost, machine)));
  expect(scenario.truth).toEqual({ source: {} });
  expect(scenario.deliveries.map((step) => Object.keys(step)[0])).toEqual([
    'truth',
    'source',
    'truth',
    'until',
    'person',
  ]);
  expect(scenario.machine).toBe(order.name);
});
