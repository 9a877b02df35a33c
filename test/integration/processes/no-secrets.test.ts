/**
 * The whole system as operators run it, every log line written, and everything goes wrong that may quote something:
 * then all that people and machines can read of it is searched for what nobody may read there.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { Supervised } from '../../../src/dev/supervised.ts';
import { connectLazily } from '../../../src/temporal/connection.ts';
import { RequestIdClient } from '../../../src/temporal/request-id-client.ts';
import { workflowIdOf } from '../../../src/temporal/workflow-id.ts';
import { loadEnvironment } from '../../../src/config/environment.ts';
import { runCli } from '../cli/run-cli.ts';
import { answer, startReceiver } from '../effects/receiver.ts';
import { bodyOf, signed } from '../receiver/world.ts';
import { migratedStore } from '../store/migrated-store.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** What may stand nowhere, by what it is. */
const FORBIDDEN = {
  'the secret of the webhooks': `whsec_${base64('marker of the webhook secret')}`,
  'the key of the API': 'rk_live_markerOfTheApi',
  'the secret of the effects': `whsec_${base64('marker of the effects secret')}`,
  "the token in the effect's address": 'markerOfTheAddress',
  'a token of a request': 'markerOfTheRequest',
  'a mail address': 'jane.marker@example.com',
  'a card number': '4000056655665556',
  "what an effect's receiver answered": 's3cret',
};
const [SECRET, API_KEY, EFFECT_SECRET, ADDRESS_TOKEN, TOKEN, MAIL, CARD] = Object.values(FORBIDDEN) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const PERSON = { email: MAIL, card: { number: CARD }, amount: '500', currency: 'EUR' };

/** Other tests have orders of these ids on the same Temporal server. */
const ENVIRONMENT = `live-${randomUUID().slice(0, 8)}`;

const CONFIG = `
import { defineConfig, defineMachine, env, http, ignore } from 'inorder';
const order = defineMachine({
  name: 'order', version: 1, initial: 'new',
  statuses: { new: {}, paid: { effects: ['fulfil'] } },
  effects: { fulfil: { once: 'order', whenPassed: 'run' } },
  on: { 'payment.captured': { new: 'paid', else: ignore('paid already') } },
  unlisted: 'review',
});
const call = http({
  url: env('EFFECT_URL'), secret: env('EFFECT_SECRET'), keyTtl: '1h', allowPrivate: true,
  retry: { firstDelay: '50ms', maxDelay: '100ms' },
});
export default defineConfig({
  machines: [order],
  sources: {
    shop: {
      provider: 'sandbox', environment: '${ENVIRONMENT}', machine: 'order', unknownTypes: 'reject', gapTimeout: '50ms',
      secrets: [{ id: 'a', value: env('SHOP_SECRET') }], apiBase: env('API_URL'), apiKey: env('API_KEY'),
      types: { 'order.note_added': (body) => { throw new Error('no note: ' + JSON.stringify(body)); } },
    },
  },
  effects: { fulfil: call, pageUs: call },
  attention: { notify: 'pageUs' },
  // On a busy machine a call to Temporal may run out of time; the minute until it is repeated is another test's.
  redeliverAfter: '2s',
});`;

