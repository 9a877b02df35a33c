/**
 * How fast stored events become settled ones, beside the floor in the same run: one event per order, and ten per
 * order that waited for Temporal. `node --import tsx bench/apply.ts [orders]`; machine and load are printed with it.
 */
import { cpus, loadavg } from 'node:os';
import { NativeConnection } from '@temporalio/worker';
import { loadEnvironment } from '../src/config/environment.ts';
import { loadConfig } from '../src/config/load.ts';
import { createDeliver } from '../src/dispatch/deliver.ts';
import { createDispatch } from '../src/dispatch/dispatch.ts';
import { createPoliciesOf } from '../src/dispatch/policies.ts';
import { createLog } from '../src/log.ts';
import { startWorker } from '../src/processes/worker.ts';
import { migrate } from '../src/store/migrate.ts';
import { openStore } from '../src/store/store.ts';
import type { Store } from '../src/store/store.ts';
import { connectLazily } from '../src/temporal/connection.ts';
import { Reachability } from '../src/temporal/reachability.ts';
import { RequestIdClient } from '../src/temporal/request-id-client.ts';
import { installRuntime } from '../src/temporal/runtime.ts';
import { runApplyFloor } from './floors/apply.ts';
import { startServices } from './services.ts';
import type { BenchServices } from './services.ts';
import { storeEvents } from './store-events.ts';
import { VARIABLES } from './variables.ts';

const CALLS_IN_FLIGHT = 32;
const EVENTS_WAITING = 10;
const orders = Number(process.argv[2] ?? 1_000);
const waitingOrders = Math.max(1, Math.round(orders / EVENTS_WAITING));
const log = createLog('error', 'bench');

async function floor(services: BenchServices, name: string, count: number, eventsPerOrder: number) {
  const { temporalAddress } = services;
  const native = await NativeConnection.connect({ address: temporalAddress });
  const connection = connectLazily({ temporalAddress });
  const store = openStore(await services.database(name), { connections: 24 });
  const seconds = await runApplyFloor({
    ...{ store, connection, native, taskQueue: name, eventsPerOrder },
    ...{ orders: count, callsInFlight: CALLS_IN_FLIGHT },
  });
  await store.close();
  await native.close();
  await connection.close();
  return (count * eventsPerOrder) / seconds;
}

/** `waiting`: nothing is offered; the sweeper finds it, as after an outage. */
async function ours(services: BenchServices, name: string, types: string[], count: number, waiting: boolean) {
  const { temporalAddress } = services;
  const mysqlUrl = await services.database(name);
  const store = openStore(mysqlUrl);
  await migrate(store);
  const config = await loadConfig('inorder.config.ts', VARIABLES);
  const environment = loadEnvironment({
    ...{ MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress },
    ...{ INORDER_TASK_QUEUE: name, INORDER_OPERATIONS_PORT: '0' },
  });
  config.redeliverAfterMs = waiting ? 1 : 30_000;
  const scope = { source: 'shop', environment: 'demo', machine: 'order', mark: name };
  const plan = { ...scope, orders: count, types };
  const before = waiting ? [] : await storeEvents(store, plan);
  const worker = await startWorker(config, environment, { log });
  const startedAt = performance.now();
  // What waits appears at once before a sweeper that runs already, as when Temporal comes back.
  const items = waiting ? await storeEvents(store, plan) : before;
  const connection = connectLazily(environment);
  const client = new RequestIdClient({ connection, namespace: environment.temporalNamespace });
  const reachability = new Reachability({ probe: () => Promise.resolve(), log });
  const deliver = createDeliver({ client, taskQueue: name, policiesOf: createPoliciesOf(config) });
  const dispatch = createDispatch({ deliver, reachability, log, maxCallsInFlight: CALLS_IN_FLIGHT });
  if (!waiting) dispatch.offer(items);
  await untilSettled(store);
  const seconds = (performance.now() - startedAt) / 1_000;
  await dispatch.stop();
  await worker.stop();
  await connection.close();
  await store.close();
  return items.length / seconds;
}

async function untilSettled(store: Store): Promise<void> {
  for (;;) {
    const [row] = await store.query<{ left: string }>(
      'SELECT COUNT(*) AS `left` FROM events WHERE settled_at IS NULL',
    );
    if (row?.left === '0' || Number(row?.left) === 0) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

function print(what: string, real: number, base: number, aim: number): void {
  const ratio = real / base;
  const verdict = ratio >= aim ? 'met' : 'missed';
  console.log(
    `${what}: ${Math.round(real)}/s beside a floor of ${Math.round(base)}/s = ${ratio.toFixed(2)} (aim ${aim}: ${verdict})`,
  );
}

const services = await startServices();
try {
  installRuntime(log);
  console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${orders} orders`);
  // Cold code would be the floor's burden alone: both run once before they are measured.
  await floor(services, 'warm_floor', 50, 1);
  await ours(services, 'warm_ours', ['order.created'], 50, false);
  const base = await floor(services, 'floor_one', orders, 1);
  print(
    'apply, one event per order',
    await ours(services, 'ours_one', ['order.created'], orders, false),
    base,
    0.9,
  );
  const backlogBase = await floor(services, 'floor_ten', waitingOrders, EVENTS_WAITING);
  const types = Array.from({ length: EVENTS_WAITING }, () => 'payment.failed');
  print(
    'backlog, ten events per order',
    await ours(services, 'ours_ten', types, waitingOrders, true),
    backlogBase,
    2,
  );
} finally {
  await services.stop();
}
