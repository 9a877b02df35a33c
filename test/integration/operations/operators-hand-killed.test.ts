/** The worker is killed while it carries out a person's word: all of it happens, by whoever comes next, or nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { Supervised } from '../../../src/dev/supervised.ts';
import { listEffects } from '../../../src/operations/list-effects.ts';
import { runCli } from '../cli/run-cli.ts';
import { startOrderSystem } from '../order/order-system.ts';
import type { OrderSystem } from '../order/order-system.ts';

let system: OrderSystem;
let worker: Supervised;
let variables: Record<string, string>;

beforeAll(async () => {
  system = await startOrderSystem({ worker: false });
  const { shop, environment, defer } = system;
  const directory = await mkdtemp(join(tmpdir(), 'inorder-killed-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const operationsPort = await findFreePort();
  variables = {
    MYSQL_URL: environment.mysqlUrl,
    TEMPORAL_ADDRESS: environment.temporalAddress,
    INORDER_TASK_QUEUE: environment.taskQueue,
  };
  worker = await Supervised.start({
    name: 'worker',
    directory,
    environment: { ...shop.environment, ...variables, INORDER_OPERATIONS_PORT: String(operationsPort) },
    readyUrl: `http://127.0.0.1:${operationsPort}/metrics`,
  });
  defer(() => worker.stop());
  await worker.ready();
}, 120_000);
afterAll(() => system.world.cleanup());

const effectOf = async (order: string) =>
  (await listEffects(system.store, { order, name: 'sendReceipt', limit: 1 })).items[0];
const wordsOf = async (order: string) =>
  (await system.journalOf(order)).filter(({ reason }) => reason?.includes('ada: up again') === true);

test('[R54] [R61] killed before the commit: nothing, and then all of it', async () => {
  const { store, newOrder, send, untilStatus } = system;
  const order = newOrder();
  await send(order.created());
  await send(order.captured());
  await untilStatus(order.id, 'paid');
  await expect.poll(async () => (await effectOf(order.id))?.state, { timeout: 20_000 }).toBe('done');
  await store.write(
    `UPDATE effects SET state = 'failed', error = 'x' WHERE order_id = ? AND name = 'sendReceipt'`,
    [order.id],
  );
  const key = (await effectOf(order.id))?.key ?? '';

  const retry = ['effects', 'retry', key, '--reason', 'up again', '--actor', 'ada'];

  // The order's row is held until the worker is dead, so that it dies between its decision and the commit.
  let command: ReturnType<typeof runCli> | null = null;
  await store.session(async (session) => {
    await session.write('START TRANSACTION');
    await session.query('SELECT 1 FROM orders WHERE order_id = ? FOR UPDATE', [order.id]);
    command = runCli(retry, { env: variables });
    await expect
      .poll(
        async () => {
          await session.query('SELECT 1');
          return session.query(
            `SELECT 1 FROM information_schema.processlist WHERE info LIKE 'SELECT revision%FROM orders%FOR UPDATE%'`,
          );
        },
        { timeout: 30_000, interval: 20 },
      )
      .not.toEqual([]);
    await worker.kill();
    expect(await effectOf(order.id)).toMatchObject({ state: 'failed', attempts: 1 });
    await session.write('ROLLBACK');
  });
  expect(await effectOf(order.id)).toMatchObject({ state: 'failed', attempts: 1 });
  expect(await wordsOf(order.id)).toEqual([]);

  // The next worker takes the request up where Temporal has it. On a slow machine that takes longer than the command
  // waits; it says so, and saying it again does no harm.
  const { code, stderr } = await (command as unknown as ReturnType<typeof runCli>);
  if (code !== 0) {
    expect(stderr).toContain('look at the order before you repeat it');
    await runCli(retry, { env: variables });
  }
  await expect.poll(async () => (await effectOf(order.id))?.state, { timeout: 30_000 }).toBe('done');
  expect(await effectOf(order.id)).toMatchObject({ attempts: 2 });
  expect(await wordsOf(order.id)).toHaveLength(1);
}, 120_000);
