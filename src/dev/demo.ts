/**
 * `inorder demo`: the first minute. Brings what is missing, starts receiver and worker as an operator would, sends
 * the storm, waits until all is settled, and compares with the truth of those who sent it.
 *
 * 1. Status 0 means that everything was right: orders, effects, refusals. Anything else is told.
 * 2. However it ends, what it started ends with it.
 */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count } from '../cli/count.ts';
import { selectUnfinished } from '../store/overview.ts';
import { openStore, type Store } from '../store/store.ts';
import { addresses } from './addresses.ts';
import { describe, describeDoubts, exampleOf, isRight, toJson } from './demo-report.ts';
import { aborted } from './interrupt.ts';
import { leaveDoubts } from './leave-doubts.ts';
import { givenServices, startOwnServices, type OwnServices } from './own-services.ts';
import { dropOwnVariables, tellOfDropped } from './own-variables.ts';
import { startProcesses } from './processes.ts';
import { playStorm } from './play-storm.ts';
import { ownDirectory } from './services/owned-directory.ts';
import { openShop, type Shop } from './shop.ts';
import { runStoppable, type Running } from './stoppable.ts';

export interface DemoOptions {
  exit: boolean;
  orders: number;
  seed: number;
  kill: boolean;
  json: boolean;
  /** Where its files lie; another one for a demo beside a demo. */
  directory: string;
}

const CONFIG_FILE = fileURLToPath(new URL('../../inorder.config.ts', import.meta.url));
const ORDERS_OF = { machine: 'order', environment: 'demo' };
const OTHER_DIRECTORY = 'start this demo with --directory and another folder';

export async function runDemo(options: DemoOptions): Promise<number> {
  const end = await runStoppable((running) => play(options, running));
  return typeof end === 'number' ? end : end.interrupted;
}

async function play(options: DemoOptions, stage: Running): Promise<number> {
  const { progress, closing, signal } = stage;
  const directory = resolve(options.directory);
  const owned = await ownDirectory(directory, OTHER_DIRECTORY);
  closing.add('the directory', () => owned.release());
  closing.add('the last word', () =>
    progress.say(`The demo's servers and data are gone; its logs stay in ${relative('', directory)}/.`),
  );
  const dropped = dropOwnVariables(process.env);
  for (const line of [...introduction(options), ...tellOfDropped(dropped)]) progress.say(line);

  const services = await startOwnServices({
    directory,
    lifetime: 'fresh',
    given: givenServices(),
    closing,
    announce: (line) => progress.say(line),
  });
  signal.throwIfAborted();
  const shop = await openShop(closing, { seed: String(options.seed) });
  const environment = environmentOf(services, shop);
  progress.say('Starting receiver and worker …');
  const processes = await startProcesses({
    directory,
    environment,
    ports: { port: 0, operationsPort: 0 },
    replacesMachines: false,
    closing,
    signal,
  });
  const store = openStore(services.mysqlUrl, { connections: 2 });
  closing.add('the connection to the database', () => store.close());

  // A server that has seen a demo before would know the orders of this seed.
  const mark = services.isFresh ? '' : `-${Date.now().toString(36)}`;
  const cast = { ordersOf: ORDERS_OF, mark, shop, processes, store };
  const outcome = await playStorm({ ...options, ...stage, ...cast });
  const example = exampleOf(outcome, outcome.naiveStatusOf);
  const say = (line: string) => (options.json ? progress.say(line) : process.stdout.write(`${line}\n`));
  say('');
  for (const line of describe(outcome)) say(line);
  if (outcome.isStuck) for (const line of await whatIsStuck(store)) say(line);
  for (const line of example ? ['', ...example.lines] : []) say(line);
  if (options.json) process.stdout.write(`${JSON.stringify(toJson(outcome))}\n`);

  let isAsPromised = isRight(outcome);
  if (!isAsPromised) say(`The logs of receiver and worker are in ${relative('', directory)}/processes/.`);
  if (!options.exit) {
    const doubts = await leaveDoubts({
      ...{ ...cast, signal, world: shop.world, secrets: shop.webhookSecrets },
      receiverUrls: [processes.webhooksUrl],
      failure: () => processes.receiver.failure ?? processes.worker.failure,
    });
    isAsPromised &&= doubts.undoubted.length === 0;
    for (const line of ['', ...describeDoubts(doubts)]) progress.say(line);
    const open = { directory, environment, services, processes, closing };
    await stayUp(stage, [...(await addresses(open)), ...lookAround(example?.order ?? null)]);
  }
  return isAsPromised ? 0 : 1;
}

function introduction({ orders, kill }: DemoOptions): string[] {
  return [
    `${count(orders, 'order')} of a made-up shop ${orders === 1 ? 'is' : 'are'} told by webhooks as real ones are: shuffled, repeated, lost, forged.`,
    'They go to inorder and to a handler that lets the last arrival win; both are compared with the truth.',
    `Everything is real (HTTP, signatures, MySQL, Temporal), on this machine only, and ends with Ctrl-C.${
      kill ? ' Receiver and worker are killed on the way.' : ''
    }`,
  ];
}

function environmentOf(services: OwnServices, shop: Shop): Record<string, string> {
  return {
    ...shop.environment,
    MYSQL_URL: services.mysqlUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    // On a server that others use, too, nobody else's worker takes our tasks.
    INORDER_TASK_QUEUE: services.isFresh ? 'inorder' : `inorder-demo-${process.pid}`,
    INORDER_CONFIG: CONFIG_FILE,
    INORDER_LOG_LEVEL: 'info',
  };
}

const MAX_STUCK = 15;

async function whatIsStuck(store: Store): Promise<string[]> {
  const unfinished = await selectUnfinished(store, MAX_STUCK);
  return [
    '',
    'Nothing moves any more, and these are not at their end:',
    ...unfinished.map(
      ({ order, what, state, reason }) =>
        `  order ${order}: ${what} ${state}${reason === null ? '' : ` (${reason})`}`,
    ),
  ];
}

/** Behind the line that reads the variables in. */
function lookAround(example: string | null): string[] {
  const commands = [
    'orders list --attention',
    'events list --outcome held',
    ...(example === null ? [] : [`orders show ${example}`]),
  ];
  return commands.map((command) => `              npx inorder ${command}`);
}

/** Until Ctrl-C; the addresses are for looking around. */
async function stayUp({ progress, signal }: Running, lines: string[]): Promise<void> {
  for (const line of ['', ...lines, 'Everything stays up until Ctrl-C.']) progress.say(line);
  await aborted(signal);
}
