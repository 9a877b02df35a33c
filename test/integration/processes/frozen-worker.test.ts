import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { Supervised } from '../../../src/dev/supervised.ts';
import { startSystem } from './system.ts';
import type { System } from './system.ts';

let system: System;
/** The process id of a worker of its own, which can be frozen. */
let workerPid: number;

beforeAll(async () => {
  system = await startSystem();
  const { shop, environment, defer } = system;
  const directory = await mkdtemp(join(tmpdir(), 'inorder-frozen-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const operationsPort = await findFreePort();
  const worker = await Supervised.start({
    name: 'worker',
    directory,
    environment: {
      ...shop.environment,
      MYSQL_URL: environment.mysqlUrl,
      TEMPORAL_ADDRESS: environment.temporalAddress,
      INORDER_TASK_QUEUE: environment.taskQueue,
      INORDER_OPERATIONS_PORT: String(operationsPort),
    },
    readyUrl: `http://127.0.0.1:${operationsPort}/metrics`,
  });
  defer(() => worker.stop());
  await worker.ready();
  workerPid = Number.parseInt(await readFile(join(directory, 'worker.pid'), 'utf8'), 10);
}, 90_000);
afterAll(() => system.world.cleanup());

describe('a worker freezes in the middle of its work', () => {
  test('[R37] the other one takes over its orders within seconds, and the frozen one finds nothing to spoil', async () => {
    const { newOrder, send, untilStatus, untilSettled, doneEffects, shop } = system;
    const orders = Array.from({ length: 24 }, () => newOrder());
    for (const order of orders) await send(order.created());
    for (const order of orders) await untilStatus(order.id, 'awaiting_payment');

    // Half of these are cached by the one that freezes, some of their tasks are in its hands.
    const sending = orders.map((order) => send(order.captured()));
    process.kill(workerPid, 'SIGSTOP');
    try {
      expect(await Promise.all(sending)).toEqual(orders.map(() => 202));
      for (const order of orders) await untilStatus(order.id, 'paid', 25_000);
      await untilSettled();
    } finally {
      process.kill(workerPid, 'SIGCONT');
    }
    for (const order of orders) {
      await expect
        .poll(() => doneEffects(order.id).sort(), { timeout: 40_000 })
        .toEqual(['fulfil', 'sendReceipt']);
    }
    expect(shop.effects.offences).toEqual([]);
  }, 90_000);
});
