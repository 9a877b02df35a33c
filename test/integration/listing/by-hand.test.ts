/** `inorder reconcile`: a window of a source's list, read on a person's word. */
import { Connection, WorkflowClient } from '@temporalio/client';
import { expect, test } from 'vitest';
import { orderTimeline } from '../../../src/operations/order-timeline.ts';
import { reconcileSource } from '../../../src/operations/reconcile-source.ts';
import type { ReconcileProgress } from '../../../workflows/messages.ts';
import { runCli } from '../cli/run-cli.ts';
import { startSystem } from '../processes/system.ts';
import type { System } from '../processes/system.ts';
import { rowsOf } from './look.ts';

function variablesOf({ shop, world }: System): Record<string, string> {
  return {
    ...shop.environment,
    MYSQL_URL: world.mysqlUrl,
    TEMPORAL_ADDRESS: world.temporalAddress,
    INORDER_TASK_QUEUE: world.taskQueue,
  };
}

async function clientOf({ world, defer }: System) {
  const connection = await Connection.connect({ address: world.temporalAddress });
  defer(() => connection.close());
  return { client: new WorkflowClient({ connection }), taskQueue: world.taskQueue };
}

test('[R41] a person has a window read: first to see what would be found, then to let it in, and again without effect', async () => {
  const system = await startSystem();
  const order = system.newOrder();
  order.created();
  order.cancelled();
  const run = await runCli(['reconcile', 'shop', '--since', '10m', '--dry-run', '--json'], {
    env: variablesOf(system),
  });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({
    ...{ source: 'shop', dryRun: true, pages: 1, listed: 2, found: 2, known: 0, unwanted: 0, unreadable: 0 },
  });
  expect(await rowsOf(system.store)).toMatchObject({ events: '0' });

  const deps = { ...(await clientOf(system)), onProgress: () => {}, onFound: () => {} };
  const nowMs = Date.now();
  const window = { sinceMs: nowMs - 600_000, untilMs: nowMs, isDryRun: false };
  expect((await reconcileSource(deps, 'shop', window)).counts).toMatchObject({
    listed: 2,
    found: 2,
    known: 0,
  });
  await system.untilStatus(order.id, 'cancelled');
  await system.untilSettled();
  const before = await rowsOf(system.store);
  expect((await reconcileSource(deps, 'shop', window)).counts).toMatchObject({
    listed: 2,
    found: 0,
    known: 2,
  });
  expect(await rowsOf(system.store)).toEqual(before);
  const timeline = await orderTimeline(system.store, {
    ...{ machine: 'order', environment: 'demo', id: order.id },
  });
  expect(timeline?.entries.map(({ foundBy, secret, deliveries }) => [foundBy, secret, deliveries])).toEqual([
    ['listing', null, 0],
    ['listing', null, 0],
  ]);
  const earlier = { ...window, sinceMs: nowMs - 1_200_000, untilMs: nowMs - 600_000 };
  expect((await reconcileSource(deps, 'shop', earlier)).counts).toMatchObject({ listed: 0, found: 0 });
}, 120_000);

test('[R41] a listing waits as long as the provider asks, goes on when its caller has gone, and is watched again', async () => {
  const system = await startSystem();
  const order = system.newOrder();
  order.created();
  const watched: ReconcileProgress[] = [];
  let found = 0;
  const deps = {
    ...{ ...(await clientOf(system)), lookEveryMs: 50 },
    onProgress: (progress: ReconcileProgress) => void watched.push(progress),
    onFound: () => void (found += 1),
  };
  const window = { sinceMs: Date.now() - 60_000, untilMs: Date.now(), isDryRun: false };
  system.shop.sandbox.setMood({ perSecond: 0 });
  const first = reconcileSource(deps, 'shop', window);
  await expect
    .poll(() => watched.at(-1)?.waitsFor, { timeout: 30_000, interval: 50 })
    .toBe('the API answered 429');
  const second = reconcileSource(deps, 'shop', { ...window, sinceMs: 0 });
  await expect.poll(() => found, { timeout: 10_000 }).toBe(1);
  system.shop.sandbox.setMood({ perSecond: null });
  const [one, other] = await Promise.all([first, second]);
  expect(one).toMatchObject({
    counts: { listed: 1, found: 1 },
    waitsFor: null,
    window: { sinceMs: window.sinceMs },
  });
  expect(other).toEqual(one);
  await system.untilStatus(order.id, 'awaiting_payment');
}, 120_000);

test('[R41] a list whose pages go round is given up, and what they name is let in', async () => {
  const system = await startSystem();
  const source = system.config.sources.get('shop');
  const { list } = source?.provider ?? {};
  const asked: (string | null)[] = [];
  const goRound: typeof list = async (api, request, settings) => {
    asked.push(request.cursor);
    const page = await list?.(api, { ...request, cursor: null }, settings);
    const next = { first: 'second', second: 'third', third: 'fourth', fourth: 'second' }[
      request.cursor ?? ''
    ];
    return { items: page?.items ?? [], next: next ?? 'first' };
  };
  Object.assign(source ?? {}, { provider: { ...source?.provider, list: goRound } });
  const order = system.newOrder();
  order.created();
  const deps = { ...(await clientOf(system)), onProgress: () => {}, onFound: () => {} };
  const untilMs = Date.now() + 1_000;
  await expect(
    reconcileSource(deps, 'shop', { sinceMs: untilMs - 60_000, untilMs, isDryRun: false }),
  ).rejects.toThrow('It did not come to its end: the list goes round');
  expect(asked.length).toBeLessThan(12);
  await system.untilStatus(order.id, 'awaiting_payment');
}, 60_000);
