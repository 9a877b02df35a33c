/** Receiver and worker with a team's own configuration file, on real servers, and what a test looks at. */
import { expect } from 'vitest';
import { loadEnvironment } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Config } from '../../../src/config/resolved.ts';
import { startReceiver } from '../../../src/processes/receiver.ts';
import { startWorker } from '../../../src/processes/worker.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import { recordingLog } from '../../unit/dispatch/order-events.ts';
import { setup } from '../setup.ts';

export interface TeamSystemOptions {
  file: string;
  variables: Record<string, string>;
  /** Changes the configuration before anything starts. */
  configure?: (config: Config) => void;
  /** Without: the receiver alone. */
  worker?: boolean;
}

export async function startTeamSystem({ file, variables, configure, worker = true }: TeamSystemOptions) {
  const world = await setup();
  const environment = loadEnvironment({
    MYSQL_URL: world.mysqlUrl,
    TEMPORAL_ADDRESS: world.temporalAddress,
    INORDER_TASK_QUEUE: world.taskQueue,
    INORDER_HOST: '127.0.0.1',
    INORDER_PORT: '0',
    INORDER_OPERATIONS_PORT: '0',
  });
  const config = await loadConfig(file, variables);
  configure?.(config);
  const store = openStore(world.mysqlUrl);
  world.defer(() => store.close());
  await migrate(store);
  const warnings: string[] = [];
  const log = recordingLog(warnings);
  const receiver = await startReceiver(config, environment, { log });
  world.defer(() => receiver.stop());
  const newWorker = async (): Promise<void> => {
    const started = await startWorker(config, environment, { log });
    world.defer(() => started.stop());
  };
  if (worker) await newWorker();

  const statusOf = async (order: string): Promise<string | undefined> => {
    const [row] = await store.query<{ status: string }>('SELECT status FROM orders WHERE order_id = ?', [
      order,
    ]);
    return row?.status;
  };
  const eventsOf = (order: string) =>
    store.query<{
      event_id: string;
      type: string;
      version: string | null;
      outcome: string | null;
      secret_id: string;
    }>('SELECT event_id, type, version, outcome, secret_id FROM events WHERE order_id = ? ORDER BY seq', [
      order,
    ]);
  return {
    world,
    config,
    store,
    newWorker,
    url: `http://127.0.0.1:${receiver.port}`,
    statusOf,
    eventsOf,
    warnings,
    untilStatus: (order: string, status: string) =>
      expect.poll(() => statusOf(order), { timeout: 30_000, interval: 50 }).toBe(status),
    untilSettled: (order: string) =>
      expect
        .poll(async () => (await eventsOf(order)).map(({ outcome }) => outcome), {
          timeout: 30_000,
          interval: 50,
        })
        .not.toContain(null),
  };
}

export type TeamSystem = Awaited<ReturnType<typeof startTeamSystem>>;
