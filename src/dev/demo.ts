/**
 * `inorder demo`: the first minute. Brings what is missing, starts receiver and worker as an operator would, sends
 * the storm, waits until all is settled, and compares with the truth of those who sent it.
 *
 * 1. Status 0 means that everything was right: orders, effects, refusals. Anything else is told.
 * 2. However it ends, what it started ends with it.
 */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countWaited, selectOverview, selectStatuses, selectUnfinished } from '../store/overview.ts';
import { openStore, type Store } from '../store/store.ts';
import { addresses } from './addresses.ts';
import { awaitSettled, openEffects } from './await-settled.ts';
import { Closing } from '../processes/closing.ts';
import { compare } from './compare.ts';
import { describe, exampleOf, isRight, toJson, type DemoOutcome } from './demo-report.ts';
import { aborted, catchInterrupt } from './interrupt.ts';
import { killWhileBusy } from './killer.ts';
import { givenServices, startOwnServices, type OwnServices } from './own-services.ts';
import { dropOwnVariables, tellOfDropped } from './own-variables.ts';
import { startProcesses, type Processes } from './processes.ts';
import { Progress } from './progress.ts';
import { createRandom } from './sandbox/random.ts';
import { tellStories } from './sandbox/stories.ts';
import { ownDirectory } from './services/owned-directory.ts';
import { openShop, type Shop } from './shop.ts';
import { startNaiveHandler } from './traffic/naive-handler.ts';
import { sendStorm } from './traffic/send.ts';
import { Sluice } from './traffic/sluice.ts';
import { planStorm } from './traffic/storm.ts';

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
const KILLS_EACH = 3;

export async function runDemo(options: DemoOptions): Promise<number> {
  const progress = new Progress();
  const say = (line: string) => progress.say(line);
  const closing = new Closing(say);
  const interrupt = catchInterrupt(() => say('stopping …'));
  try {
    return await play(options, { progress, closing, signal: interrupt.signal });
  } catch (error) {
    if (interrupt.status === null) throw error;
    return interrupt.status;
  } finally {
    progress.end();
    await closing.close();
    interrupt.release();
  }
}

interface Stage {
  progress: Progress;
  closing: Closing;
  signal: AbortSignal;
}

async function play(options: DemoOptions, stage: Stage): Promise<number> {
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

  const outcome = await runStorm(options, stage, { services, shop, processes, store });
  const say = (line: string) => (options.json ? progress.say(line) : process.stdout.write(`${line}\n`));
  say('');
  for (const line of outcome.lines) say(line);
  const status = isRight(outcome) ? 0 : 1;
  if (status !== 0) say(`The logs of receiver and worker are in ${relative('', directory)}/processes/.`);
  if (options.json) process.stdout.write(`${JSON.stringify(toJson(outcome))}\n`);
  if (!options.exit) {
    await stayUp(stage, { directory, environment, services, processes, example: outcome.example });
  }
  return status;
}

