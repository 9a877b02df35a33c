/**
 * The floor of `apply`: signalWithStart to a workflow whose one local activity makes the same number of row writes
 * in one transaction (an order, an event, a journal line), with no decision in between and nothing checked. Same
 * server, same client and worker settings, same calls in flight as the real thing.
 */
import { fileURLToPath } from 'node:url';
import { WorkflowClient } from '@temporalio/client';
import type { ConnectionLike } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';
import { inParallel } from '../../src/dispatch/in-parallel.ts';
import type { Store } from '../../src/store/store.ts';
import { ORDER_WORKER_OPTIONS } from '../../src/temporal/order-workers.ts';

export interface FloorActivities {
  settle(work: { order: string; revision: number; seq: string }): Promise<void>;
}

const TABLES = [
  `CREATE TABLE floor_orders (order_id VARBINARY(255) PRIMARY KEY, revision BIGINT NOT NULL, state LONGBLOB NOT NULL,
     updated_at DATETIME(6) NOT NULL) ENGINE = InnoDB`,
  `CREATE TABLE floor_events (seq BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, order_id VARBINARY(255) NOT NULL,
     settled_at DATETIME(6) NULL, KEY of_order (order_id)) ENGINE = InnoDB`,
  `CREATE TABLE floor_journal (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, order_id VARBINARY(255) NOT NULL,
     revision BIGINT NOT NULL, data BLOB NOT NULL, KEY of_order (order_id)) ENGINE = InnoDB`,
];

/** As large as the state of an order with one stream. */
const STATE = JSON.stringify({ state: 'x'.repeat(900) });

export interface FloorOptions {
  store: Store;
  connection: ConnectionLike;
  native: NativeConnection;
  taskQueue: string;
  /** Each inner list is one order's events: one signal each. */
  orders: number;
  eventsPerOrder: number;
  callsInFlight: number;
}

/** Seconds from the first signal to the last settled event. */
export async function runApplyFloor(options: FloorOptions): Promise<number> {
  const { store, connection, native, taskQueue, orders, eventsPerOrder, callsInFlight } = options;
  for (const table of TABLES) await store.write(table);
  const events = Array.from({ length: orders * eventsPerOrder }, (_, n) => `order-${n % orders}`);
  for (let at = 0; at < events.length; at += 500) {
    await store.write('INSERT INTO floor_events (order_id) VALUES ?', [
      events.slice(at, at + 500).map((order) => [order]),
    ]);
  }
  const rows = await store.query<{ seq: string; order_id: string }>('SELECT seq, order_id FROM floor_events');

  let left = rows.length;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const activities: FloorActivities = {
    async settle({ order, revision, seq }) {
      await store.transaction(async (tx) => {
        await tx.write(
          `INSERT INTO floor_orders (order_id, revision, state, updated_at) VALUES (?, ?, ?, UTC_TIMESTAMP(6))
           ON DUPLICATE KEY UPDATE revision = VALUES(revision), state = VALUES(state), updated_at = VALUES(updated_at)`,
          [order, revision, STATE],
        );
        await tx.write('UPDATE floor_events SET settled_at = UTC_TIMESTAMP(6) WHERE seq = ?', [BigInt(seq)]);
        await tx.write('INSERT INTO floor_journal (order_id, revision, data) VALUES (?, ?, ?)', [
          order,
          revision,
          STATE.slice(0, 200),
        ]);
      });

      left -= 1;
      if (left === 0) finish();
    },
  };
  const worker = await Worker.create({
    ...ORDER_WORKER_OPTIONS,
    connection: native,
    taskQueue,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('./apply-workflow.ts', import.meta.url)),
      logger: new DefaultLogger('ERROR'),
    }),
    activities: { ...activities },
  });
  const running = worker.run();
  const client = new WorkflowClient({ connection });
  const startedAt = performance.now();
  await inParallel(rows, callsInFlight, async ({ seq, order_id }) => {
    await client.signalWithStart('floor', {
      workflowId: `${taskQueue}/${order_id}`,
      taskQueue,
      args: [order_id],
      signal: 'deliver',
      signalArgs: [seq],
    });
  });
  await finished;
  const seconds = (performance.now() - startedAt) / 1_000;
  worker.shutdown();
  await running;
  return seconds;
}
