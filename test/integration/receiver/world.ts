/** A receiver as the process starts it, over real servers, with a sender that signs as the sandbox does. */
import { randomUUID } from 'node:crypto';

import { checkConfig } from '../../../src/config/check.ts';
import type { Config } from '../../../src/config/resolved.ts';
import type { ConfigDefinition, SourceDefinition } from '../../../src/config/written.ts';
import { createLog } from '../../../src/log.ts';
import { defineMachine } from '../../../src/ordering/machine.ts';
import { startReceiver } from '../../../src/processes/receiver.ts';
import type { ReceiverOptions, RunningReceiver } from '../../../src/processes/receiver.ts';
import type { Environment } from '../../../src/config/environment.ts';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Store } from '../../../src/store/store.ts';
import { setup } from '../setup.ts';

export const SECRET = 'whsec_aW5vcmRlci10ZXN0LXNlY3JldC0wMDAx';

const machine = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: { new: {}, paid: {}, cancelled: {} },
  effects: {},
  on: {
    'payment.captured': { new: 'paid', else: { ignore: 'paid already' } },
    'order.cancelled': { new: 'cancelled', paid: 'cancelled', else: { ignore: 'cancelled already' } },
  },
  unlisted: 'ask',
});

const shop: SourceDefinition = {
  provider: 'sandbox',
  environment: 'live',
  machine: 'order',
  secrets: [{ id: 'a', value: SECRET }],
  unknownTypes: 'reject',
  contract: 'monotonic',
};

export interface Message {
  id?: string;
  type?: string;
  order?: string | null;
  kind?: string;
  object?: string;
  version?: number | string | null;
  created?: string;
  mode?: string;
  data?: Record<string, unknown>;
}

/** The bytes the sandbox would send. */
export function bodyOf(message: Message = {}): Buffer {
  const { id = `evt_${randomUUID()}`, type = 'payment.captured', kind = 'payment', version = 1 } = message;
  const order = message.order === undefined ? '1001' : message.order;
  const { object = `pi_${order ?? id}` } = message;
  return Buffer.from(
    JSON.stringify({
      id,
      type,
      created: message.created ?? '2026-11-30T12:00:00.123456Z',
      ...(order === null ? {} : { order }),
      object: { kind, id: object },
      ...(version === null ? {} : { version }),
      ...(message.mode === undefined ? {} : { mode: message.mode }),
      data: message.data ?? { amount: '500', currency: 'EUR' },
    }),
  );
}

/** The headers that make `body` authentic, at this second unless said otherwise. */
export function signed(
  body: Buffer | string,
  { secret = SECRET, atMs = Date.now(), id = `msg_${randomUUID()}` } = {},
): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...signStandardWebhook(secret, { id, timestampSeconds: Math.floor(atMs / 1_000), body }),
  };
}

export interface StoredRow {
  seq: string;
  source: string;
  event_id: string;
  order_id: string | null;
  type: string | null;
  provider_type: string;
  object: string;
  version: string | null;
  outcome: string | null;
  reason: string | null;
  taken_at: string | null;
  settled_at: string | null;
  secret_id: string;
  fingerprint: Buffer;
  headers: Buffer;
  conflict_of: string | null;
}

export interface World {
  url: string;
  operationsUrl: string;
  mysqlUrl: string;
  config: Config;
  environment: Environment;
  receiver: RunningReceiver;
  store: Store;
  /** Lines of the receiver's log so far. */
  log: Record<string, unknown>[];
  post(body: Buffer, headers?: Record<string, string>, source?: string): Promise<Answered>;
  /** A well-formed, signed delivery. */
  deliver(message?: Message, source?: string): Promise<Answered>;
  rows(): Promise<StoredRow[]>;
  metric(name: string, labels?: Record<string, string>): Promise<number>;
  defer(close: () => unknown): void;
  cleanup(): Promise<void>;
}

export interface Answered {
  status: number;
  headers: Headers;
  body: { status?: string; error?: string; message?: string };
}

export interface WorldOptions extends Omit<ReceiverOptions, 'log'> {
  sources?: Record<string, Partial<SourceDefinition>>;
  environment?: Partial<Environment>;
  /** The database as the receiver reaches it; the test's own statements go straight to it. */
  mysqlUrl?: (direct: string) => Promise<string>;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { sources = { shop: {} }, environment: changes = {}, ...rest } = options;
  const { mysqlUrl, temporalAddress, namespace, taskQueue, defer, cleanup } = await setup();
  const config = configOf(sources);
  const environment: Environment = {
    mysqlUrl: options.mysqlUrl ? await options.mysqlUrl(mysqlUrl) : mysqlUrl,
    temporalAddress,
    temporalNamespace: namespace,
    taskQueue,
    configFile: 'test',
    host: '127.0.0.1',
    port: 0,
    operationsHost: '127.0.0.1',
    operationsPort: 0,
    publicUrl: null,
    canarySecret: null,
    logLevel: 'debug',
    ...changes,
  };
  const log: Record<string, unknown>[] = [];
  const write = (line: string): void => void log.push(JSON.parse(line) as Record<string, unknown>);
  const receiver = await startReceiver(config, environment, {
    ...rest,
    log: createLog('debug', 'receiver', { write }),
  });
  defer(() => receiver.stop());
  const store = openStore(mysqlUrl, { connections: 2 });
  defer(() => store.close());
  const url = `http://127.0.0.1:${String(receiver.port)}`;
  const operationsUrl = `http://127.0.0.1:${String(receiver.operationsPort)}`;

  const post: World['post'] = async (body, headers = signed(body), source = 'shop') => {
    const response = await fetch(`${url}/webhooks/${source}`, { method: 'POST', body, headers });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answered['body'],
    };
  };
  return {
    url,
    operationsUrl,
    mysqlUrl,
    config,
    environment,
    receiver,
    store,
    log,
    post,
    deliver: (message, source) => post(bodyOf(message), undefined, source),
    rows: () => store.query<StoredRow>('SELECT * FROM events ORDER BY seq'),
    metric: async (name, labels = {}) => metricOf(await textOf(`${operationsUrl}/metrics`), name, labels),
    defer,
    cleanup,
  };
}

function configOf(sources: Record<string, Partial<SourceDefinition>>): Config {
  const definition: ConfigDefinition = {
    machines: [machine],
    sources: Object.fromEntries(Object.entries(sources).map(([name, own]) => [name, { ...shop, ...own }])),
    effects: {},
  };
  const checked = checkConfig(definition, '/test/inorder.config.ts', {}, { skipsProofs: true });
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  return checked.config;
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** The sum over all lines that carry these labels. */
function metricOf(text: string, name: string, labels: Record<string, string>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((pair) => line.includes(pair)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