/** Answers as APIs do on bad days, and in the end as it should; each answer is full of what concerns nobody. */
async function startApi(): Promise<{ url: string; asked: () => number; stop: () => void }> {
  const object = 'payment:pi_1002';
  const good = {
    object,
    type: 'payment.captured',
    version: '2',
    payment: 'pi_1002',
    order: '1002',
    data: PERSON,
  };
  const answers: [number, string][] = [
    [500, JSON.stringify({ error: PERSON, key: API_KEY })],
    [200, `{"object": "${object}", ${MAIL} ${CARD}`],
    [200, JSON.stringify({ ...good, type: { of: PERSON } })],
    [200, JSON.stringify({ ...good, object: `payment:${MAIL}` })],
  ];
  let asked = 0;
  const server = createServer((_, response) => {
    const [status, body] = answers[asked] ?? [200, JSON.stringify(good)];
    asked += 1;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: () => asked, stop: () => void server.close() };
}

test('[R4] no secret, token or payload stands in a log, a metric, an answer, a history or an export', async () => {
  const { store, world } = await migratedStore();
  const api = await startApi();
  world.defer(api.stop);
  const effects = await startReceiver(answer(500), answer(422), answer(200));
  world.defer(effects.stop);
  const directory = await mkdtemp(join(tmpdir(), 'inorder-secrets-'));
  world.defer(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'inorder.config.ts'), CONFIG);
  const [port, receiverPort, workerPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const environment = {
    MYSQL_URL: world.mysqlUrl,
    TEMPORAL_ADDRESS: world.temporalAddress,
    INORDER_TASK_QUEUE: world.taskQueue,
    INORDER_CONFIG: join(directory, 'inorder.config.ts'),
    INORDER_LOG_LEVEL: 'trace',
    INORDER_HOST: '127.0.0.1',
    INORDER_PORT: String(port),
    SHOP_SECRET: SECRET,
    API_KEY,
    API_URL: api.url,
    EFFECT_SECRET,
    EFFECT_URL: `${effects.url}?token=${ADDRESS_TOKEN}`,
  };
  const start = async (name: 'receiver' | 'worker', operationsPort: number) => {
    const url = `http://127.0.0.1:${operationsPort}/metrics`;
    const own = { ...environment, INORDER_OPERATIONS_PORT: String(operationsPort) };
    const process = await Supervised.start({ name, directory, environment: own, readyUrl: url });
    world.defer(() => process.stop());
    return process;
  };
  const processes = [await start('receiver', receiverPort), await start('worker', workerPort)];
  for (const process of processes) await process.ready();

  const readable: Record<string, string> = {};
  const send = async (body: Buffer, headers = signed(body, { secret: SECRET })): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/webhooks/shop?token=${TOKEN}`, {
      method: 'POST',
      body,
      headers: { ...headers, authorization: `Bearer ${TOKEN}`, cookie: `session=${TOKEN}` },
    });
    readable['answers'] = `${readable['answers'] ?? ''}${response.status} ${await response.text()}\n`;
    return response.status;
  };
  const captured = bodyOf({ id: 'evt_1', data: PERSON });
  expect(await send(captured)).toBe(202);
  expect(await send(captured)).toBe(202);
  // The same id with other news, a mapping that throws, and all that is refused.
  expect(await send(bodyOf({ id: 'evt_1', data: { ...PERSON, amount: '7' } }))).toBe(202);
  expect(await send(bodyOf({ id: 'evt_2', type: 'order.note_added', data: PERSON }))).toBe(202);
  expect(await send(captured, signed(captured, { secret: `whsec_${base64('somebody else')}` }))).toBe(401);
  const broken = Buffer.from(`{"id": "evt_3", "email": "${MAIL}", "card": ${CARD}`);
  expect(await send(broken)).toBe(400);
  expect(await send(bodyOf({ type: 'payment.exploded', data: PERSON }))).toBe(422);
  expect(await send(bodyOf({ version: CARD.repeat(5), data: PERSON }))).toBe(400);
  // Its first version is lost: the provider is asked until it answers.
  expect(await send(bodyOf({ id: 'evt_4', order: '1002', version: 2, data: PERSON }))).toBe(202);
  const statuses = async () =>
    (await store.query<{ status: string }>('SELECT status FROM orders ORDER BY order_id')).map(
      ({ status }) => status,
    );
  await expect.poll(statuses, { timeout: 60_000, interval: 200 }).toEqual(['paid', 'paid']);
  const effectStates = async () =>
    (await store.query<{ state: string }>('SELECT DISTINCT state FROM effects')).map(({ state }) => state);
  await expect.poll(effectStates, { timeout: 30_000, interval: 200 }).toEqual(['done']);
  expect(api.asked()).toBeGreaterThan(4);

  for (const operationsPort of [receiverPort, workerPort]) {
    for (const path of ['metrics', 'healthz']) {
      const response = await fetch(`http://127.0.0.1:${operationsPort}/${path}`);
      readable[`${path} of ${operationsPort === workerPort ? 'the worker' : 'the receiver'}`] =
        await response.text();
    }
  }
  const commands = [
    ['orders', 'show', '1001'],
    ['orders', 'show', '1002', '--json'],
    ['orders', 'list', '--json'],
    ['events', 'list', '--json'],
    ['events', 'show', 'evt_1'],
    ['events', 'show', 'evt_2', '--json'],
    ['events', 'show', 'evt_4'],
    ['effects', 'list', '--json'],
    ['config', 'show'],
    ['config', 'check', '--json'],
    ['orders', 'show', 'nobody'],
  ];
  for (const command of commands) {
    const { stdout, stderr } = await runCli(command, { env: environment });
    readable[`inorder ${command.join(' ')}`] = `${stdout}\n${stderr}`;
    expect(`${stdout}${stderr}`, command.join(' ')).not.toBe('');
  }
  const client = new RequestIdClient({ connection: temporal(), namespace: world.namespace });
  for (const id of ['1001', '1002']) {
    const handle = client.getHandle(workflowIdOf({ machine: 'order', environment: ENVIRONMENT, id }));
    readable[`the history of ${id}`] = asText(await handle.fetchHistory());
    readable[`what Temporal's UI shows of ${id}`] = asText([
      await handle.query('__temporal_workflow_metadata'),
      (await handle.describe()).raw,
    ]);
  }
  readable['samples of what was refused'] = asText(await store.query('SELECT * FROM refusal_samples'));
  readable['stored errors'] = asText(
    await store.query('SELECT error FROM effects UNION SELECT error FROM attention_calls'),
  );
  readable['the journal'] = asText(await store.query('SELECT * FROM journal'));
  for (const process of processes) await process.stop();
  for (const { name, logFile } of processes)
    readable[`the log of the ${name}`] = await readFile(logFile, 'utf8');

  expect(readable['the log of the worker']).toMatch(/an answer could not be read/);
  expect(readable['the history of 1002']?.includes('payment.captured')).toBe(true);
  const found = Object.entries(readable).flatMap(([where, text]) =>
    Object.entries(FORBIDDEN).flatMap(([what, secret]) =>
      text.includes(secret) ? [`${what} in ${where}`] : [],
    ),
  );
  expect(found).toEqual([]);

  function temporal() {
    const connection = connectLazily(
      loadEnvironment({ MYSQL_URL: world.mysqlUrl, TEMPORAL_ADDRESS: world.temporalAddress }),
    );
    world.defer(() => connection.close());
    return connection;
  }
}, 180_000);

/** Payloads are bytes inside of it, which Temporal's own JSON writes as base64 under this name. */
const asText = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) => {
    if (name === 'data' && typeof part === 'string') return Buffer.from(part, 'base64').toString('utf8');
    if (isBufferJson(part)) return Buffer.from(part.data).toString('utf8');
    return typeof part === 'bigint' ? String(part) : part;
  });

const isBufferJson = (part: unknown): part is { type: 'Buffer'; data: number[] } =>
  typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer' && 'data' in part;
