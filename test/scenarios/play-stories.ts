/**
 * Each story below a folder is a test with its own title, side by side over the run's servers. What differs is the
 * test's message, as `inorder scenario run` tells it.
 */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject, test } from 'vitest';
import { order } from '../../machines/order.ts';
import { Closing } from '../../src/processes/closing.ts';
import { readStories } from '../../src/dev/scenario/read-stories.ts';
import { playStory } from '../../src/dev/scenario/run-scenarios.ts';
import { touchedProcesses } from '../../src/dev/scenario/stage/story-processes.ts';
import { shareWorkers } from '../../src/dev/scenario/stage/story-servers.ts';
import { resultLines } from '../../src/dev/scenario/tell-result.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

interface WhichStories {
  /** Those that start processes of their own, or all others. */
  withProcesses: boolean;
  folder?: string;
}

export async function testStories({ withProcesses, folder = HERE }: WhichStories): Promise<void> {
  const found = await readStories([folder], { machines: () => Promise.resolve([order]) });
  const stories = found.filter(
    (one) => (!('problems' in one) && touchedProcesses(one.story.scenario).size > 0) === withProcesses,
  );
  const closing = new Closing((line) => process.stderr.write(`${line}\n`));
  afterAll(() => closing.close());
  const servers = {
    mysqlUrl: inject('mysqlServerUrl'),
    temporalAddress: inject('temporalAddress'),
    namespace: 'default',
  };
  // Those with processes of their own share nothing.
  const workers = withProcesses ? null : await shareWorkers({ ...servers, closing });
  test.concurrent.each(stories.map((found) => [found.name, found] as const))('%s', async (_name, found) => {
    const result =
      'problems' in found ? null : await playStory(found.story, { servers: { ...servers, workers } });
    expect(resultLines(found, result)).toEqual([]);
  });
}
