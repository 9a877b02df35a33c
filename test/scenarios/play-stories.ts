/**
 * Each story below a folder is a test with its own title, side by side over the run's servers. What differs is the
 * test's message, as `inorder scenario run` tells it.
 */
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { order } from '../../machines/order.ts';
import { readStories } from '../../src/dev/scenario/read-stories.ts';
import { playStory } from '../../src/dev/scenario/run-scenarios.ts';
import { resultLines } from '../../src/dev/scenario/tell-result.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Of a story file: what is right about it is told by its own lines. */
export async function testStories(folder = HERE): Promise<void> {
  const stories = await readStories([folder], { machines: () => Promise.resolve([order]) });
  test.concurrent.each(stories.map((found) => [found.name, found] as const))('%s', async (_name, found) => {
    const servers = {
      mysqlUrl: inject('mysqlServerUrl'),
      temporalAddress: inject('temporalAddress'),
      namespace: 'default',
    };
    const result = 'problems' in found ? null : await playStory(found.story, { servers });
    expect(resultLines(found, result)).toEqual([]);
  });
}
