/** The schedules by which lists are read: made, changed, kept and taken away as the configuration says. */
import { Worker } from '@temporalio/worker';
import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { expect, test } from 'vitest';
import { createScheduleKeeper } from '../../../src/dispatch/keep-schedules.ts';
import { selectCursors } from '../../../src/store/cursors.ts';
import { keepSchedule, removeSchedule } from '../../../src/temporal/reconcile-schedules.ts';
import { workflowCode } from '../../replay/workflow-code.ts';
import { startSystem } from '../processes/system.ts';
import type { System } from '../processes/system.ts';
import { lookIntoTemporal, rowsOf, untilBegun, untilReadAgain } from './look.ts';

const quiet = { info: () => {}, warn: () => {} };

function keeperOf(system: System, schedules: Awaited<ReturnType<typeof lookIntoTemporal>>['schedules']) {
  const { store, config, world } = system;
  return createScheduleKeeper({
    ...{ store, config, log: quiet },
    schedules: {
      keep: (source) => keepSchedule(schedules, world.taskQueue, source),
      remove: (source) => removeSchedule(schedules, world.taskQueue, source),
    },
  });
}

test('[R41] each source that asks for it has one schedule: it skips what overlaps, follows the configuration, and comes back when Temporal has lost it', async () => {
  const system = await startSystem({ worker: false, reconcileEveryMs: 3_600_000 });
  const { scheduleOf, schedules } = await lookIntoTemporal(system.world);
  const keeper = keeperOf(system, schedules);
  const everyOf = async (source: string) => (await scheduleOf(source).describe()).spec.intervals?.[0]?.every;

  await keeper.runOnce();
  const made = await scheduleOf('shop').describe();
  expect(made).toMatchObject({
    spec: { intervals: [{ every: 3_600_000 }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60_000 },
    action: { workflowType: 'reconcileSource', taskQueue: system.world.taskQueue },
    info: { numActionsTaken: 1 },
  });
  // Again, and by another worker beside it: nothing happens.
  await Promise.all([keeper.runOnce(), keeperOf(system, schedules).runOnce()]);
  expect((await scheduleOf('shop').describe()).info.numActionsTaken).toBe(1);

  await scheduleOf('shop').pause('an operator');
  Object.assign(system.config.sources.get('shop') ?? {}, { reconcile: { everyMs: 900_000 } });
  await keeperOf(system, schedules).runOnce();
  expect(await everyOf('shop')).toBe(900_000);
  expect((await scheduleOf('shop').describe()).state.paused).toBe(true);

  await scheduleOf('payments').delete();
  await keeper.runOnce();
  expect(await everyOf('payments')).toBe(3_600_000);

  Object.assign(system.config.sources.get('shop') ?? {}, { reconcile: null });
  await keeperOf(system, schedules).runOnce();
  await expect(scheduleOf('shop').describe()).rejects.toThrow(ScheduleNotFoundError);
  expect((await selectCursors(system.store)).map(({ source }) => source)).toEqual(['payments', 'shop']);
});

test('[R41] a run that dies at any instruction is taken up again, and what it found is stored once', async () => {
  const system = await startSystem({ worker: false, reconcileEveryMs: 1_000 });
  const { workflows } = await lookIntoTemporal(system.world);
  const points = ['list.read', 'list.stored', 'list.turned'];
  const left = new Set(points);
  await system.newWorker({
    at: async (point) => {
      if (left.delete(point)) throw new Error(`dies at ${point}`);
    },
  });
  await untilBegun(system.store, 2);
  const order = system.newOrder();
  order.created();
  order.captured();
  await system.untilStatus(order.id, 'paid');
  await system.untilSettled();
  await expect.poll(() => left.size, { timeout: 30_000 }).toBe(0);
  await untilReadAgain(system.store);
  const before = await rowsOf(system.store);
  expect(before).toMatchObject({ events: '2', deliveries: '0', bodies: '2' });
  await expect
    .poll(() => system.doneEffects(order.id).sort(), { timeout: 20_000 })
    .toEqual(['fulfil', 'sendReceipt']);

  // Readable in Temporal's UI, and replayable.
  const query = `WorkflowType = "reconcileSource" AND TaskQueue = "${system.world.taskQueue}" AND ExecutionStatus = "Completed"`;
  const runs: { workflowId: string; runId: string }[] = [];
  await expect
    .poll(
      async () => {
        for await (const run of workflows.list({ query })) runs.push(run);
        return runs.length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  const [run] = runs as [(typeof runs)[number]];
  const handle = workflows.getHandle(run.workflowId, run.runId);
  const { staticSummary } = await handle.describe();
  expect(staticSummary === undefined ? undefined : await staticSummary()).toMatch(
    /^what \w+ sent, by its own list$/,
  );
  const history = await handle.fetchHistory();
  await Worker.runReplayHistory({ workflowBundle: await workflowCode() }, history, run.workflowId);
});

test('[R41] what a webhook brought is not touched by a listing, and a webhook that comes after a listing is a repeat', async () => {
  const system = await startSystem({ reconcileEveryMs: 1_000 });
  await lookIntoTemporal(system.world);
  await untilBegun(system.store, 2);
  const order = system.newOrder();
  expect(await system.send(order.created())).toBe(202);
  await system.untilSettled();
  await untilReadAgain(system.store);
  const rows = () =>
    system.store.query<{ secret_id: string; repeats: string }>(
      `SELECT secret_id, (SELECT COUNT(*) FROM deliveries WHERE deliveries.seq = events.seq) AS repeats
         FROM events ORDER BY seq`,
    );
  expect(await rows()).toEqual([{ secret_id: 'a', repeats: '0' }]);

  const late = order.captured();
  await system.untilStatus(order.id, 'paid');
  expect(await rows()).toEqual([
    { secret_id: 'a', repeats: '0' },
    { secret_id: '(listed)', repeats: '0' },
  ]);
  expect(await system.send(late)).toBe(202);
  expect(await rows()).toEqual([
    { secret_id: 'a', repeats: '0' },
    { secret_id: '(listed)', repeats: '1' },
  ]);
  await expect
    .poll(() => system.doneEffects(order.id).sort(), { timeout: 20_000 })
    .toEqual(['fulfil', 'sendReceipt']);
});
