/**
 * Plays each kind of story on the real stack and replays what Temporal kept of it, on today's code and on a core
 * with a changed rule. With INORDER_RECORD_HISTORIES=1 the histories are written to test/replay/histories.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { STORIES } from '../../replay/stories.ts';
import { workflowCode } from '../../replay/workflow-code.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

const isRecording = process.env['INORDER_RECORD_HISTORIES'] === '1';
const folder = new URL('../../replay/histories/', import.meta.url);

/** All runs of one order, the first one first. */
async function historiesOf(system: OrderSystem, order: string, atLeast: number) {
  const runs: { id: string; startedAt: number }[] = [];
  const query = `WorkflowId = "${system.idOf(order)}"`;
  await expect
    .poll(
      async () => {
        runs.length = 0;
        for await (const run of system.client.list({ query }))
          runs.push({ id: run.runId, startedAt: run.startTime.getTime() });
        return runs.length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(atLeast);
  runs.sort((a, b) => a.startedAt - b.startedAt);
  return Promise.all(runs.map(({ id }) => restingHistory(system, order, id)));
}

/** Waits until nothing is under way: a history cut off in the middle of a task replays beyond its end. */
async function restingHistory(system: OrderSystem, order: string, run: string) {
  const handle = system.client.getHandle(system.idOf(order), run);
  let history = await handle.fetchHistory();
  await expect
    .poll(
      async () => {
        history = await handle.fetchHistory();
        const pending = (await handle.describe()).raw.pendingActivities ?? [];
        const last = history.events?.at(-1);
        return (
          pending.length > 0 ||
          last?.workflowTaskScheduledEventAttributes ||
          last?.workflowTaskStartedEventAttributes
        );
      },
      { timeout: 20_000 },
    )
    .toBeFalsy();
  return history;
}

describe.each(Object.entries(STORIES))('the story %s', (name, { settings, play }) => {
  test('ends right, and its history replays on today’s code and on a changed core [R45]', async () => {
    const system = await startOrderSystem({ worker: false });
    Object.assign(system.config, settings);
    await system.newWorker();
    const order = await play(system);
    await system.untilSettled();
    const histories = await historiesOf(system, order, settings === undefined ? 1 : 2);
    for (const history of histories) {
      const id = system.idOf(order);
      await Worker.runReplayHistory({ workflowBundle: await workflowCode() }, history, id);
      await Worker.runReplayHistory(
        { workflowBundle: await workflowCode({ changedRule: true }) },
        history,
        id,
      );
    }
    if (!isRecording) return;
    rmSync(new URL(`${name}.json`, folder), { force: true });
    histories.forEach((history, index) =>
      writeFileSync(
        new URL(`${name}${histories.length > 1 ? `-${index + 1}` : ''}.json`, folder),
        `${JSON.stringify(history, null, 1)}\n`,
      ),
    );
  });
});
