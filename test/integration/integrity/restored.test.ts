/**
 * MySQL is restored from a backup of the middle of a storm, while Temporal knows all of it. Nothing is decided on what
 * is gone, no effect begins until a person has said what was lost; then every order is true or says why not, and no
 * receiver hears of one key twice with two contents.
 */
import { expect, test } from 'vitest';
import { restored as check } from '../../../src/doctor/restored.ts';
import type { Patient } from '../../../src/doctor/check.ts';
import { checkStore } from '../../../src/integrity/check-store.ts';
import type { StoreFinding } from '../../../src/integrity/finding.ts';
import { selectOverview, selectStatuses } from '../../../src/store/overview.ts';
import { runCli } from '../cli/run-cli.ts';
import { startSystem } from '../processes/system.ts';
import type { System } from '../processes/system.ts';
import { backUp, restore } from './backup.ts';
import { sendStories, untilTrue } from './storm.ts';

const until = (isSo: () => Promise<boolean>, timeout = 120_000) =>
  expect.poll(isSo, { timeout, interval: 200 }).toBe(true);
const iso = (ms: number) => new Date(ms).toISOString();

/** A storm, a backup of its middle, its end, and the backup back in place; without a worker. */
async function restoredSystem(orders: number, seed: string) {
  const system = await startSystem({ redeliverAfterMs: 1_000 });
  const { store, environment } = system;
  const sending = sendStories(system, { orders, seed, durationMs: 4_000 });
  await until(async () => {
    const [row] = await store.query<{ total: string }>(
      "SELECT COUNT(*) AS total FROM effects WHERE state = 'done'",
    );
    return Number(row?.total) >= 4;
  });
  const backedUpAt = Date.now();
  const backup = await backUp(environment.mysqlUrl);
  const stories = await sending;
  // Told and paid in the lost time: only its workflow and its provider will know of it.
  const late = system.newOrder();
  await system.send(late.created());
  await system.send(late.captured());
  await untilTrue(system, stories);
  await system.untilStatus(late.id, 'paid');
  await until(async () => system.doneEffects(late.id).length === 2);
  await system.stopWorkers();
  const lost = { from: backedUpAt, to: Date.now() };
  await restore(environment.mysqlUrl, backup);
  return { system, stories, late, lost, doneBefore: [...system.shop.effects.done] };
}

const command = (system: System, lost: { from: number; to: number }, ...more: string[]) =>
  runCli(
    [
      'restored',
      '--from',
      iso(lost.from),
      '--to',
      iso(lost.to),
      '--reason',
      'disk lost',
      '--actor',
      'ada',
      ...more,
    ],
    {
      env: {
        ...system.shop.environment,
        MYSQL_URL: system.environment.mysqlUrl,
        TEMPORAL_ADDRESS: system.environment.temporalAddress,
        INORDER_TASK_QUEUE: system.environment.taskQueue,
      },
    },
  );

const health = async (port: number | null | undefined) => {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`);
  return {
    status: response.status,
    body: (await response.json()) as { checks: { restoredSince: string | null } },
  };
};

/** Every order has its true status, or attention. */
async function wrongInSilence({ store }: System, stories: { order: string; truth: { status: string } }[]) {
  const statuses = await selectStatuses(store, { machine: 'order', environment: 'demo' });
  return stories
    .filter(({ order, truth }) => {
      const stored = statuses.get(order);
      return stored === undefined || (stored.status !== truth.status && stored.attention === '');
    })
    .map(({ order, title, truth }: { order: string; title?: string; truth: { status: string } }) => ({
      order,
      title,
      truth: truth.status,
      stored: statuses.get(order),
    }));
}

test('[R44] the store is older than Temporal: effects stand still until the lost time is named, then all is true or in doubt', async () => {
  const { system, stories, late, lost, doneBefore } = await restoredSystem(8, 'restored');
  const { store, shop } = system;
  const worker = await system.newWorker();
  expect(await system.orderOf(late.id)).toBeNull();
  expect(await system.send(late.shipped())).toBe(202);
  const fresh = system.newOrder();
  await system.send(fresh.created());
  await system.send(fresh.captured());
  await until(async () => (await health(worker.operationsPort)).status === 503);
  expect((await health(worker.operationsPort)).body.checks.restoredSince).toEqual(expect.any(String));
  expect(await check.look({ store } as Patient)).toMatchObject([
    {
      verdict: 'fail',
      seen: expect.stringMatching(/the store was restored .*order\/demo\/|no effect/) as string,
    },
  ]);
  const metrics = await (await fetch(`http://127.0.0.1:${worker.operationsPort}/metrics`)).text();
  expect(metrics).toMatch(/^inorder_store_restored 1$/m);

  const dry = await command(system, lost, '--dry-run');
  expect(dry).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Effects stand still since/) as string,
  });
  expect((await health(worker.operationsPort)).status).toBe(503);
  expect(await command(system, { from: lost.to, to: lost.from })).toMatchObject({ code: 2 });

  const named = await command(system, lost, '--yes', '--json');
  expect(named, named.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(named.stdout)).toMatchObject({ told: expect.any(Number) as number, isNamed: false });
  await until(async () => (await health(worker.operationsPort)).status === 200);
  await until(async () => (await wrongInSilence(system, stories)).length === 0, 180_000);
  await system.untilStatus(late.id, 'shipped', 120_000);
  await system.untilStatus(fresh.id, 'paid', 60_000);
  await until(async () => system.doneEffects(fresh.id).length === 2);
  await until(async () => {
    const { effects } = await selectOverview(store);
    return (effects['pending'] ?? 0) + (effects['running'] ?? 0) === 0;
  });

  // What was done in the lost time was done once; what may have been is a person's, and its order says so.
  expect(shop.effects.offences).toEqual([]);
  const keys = shop.effects.done.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(expect.arrayContaining(doneBefore.map(({ key }) => key)));
  const uncertain = await store.query<{ effect_key: string; order_id: string }>(
    "SELECT effect_key, order_id FROM effects WHERE state = 'uncertain'",
  );
  expect(uncertain.length).toBeGreaterThan(0);
  const inDoubt = new Set(uncertain.map((row) => row.order_id));
  expect(inDoubt).toContain(late.id);
  await expect
    .poll(
      async () => {
        const rows = await store.query<{ order_id: string }>(
          "SELECT order_id FROM orders WHERE attention_kinds LIKE '%,effect,%'",
        );
        return new Set(rows.map((row) => row.order_id));
      },
      { timeout: 60_000, interval: 200 },
    )
    .toEqual(inDoubt);
  // Of what was done in the lost time nothing is taken for not done. Some of it has no row any more: the provider tells
  // where an order stands, not by which statuses it came there.
  const rows = await store.query<{ effect_key: string; state: string }>(
    'SELECT effect_key, state FROM effects',
  );
  const wasDone = new Set(doneBefore.map(({ key }) => key));
  const states = rows.filter((row) => wasDone.has(row.effect_key)).map(({ state }) => state);
  expect(new Set([...states, 'done', 'uncertain'])).toEqual(new Set(['done', 'uncertain']));

  const findings: StoreFinding[] = [];
  await checkStore(store, { onFinding: (one) => findings.push(one) });
  expect(findings).toEqual([]);

  // Said again it changes nothing.
  const again = await command(system, lost, '--yes', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    isNamed: true,
    openSince: null,
    openEffects: 0,
    doubtful: 0,
  });
  expect((await health(worker.operationsPort)).status).toBe(200);
}, 400_000);
