/**
 * What chaos plays on: a database and a Temporal of its own, two receivers, two workers, the sandbox providers and the
 * effects' receiver, each process with a proxy of its own before everything it speaks to.
 *
 * 1. Everything is private to the run and ends with it: nobody else's server is ever touched.
 * 2. Whoever looks at the end (the judge, the doctor) goes to the database past the proxies.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Closing } from '../../processes/closing.ts';
import { createDatabase } from '../../store/database.ts';
import { openStore, type Store } from '../../store/store.ts';
import { openCrashPoints, type Arrival } from '../crash-points.ts';
import { findFreePort } from '../services/free-port.ts';
import { startMysql, type MysqlService } from '../services/mysql.ts';
import type { RunningService } from '../services/service.ts';
import { startTemporal } from '../services/temporal.ts';
import { openShop, type Shop } from '../shop.ts';
import { Supervised } from '../supervised.ts';
import { startCutProxy, type CutProxy } from './cut-proxy.ts';
import type { ProcessKind, Upstream } from './fault.ts';
import { FILLABLE } from './full-disk.ts';

export interface Stage {
  shop: Shop;
  services: { mysql: MysqlService; temporal: RunningService };
  /** Of the database; see full-disk.ts. */
  dataFile: string;
  /** Those of `receiver 1`, `worker 2` and so on. */
  processes: Map<string, StagedProcess>;
  store: Store;
  /** What the commands of inorder need to look at this stack. */
  environment: Record<string, string>;
  receiverUrls: string[];
  failure: () => Error | null;
}

export interface StagedProcess {
  supervised: Supervised;
  proxies: Record<Upstream, CutProxy>;
  setClock(byMs: number): Promise<void>;
}

export interface StageOptions {
  directory: string;
  seed: number;
  onArrival: (arrival: Arrival) => Promise<void>;
  closing: Closing;
  announce: (line: string) => void;
  signal: AbortSignal;
}

export const nameOf = (process: ProcessKind, number: number): string => `${process} ${number}`;

const CONFIG_FILE = fileURLToPath(new URL('../../../inorder.config.ts', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./chaos-process.ts', import.meta.url));
const HOST = '127.0.0.1';
const NUMBERS = [1, 2];

export async function openStage(options: StageOptions): Promise<Stage> {
  const { directory, closing, announce, signal } = options;
  await mkdir(directory, { recursive: true });
  const starts = [
    startMysql({ dataDir: join(directory, 'mysql'), isTemporary: true, arguments: FILLABLE, announce }),
    startTemporal({ dataDir: join(directory, 'temporal'), isEmptied: true, announce }),
  ] as const;
  const [mysqlStart, temporalStart] = await Promise.allSettled(starts);
  if (mysqlStart.status === 'fulfilled') closing.add('MySQL', () => mysqlStart.value.stop());
  if (temporalStart.status === 'fulfilled') closing.add('Temporal', () => temporalStart.value.stop());
  const [mysql, temporal] = await Promise.all(starts);
  signal.throwIfAborted();

  const mysqlUrl = await createDatabase(mysql.url, 'inorder_chaos', { replace: true });
  const shop = await openShop(closing, { seed: String(options.seed) });
  const points = await openCrashPoints(options.onArrival);
  closing.add('the named points', () => points.close());
  const environment = {
    ...shop.environment,
    MYSQL_URL: mysqlUrl,
    TEMPORAL_ADDRESS: temporal.address,
    INORDER_CONFIG: CONFIG_FILE,
    INORDER_LOG_LEVEL: 'info',
  };

  const processes = new Map<string, StagedProcess>();
  const start = async (process: ProcessKind, number: number): Promise<string> => {
    const { environment: own, proxies } = await proxied(environment, shop, closing);
    const ports = { port: await findFreePort(), operationsPort: await findFreePort() };
    const folder = join(directory, nameOf(process, number).replace(' ', '-'));
    const clockFile = join(folder, 'clock');
    await rm(clockFile, { force: true });
    const publicUrl = `http://${HOST}:${ports.port}`;
    const supervised = await Supervised.start({
      name: process,
      command: [
        ...['--import', import.meta.resolve('tsx'), PROGRAM, process],
        ...[String(number), points.url, clockFile],
      ],
      directory: folder,
      environment: {
        ...own,
        INORDER_HOST: HOST,
        INORDER_OPERATIONS_HOST: HOST,
        INORDER_PORT: String(ports.port),
        INORDER_OPERATIONS_PORT: String(ports.operationsPort),
      },
      readyUrl: `${process === 'receiver' ? publicUrl : `http://${HOST}:${ports.operationsPort}`}/livez`,
    });
    closing.add(nameOf(process, number), () => supervised.stop());
    processes.set(nameOf(process, number), {
      ...{ supervised, proxies },
      setClock: (byMs) => writeFile(clockFile, String(byMs)),
    });
    return publicUrl;
  };
  for (const number of NUMBERS) await start('worker', number);
  const receivers = [];
  for (const number of NUMBERS) receivers.push(await start('receiver', number));
  const all = [...processes.values()];
  await Promise.all(all.map(({ supervised }) => supervised.ready(signal)));

  const store = openStore(mysqlUrl, { connections: 2 });
  closing.add('the connection to the database', () => store.close());
  return {
    ...{ shop, processes, store, environment },
    dataFile: join(directory, 'mysql', 'data', 'ibdata1'),
    services: { mysql, temporal },
    receiverUrls: receivers.map((url) => `${url}/webhooks`),
    failure: () =>
      all.map(({ supervised }) => supervised.failure).find((failure) => failure !== null) ?? null,
  };
}

/** The same variables, with every address that of a proxy. */
async function proxied(environment: Record<string, string>, shop: Shop, closing: Closing) {
  const open = async (address: string): Promise<CutProxy> => {
    const { hostname, port } = new URL(address);
    const proxy = await startCutProxy({ host: hostname, port: Number(port) });
    closing.add('a proxy', () => proxy.close());
    return proxy;
  };
  const { MYSQL_URL = '', TEMPORAL_ADDRESS = '', EFFECTS_URL = '' } = environment;
  const proxies = {
    mysql: await open(MYSQL_URL),
    temporal: await open(`http://${TEMPORAL_ADDRESS}`),
    effects: await open(EFFECTS_URL),
    api: await open(shop.sandbox.url),
  };
  const through = (name: string, { port }: CutProxy): [string, string] => {
    const url = new URL(environment[name] ?? '');
    url.port = String(port);
    return [name, url.href.replace(/\/$/, '')];
  };
  const own = Object.fromEntries([
    through('MYSQL_URL', proxies.mysql),
    through('EFFECTS_URL', proxies.effects),
    through('SHOP_API_URL', proxies.api),
    through('PAYMENTS_API_URL', proxies.api),
    ['TEMPORAL_ADDRESS', `${HOST}:${proxies.temporal.port}`],
  ] as [string, string][]);
  return { environment: { ...environment, ...own }, proxies };
}