function introduction({ orders, kill }: DemoOptions): string[] {
  return [
    `${orders} orders of a made-up shop are told by webhooks as real ones are: shuffled, repeated, lost, forged.`,
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

interface Cast {
  services: OwnServices;
  shop: Shop;
  processes: Processes;
  store: Store;
}

async function runStorm(
  options: DemoOptions,
  { progress, closing, signal }: Stage,
  { services, shop, processes, store }: Cast,
): Promise<DemoOutcome & { lines: string[]; example: string | null }> {
  const random = createRandom(String(options.seed));
  // A server that has seen a demo before would know the orders of this seed.
  const mark = services.isFresh ? '' : `-${Date.now().toString(36)}`;
  const stories = tellStories(options.orders, random.fork('stories'), mark);
  const storm = planStorm(stories, durationMs(options), random.fork('storm'));
  const naive = await startNaiveHandler({
    shop: secretsOf(shop.webhookSecrets.shop),
    payments: secretsOf(shop.webhookSecrets.payments),
  });
  closing.add('the naive handler', () => naive.close());

  const startedAtMs = Date.now();
  let sent = 0;
  let kills = 0;
  // Each kill gets its own part of the storm, so that there is work whenever one falls, and some left at the end.
  const parts = KILLS_EACH * 2 + 1;
  const partSize = Math.ceil(storm.deliveries.length / parts);
  const sluice = new Sluice(options.kill ? 0 : Infinity);
  let opened = 0;
  const show = (unsettled: number, effects: number) =>
    progress.show(
      () =>
        `${sent} of ${storm.deliveries.length} webhooks sent · ${unsettled} events and ${effects} effects open` +
        `${options.kill ? ` · ${kills} kills` : ''} · ${Math.round((Date.now() - startedAtMs) / 1_000)} s`,
    );
  const look = async () => {
    const overview = await selectOverview(store);
    show(overview.unsettled, openEffects(overview));
    return overview.unsettled + openEffects(overview);
  };
  const failure = () => processes.receiver.failure ?? processes.worker.failure;

  const killing = options.kill
    ? killWhileBusy({
        targets: [processes.receiver, processes.worker],
        times: KILLS_EACH,
        bringWork: () => sluice.openTo((opened += partSize)),
        isBusy: async () => (await look()) > 0,
        random: random.fork('kill'),
        onKill: (name, count) => {
          kills = count;
          progress.say(`killed the ${name} (${count} of ${KILLS_EACH * 2})`);
        },
        signal,
      })
    : Promise.resolve(0);
  const openAll = () => sluice.openTo(Infinity);
  void killing.then(openAll, openAll);

  const ledger = await sendStorm(storm, {
    world: shop.world,
    receiverUrl: processes.webhooksUrl,
    naiveUrl: naive.url,
    secrets: shop.webhookSecrets,
    random: random.fork('send'),
    onProgress: (done) => {
      sent = done;
      progress.show(() => `${sent} of ${storm.deliveries.length} webhooks sent`);
    },
    hold: (index) => sluice.wait(index),
    failure,
    signal,
  });
  await killing;

  const compareNow = async () =>
    compare(
      stories,
      await selectStatuses(store, ORDERS_OF),
      (order) => naive.statusOf(order),
      shop.effects.done,
    );
  const end = await awaitSettled(store, {
    isAsExpected: async () => (await compareNow()).wrong.length === 0,
    onLook: (overview) => show(overview.unsettled, openEffects(overview)),
    failure,
    signal,
  });
  progress.end();

  const outcome: DemoOutcome = {
    comparison: await compareNow(),
    ledger: ledger.counts(),
    storm,
    events: (await selectOverview(store)).events,
    waited: await countWaited(store),
    effectCalls: shop.effects.calls,
    offences: shop.effects.offences,
    asked: shop.sandbox.asked,
    kills,
    seconds: Math.round((Date.now() - startedAtMs) / 100) / 10,
  };
  const example = exampleOf(outcome, (order) => naive.statusOf(order));
  const lines = [
    ...describe(outcome),
    ...(end === 'stuck' ? await whatIsStuck(store) : []),
    ...(example ? ['', ...example.lines] : []),
  ];
  return { ...outcome, lines, example: example?.order ?? null };
}

const secretsOf = (values: string[]) =>
  values.map((value, index) => ({ id: String(index), value, untilMs: null }));

/** Long enough to watch, and for six kills with a living pair in between. */
const durationMs = ({ orders, kill }: DemoOptions): number =>
  kill ? Math.max(25_000, orders * 80) : Math.max(4_000, orders * 40);

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

interface Open {
  directory: string;
  environment: Record<string, string>;
  services: OwnServices;
  processes: Processes;
  example: string | null;
}

/** Until Ctrl-C; the addresses are for looking around. */
async function stayUp({ progress, closing, signal }: Stage, open: Open): Promise<void> {
  progress.say('');
  for (const line of await addresses({ ...open, closing })) progress.say(line);
  if (open.example) progress.say(`              npx inorder orders show ${open.example}`);
  progress.say('Everything stays up until Ctrl-C.');
  await aborted(signal);
}
