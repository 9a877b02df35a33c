/**
 * Every story of `test/scenarios` that can be played in memory ends there as it says: the same files and the same judge
 * as on the real stack, so that the two ways of playing never differ.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { order } from '../../../../machines/order.ts';
import { needsRealStack } from '../../../../src/dev/scenario/pure/needs-real-stack.ts';
import { playPure, preparePure } from '../../../../src/dev/scenario/pure/play-pure.ts';
import { readStories } from '../../../../src/dev/scenario/read-stories.ts';

const folder = fileURLToPath(new URL('../../../scenarios', import.meta.url));
const found = await readStories([folder], { machines: () => Promise.resolve([order]) });
const stories = found.flatMap((one) => ('problems' in one ? [] : [one.story]));
const pure = stories.filter(({ scenario }) => needsRealStack(scenario) === null);

test.each(pure.map((story) => [story.scenario.name, story] as const))('%s', async (_name, story) => {
  expect(await playPure(preparePure(story))).toEqual([]);
});
