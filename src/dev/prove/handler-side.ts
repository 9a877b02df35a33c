/** The four handlers as processes of their own, each with a database of its own, kept up as by any supervisor. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Closing } from '../../processes/closing.ts';
import { createDatabase, dropDatabase, type DatabaseName } from '../../store/database.ts';
import { findFreePort } from '../services/free-port.ts';
import { Supervised } from '../supervised.ts';
import { startEffectCounter, type EffectCounter } from './effect-counter.ts';
import { CRASH_POINTS } from './handlers/handler.ts';
import { HANDLER_NAMES, type HandlerName, type HandlerOrder } from './handlers/handlers.ts';
import { createShopTables, selectShopStatuses } from './handlers/shop-database.ts';

const PROGRAM = fileURLToPath(new URL('./handlers/handler-process.ts', import.meta.url));

export interface HandlerSide {
  name: HandlerName;
  webhooksUrl: string;
  /** By the delivery's id. */
  wasKilledAt: (delivery: string) => boolean;
  /** How often that was, by point. */
  kills: () => Promise<Record<string, number>>;
  effects: EffectCounter;
  statuses: () => Promise<Map<string, string>>;
  readonly failure: Error | null;
}

export interface HandlersOptions extends Pick<HandlerOrder, 'api' | 'secrets'> {
  directory: string;
  mysqlUrl: string;
  orders: readonly string[];
  closing: Closing;
  signal: AbortSignal;
}

export async function startHandlers(options: HandlersOptions): Promise<HandlerSide[]> {
  return await Promise.all(HANDLER_NAMES.map((name) => startHandler(name, options)));
}

async function startHandler(name: HandlerName, options: HandlersOptions): Promise<HandlerSide> {
  const { directory, closing, signal, api, secrets } = options;
  const run = `${Date.now().toString(36)}${process.pid.toString(36)}`;
  const database: DatabaseName = `inorder_prove_${name.toLowerCase()}_${run}`;
  const mysqlUrl = await createDatabase(options.mysqlUrl, database, { replace: true });
  closing.add(`the database of ${name}`, () => dropDatabase(options.mysqlUrl, database));
  await createShopTables(mysqlUrl, options.orders);
  const effects = await startEffectCounter();
  closing.add(`the receiver of ${name}'s effects`, () => effects.close());

  const port = await findFreePort();
  const crashFolder = join(directory, 'crash', name);
  await mkdir(crashFolder, { recursive: true });
  const order: HandlerOrder = {
    ...{ handler: name, port, mysqlUrl, effectsUrl: effects.url, api, secrets, crashFolder },
  };
  const file = join(directory, `${name}.json`);
  // Secrets stand in it.
  await writeFile(file, JSON.stringify(order), { mode: 0o600 });
  const handler = await Supervised.start({
    name,
    command: ['--import', import.meta.resolve('tsx'), PROGRAM, file],
    environment: {},
    directory: join(directory, 'processes'),
    readyUrl: `http://127.0.0.1:${port}/livez`,
  });
  closing.add(`the handler ${name}`, () => handler.stop());
  await handler.ready(signal);
  return {
    name,
    webhooksUrl: `http://127.0.0.1:${port}/webhooks`,
    wasKilledAt: (delivery) => existsSync(join(crashFolder, delivery)),
    async kills() {
      const files = (await readdir(crashFolder)).map((file) => readFile(join(crashFolder, file), 'utf8'));
      const points = await Promise.all(files);
      return Object.fromEntries(
        CRASH_POINTS.map((point) => [point, points.filter((other) => other === point).length]),
      );
    },
    effects,
    statuses: () => selectShopStatuses(mysqlUrl),
    get failure() {
      return handler.failure;
    },
  };
}
