/** What the model checker finds in a broken table goes wrong in the same way with everything around it. */
import { expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { storyOfCounterexample } from '../../../src/dev/scenario/from-counterexample.ts';
import { playPure, preparePure } from '../../../src/dev/scenario/pure/play-pure.ts';
import { playStory } from '../../../src/dev/scenario/run-scenarios.ts';
import { scenarioSchema } from '../../../src/dev/scenario/format/scenario.ts';
import { brokenTable, whatIsFound } from '../../unit/dev/scenario/broken-table.ts';

it('a counterexample ends wrong on the real stack as the checker says', async () => {
  const { found, machine } = whatIsFound();
  const scenario = scenarioSchema.parse(parse(storyOfCounterexample(found, machine)));
  const story = { scenario, file: 'found.yaml', machine: brokenTable };
  const servers = {
    mysqlUrl: inject('mysqlServerUrl'),
    temporalAddress: inject('temporalAddress'),
    namespace: 'default',
    workers: null,
  };
  const { diffs } = await playStory(story, { servers });
  expect(diffs).toContainEqual({
    path: ['expect', 'order', 'status'],
    expected: 'shipped',
    actual: found.ending,
  });
  expect(diffs).toEqual(await playPure(preparePure(story)));
});
