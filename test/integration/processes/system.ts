/**
 * The whole thing in one process: the demo's configuration, a receiver, workers, the sandbox shop with its API, the
 * application that takes effects. Deliveries are signed and come by HTTP; what came out is read from the store.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Config } from '../../../src/config/resolved.ts';
import { loadEnvironment } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { Closing } from '../../../src/processes/closing.ts';
import type { Happening, Story } from '../../../src/dev/sandbox/story.ts';
import type { SandboxEvent } from '../../../src/dev/sandbox/world.ts';
import { providerOf } from '../../../src/dev/sandbox/world.ts';
import { startTemporal } from '../../../src/dev/services/temporal.ts';
import { openShop } from '../../../src/dev/shop.ts';
import type { BadMoments } from '../../../src/dev/traffic/effect-receiver.ts';
import { startReceiver } from '../../../src/processes/receiver.ts';
import { startWorker } from '../../../src/processes/worker.ts';
import type { RunningWorker, WorkerOptions } from '../../../src/processes/worker.ts';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import { recordingLog } from '../../unit/dispatch/order-events.ts';
import { setup } from '../setup.ts';

const ALWAYS_WELL: BadMoments = { refuses: 0, slow: 0, doesAndIsSilent: 0, doesAndAnswers500: 0 };

export interface SystemOptions {
  /** A Temporal server of the test's own, to be killed and brought back. */
  ownTemporal?: boolean | { limits: Record<string, number> };
  redeliverAfterMs?: number;
  /** Without: the receiver alone, as when every worker is down. */
  worker?: boolean;
  /** Reads the providers' lists so often; without, they are not read. */
  reconcileEveryMs?: number;
  /** Changes the demo's configuration before anything starts. */
  configure?: (config: Config) => void;
}

export async function startSystem(options: SystemOptions = {}) {
  const world = await setup();
  const { defer } = world;
  const temporal = await startOwnTemporal(options.ownTemporal ?? false);
  if (temporal) defer(() => temporal.stop());
  const closing = new Closing(() => {});
  defer(() => closing.close());
  const shop = await openShop(closing, { seed: 'test', badMoments: ALWAYS_WELL });
  const environment = loadEnvironment({
    MYSQL_URL: world.mysqlUrl,
    TEMPORAL_ADDRESS: temporal?.address ?? world.temporalAddress,
    INORDER_TASK_QUEUE: world.taskQueue,
    INORDER_HOST: '127.0.0.1',
    INORDER_PORT: '0',
    INORDER_OPERATIONS_PORT: '0',
  });
  const config = await loadConfig('inorder.config.ts', shop.environment);
  config.redeliverAfterMs = options.redeliverAfterMs ?? 60_000;
  const { reconcileEveryMs } = options;
  for (const source of config.sources.values())
    source.reconcile = reconcileEveryMs === undefined ? null : { everyMs: reconcileEveryMs };
  options.configure?.(config);
  const store = openStore(world.mysqlUrl);
  defer(() => store.close());
  await migrate(store);

  const warnings: string[] = [];
  const log = recordingLog(warnings);
  const receiver = await startReceiver(config, environment, { log });
  defer(() => receiver.stop());
  const workers: RunningWorker[] = [];
  const stopWorkers = async () => {
    await Promise.all(workers.splice(0).map((one) => one.stop()));
  };
  const newWorker = async (more: WorkerOptions = {}): Promise<RunningWorker> => {
    const worker = await startWorker(config, environment, { log, ...more });
    defer(() => worker.stop());
    workers.push(worker);
    return worker;
  };
  const worker = options.worker === false ? null : await newWorker();

  const secretOf = { shop: shop.webhookSecrets.shop[0], payments: shop.webhookSecrets.payments[0] };
  /** The status the provider got. */
  const send = (event: SandboxEvent): Promise<number> => sendBody(event.object, event.id, event.body);
  /** Signs and sends any body about an object. */
  const sendBody = async (object: string, id: string, body: string): Promise<number> => {
    const source = providerOf(object) as keyof typeof secretOf;
    const answer = await fetch(`http://127.0.0.1:${receiver.port}/webhooks/${source}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signStandardWebhook(secretOf[source], {
          id,
          timestampSeconds: Math.floor(Date.now() / 1_000),
          body,
        }),
      },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  const key = (order: string) => [order, 'order', 'demo'];
  const ONE = 'order_id = ? AND machine = ? AND environment = ?';
  const orderOf = async (order: string) => {
    const [row] = await store.query<{ status: string; revision: string; attention_kinds: string }>(
      `SELECT status, revision, attention_kinds FROM orders WHERE ${ONE}`,
      key(order),
    );
    return row ? { ...row, revision: Number(row.revision) } : null;
  };
  const outcomesOf = async (order: string): Promise<Record<string, string | null>> => {
    const rows = await store.query<{ event_id: string; outcome: string | null }>(
      `SELECT event_id, outcome FROM events WHERE ${ONE} ORDER BY seq`,
      key(order),
    );
    return Object.fromEntries(rows.map((row) => [row.event_id, row.outcome]));
  };
  const unsettled = async (): Promise<number> => {
    const [row] = await store.query<{ total: string }>(
      'SELECT COUNT(*) AS total FROM events WHERE settled_at IS NULL',
    );
    return Number(row?.total);
  };
  const doneEffects = (order: string): string[] =>
    shop.effects.done.filter((effect) => effect.order === order).map(({ name }) => name);
  const untilStatus = (order: string, status: string, timeout = 30_000) =>
    expect.poll(async () => (await orderOf(order))?.status, { timeout, interval: 50 }).toBe(status);
  const untilSettled = (timeout = 30_000) => expect.poll(unsettled, { timeout, interval: 100 }).toBe(0);

  return {
    ...{
      world,
      shop,
      temporal,
      environment,
      config,
      store,
      receiver,
      worker,
      newWorker,
      stopWorkers,
      warnings,
      defer,
    },
    ...{ send, sendBody, orderOf, outcomesOf, untilStatus, untilSettled, doneEffects },
    /** An order of the shop that is told event by event; each is true from then on, sent or not. */
    newOrder: () => tell(randomUUID(), (story, happening) => shop.world.happen(story, happening, Date.now())),
  };
}

async function startOwnTemporal(own: NonNullable<SystemOptions['ownTemporal']>) {
  if (own === false) return null;
  return await startTemporal({ dataDir: null, announce: () => {}, ...(own === true ? {} : own) });
}

export type System = Awaited<ReturnType<typeof startSystem>>;

function tell(order: string, happen: (story: Story, happening: Happening) => SandboxEvent) {
  const story: Story = {
    order,
    numericOrder: false,
    title: 'told by a test',
    happenings: [],
    truth: { status: '', effects: [] },
  };
  const say = (object: string, type: string, data: Record<string, string> = {}): SandboxEvent => {
    const payment = object.startsWith('payment:') ? object.slice('payment:'.length) : null;
    return happen(story, { object, type, payment, data });
  };
  return {
    id: order,
    say,
    created: () => say(`order:${order}`, 'order.created'),
    shipped: () => say(`shipment:${order}`, 'order.shipped'),
    captured: () => say(`payment:pay-${order}`, 'payment.captured', { amount: '1000', currency: 'EUR' }),
    failed: () => say(`payment:pay-${order}`, 'payment.failed'),
    cancelled: () => say(`order:${order}`, 'order.cancelled'),
  };
}
