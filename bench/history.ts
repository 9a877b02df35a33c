/**
 * History events per webhook (`node --import tsx bench/history.ts`): ten events of one order, each its own signal,
 * through four statuses and a deadline, effects recorded and not run; then a repeat; then a hint that is asked for.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadEnvironment } from '../src/config/environment.ts';
import { loadConfig } from '../src/config/load.ts';
import { createDeliver, requestIdOf } from '../src/dispatch/deliver.ts';
import { createPoliciesOf } from '../src/dispatch/policies.ts';
import { createLog } from '../src/log.ts';
import type { DispatchItem } from '../src/dispatch/dispatch.ts';
import { startWorker } from '../src/processes/worker.ts';
import { migrate } from '../src/store/migrate.ts';
import { openStore } from '../src/store/store.ts';
import { connectLazily } from '../src/temporal/connection.ts';
import { RequestIdClient } from '../src/temporal/request-id-client.ts';
import { workflowIdOf } from '../src/temporal/workflow-id.ts';
import { startServices } from './services.ts';
import { storeEvents } from './store-events.ts';
import { VARIABLES } from './variables.ts';

/** The order's own stream; the statuses are awaiting_payment, authorized, paid, shipped. */
const TYPES = [
  'order.created',
  'payment.failed',
  'payment.authorized',
  'payment.failed',
  'payment.captured',
  'payment.failed',
  'order.shipped',
  'payment.failed',
  'payment.failed',
  'order.created',
];

/** Answers every question as the last hint had it. */
let truth = { type: 'payment.captured', version: 0 };
const api = createServer((request, response) => {
  const object = decodeURIComponent((request.url ?? '').split('/objects/')[1] ?? '');
  response.end(JSON.stringify({ object, type: truth.type, version: String(truth.version), data: {} }));
});
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;

const services = await startServices();
try {
  const mysqlUrl = await services.database('history');
  const store = openStore(mysqlUrl);
  await migrate(store);
  const log = createLog('error', 'bench');
  const config = await loadConfig('inorder.config.ts', { ...VARIABLES, PAYMENTS_API_URL: apiUrl });
  for (const source of config.sources.values()) source.policy.effects = 'record';
  const payments = config.sources.get('payments');
  if (payments) Object.assign(payments.policy, { contract: 'unordered', lagWindowMs: 0 });
  const environment = loadEnvironment({
    ...{ MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: services.temporalAddress },
    ...{ INORDER_TASK_QUEUE: 'history', INORDER_OPERATIONS_PORT: '0' },
  });
  const worker = await startWorker(config, environment, { log });
  const connection = connectLazily(environment);
  const client = new RequestIdClient({ connection, namespace: environment.temporalNamespace });
  const deliver = createDeliver({ client, taskQueue: 'history', policiesOf: createPoliciesOf(config) });

  const send = async ({ key, event }: DispatchItem): Promise<void> => {
    const sent = await deliver(key, [event], requestIdOf([event]));
    if (sent.kind !== 'sent') throw sent.error;
  };
  const untilSettled = async ({ event }: DispatchItem): Promise<void> => {
    for (;;) {
      const [row] = await store.query<{ settled_at: string | null }>(
        'SELECT settled_at FROM events WHERE seq = ?',
        [BigInt(event.seq)],
      );
      if (row?.settled_at !== null) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  };
  const lengthOf = async ({ key }: DispatchItem): Promise<number> => {
    // The task that settled the event is completed a moment after the store has it.
    const handle = client.getHandle(workflowIdOf(key));
    await handle.query('state');
    return (await handle.describe()).historyLength;
  };
  const scope = { environment: 'demo', machine: 'order', orders: 1 };

  const ten = await storeEvents(store, { ...scope, source: 'shop', mark: 'ten', types: TYPES });
  for (const item of ten) {
    await send(item);
    await untilSettled(item);
  }
  const [first] = ten as [DispatchItem];
  const afterTen = await lengthOf(first);
  print('a sequence event', afterTen / TYPES.length, 6);
  await send(first);
  print('a duplicate', (await lengthOf(first)) - afterTen, 0);

  const hintTypes = ['payment.captured', 'payment.refunded'];
  const hints = await storeEvents(store, { ...scope, source: 'payments', mark: 'hint', types: hintTypes });
  const lengths: number[] = [];
  for (const item of hints) {
    truth = { type: item.event.type as string, version: truth.version + 1 };
    await send({ key: item.key, event: { ...item.event, version: null } });
    await untilSettled(item);
    lengths.push(await lengthOf(item));
  }
  const [opened, second] = lengths as [number, number];
  print('a hint, of an order that is known', second - opened, 9);

  await worker.stop();
  await connection.close();
  await store.close();
} finally {
  api.close();
  api.closeAllConnections();
  await services.stop();
}

function print(what: string, events: number, aim: number): void {
  console.log(`${what}: ${events} history events (aim ≤ ${aim}: ${events <= aim ? 'met' : 'missed'})`);
}
