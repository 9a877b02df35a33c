/**
 * `npm run prove`: the same stories through inorder and through four handlers that people write today, on this machine,
 * with everything real: processes, HTTP, signatures, MySQL, Temporal, SIGKILL. Then each order's end is compared with
 * what is true.
 *
 * 1. Status 0 means: inorder ended every order true, with no effect doubled or missing; each of the four was wrong
 *    somewhere; and all five were right about what came in order, once, and without a crash.
 * 2. However it ends, what it started ends with it.
 */
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { count } from '../../cli/count.ts';
import { importConfig } from '../../config/load.ts';
import type { MachineDefinition } from '../../ordering/machine.ts';
import { selectOverview, selectStatuses, selectUnfinished, type Overview } from '../../store/overview.ts';
import { openStore } from '../../store/store.ts';
import { awaitSettled, openEffects } from '../await-settled.ts';
import { givenServices, startOwnServices, type OwnServices } from '../own-services.ts';
import { dropOwnVariables, tellOfDropped } from '../own-variables.ts';
import { ownDirectory } from '../services/owned-directory.ts';
import { openShop, type Shop } from '../shop.ts';
import { runStoppable, type Running } from '../stoppable.ts';
import { deliverAll } from './deliver.ts';
import { playEverySequence } from './every-sequence.ts';
import { startHandlers } from './handler-side.ts';
import { INORDER_CONFIG, startInorder } from './inorder-side.ts';
import { isZero, judge } from './judge.ts';
import { planProof } from './plan.ts';
import type { Proof, ProveOptions } from './proof.ts';

const ORDERS_OF = { machine: 'order', environment: 'demo' };
const OTHER_DIRECTORY = 'start this proof with --directory and another folder';
/** The stories happened shortly before now: a machine's deadlines count from what events say. */
const CLAIMED_BEFORE_MS = 3_600_000;
const MAX_STUCK = 10;
/** Two requests to a provider that overlap come back in either order. */
const TRAVEL_MS = 60;

/** The status of an interrupt, when one ended it. */
export function prove(options: ProveOptions): Promise<Proof | { interrupted: number }> {
  return runStoppable((running) => run(options, running));
}

async function run(options: ProveOptions, { progress, closing, signal }: Running): Promise<Proof> {
  const directory = resolve(options.directory);
  const owned = await ownDirectory(directory, OTHER_DIRECTORY);
  closing.add('the directory', () => owned.release());
  closing.add('the last word', () =>
    progress.say(
      `The proof's servers and data are gone; its logs stay in ${relative('', directory)}/processes/.`,
    ),
  );
  for (const line of introduction(options)) progress.say(line);
  for (const line of tellOfDropped(dropOwnVariables(process.env))) progress.say(line);
  await rm(join(directory, 'crash'), { recursive: true, force: true });
  const everySequence = await playEverySequence(options.events, {
    machine: await demoMachine(),
    onLife: (played, of) =>
      progress.show(() => `in memory, every sequence of short lives: ${played} of ${of} lives`),
    signal,
  });
  const services = await startOwnServices({
    ...{ directory, closing, lifetime: 'fresh', given: givenServices() },
    announce: (line) => progress.say(line),
  });
  signal.throwIfAborted();

  // A server that has seen a proof before would know the orders of this seed.
  const mark = services.isFresh ? '' : `-${Date.now().toString(36)}`;
  const { stories, seconds } = options;
  const seed = String(options.seed);
  const phases = planProof({ stories, durationMs: seconds * 1_000, seed, mark });
  const orders = phases.flat();
  const shop = await openShop(closing, { seed, badMoments: NEVER });
  shop.sandbox.setMood({ travelMs: TRAVEL_MS });
  const secrets = { shop: [shop.webhookSecrets.shop[0]], payments: [...shop.webhookSecrets.payments] };
  progress.say("Starting inorder's receiver and two workers, and the four handlers …");
  const environment = environmentOf(services, shop);
  const [inorder, handlers] = await Promise.all([
    startInorder({ directory, environment, closing, signal }),
    startHandlers({
      ...{ directory, secrets, closing, signal, mysqlUrl: services.mysqlUrl },
      orders: orders.map(({ story }) => story.order),
      api: { url: shop.environment.SHOP_API_URL, key: shop.environment.SHOP_API_KEY },
    }),
  ]);
  const store = openStore(services.mysqlUrl, { connections: 2 });
  closing.add('the connection to the database', () => store.close());
  const failure = () =>
    [inorder, ...handlers].map((side) => side.failure).find((found) => found !== null) ?? null;

  const startedAtMs = Date.now();
  const elapsed = () => Math.round((Date.now() - startedAtMs) / 1_000);
  const delivered = await deliverAll(phases, {
    ...{
      world: shop.world,
      secrets,
      failure,
      signal,
      claimedFromMs: wholeSecond(startedAtMs - CLAIMED_BEFORE_MS),
    },
    targets: [
      { webhooksUrl: inorder.webhooksUrl, crash: { arm: (point) => inorder.arm(point) } },
      ...handlers.map(({ webhooksUrl, wasKilledAt }) => ({ webhooksUrl, crash: { wasKilledAt } })),
    ],
    onDelivered: (done, of) =>
      progress.show(() => `${done} of ${of} webhooks delivered to all five · ${elapsed()} s`),
  });
  await inorder.disarm();
  const judgeInorder = async () => {
    const statuses = await selectStatuses(store, ORDERS_OF);
    return judge(orders, (order) => statuses.get(order)?.status ?? 'not there', shop.effects.done);
  };
  const end = await awaitSettled(store, {
    isAsExpected: async () => {
      const { counts, inOrder } = await judgeInorder();
      return isZero(counts) && isZero(inOrder);
    },
    onLook: (overview) => progress.show(() => `all delivered · ${stillOpen(overview)} · ${elapsed()} s`),
    failure,
    signal,
  });
  progress.end();

  const statuses = await selectStatuses(store, ORDERS_OF);
  const overview = await selectOverview(store);
  return {
    options,
    date: new Date(startedAtMs).toISOString().slice(0, 10),
    orders,
    everySequence,
    delivered,
    seconds: elapsed(),
    inorder: {
      judgement: await judgeInorder(),
      kills: await inorder.kills(),
      calls: shop.effects.calls,
      offences: [...shop.effects.offences],
      asking: [...statuses.values()].filter(({ attention }) => attention !== '').length,
      events: overview.events,
      stuck: end === 'stuck' ? await selectUnfinished(store, MAX_STUCK) : [],
      statusOf: (order) => statuses.get(order)?.status ?? 'not there',
    },
    handlers: await Promise.all(
      handlers.map(async ({ name, effects, kills, statuses: read }) => {
        const stored = await read();
        const statusOf = (order: string) => stored.get(order) ?? 'not there';
        const judgement = judge(orders, statusOf, effects.done);
        return { name, judgement, kills: await kills(), statusOf };
      }),
    ),
  };
}

const NEVER = { refuses: 0, slow: 0, doesAndIsSilent: 0, doesAndAnswers500: 0 };
const wholeSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

async function demoMachine(): Promise<MachineDefinition> {
  const { machines } = (await importConfig(INORDER_CONFIG)) as { machines: [MachineDefinition] };
  return machines[0];
}

function introduction({ stories, seed, seconds }: ProveOptions): string[] {
  return [
    `${count(stories, 'order')} of a made-up shop (seed ${seed}) are told by webhooks that are shuffled, repeated, lost, of one second,`,
    `sent side by side, and handled by processes that are killed; some more are told in order. Over ${seconds} s,`,
    'to inorder and to four handlers as people write them: the last arrival wins, the newer timestamp, the newer or',
    'equal one, and what the provider says when it is asked. Everything is real, on this machine only.',
  ];
}

function environmentOf(services: OwnServices, shop: Shop): Record<string, string> {
  return {
    ...shop.environment,
    MYSQL_URL: services.mysqlUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    // On a server that others use, too, nobody else's worker takes our tasks.
    INORDER_TASK_QUEUE: `inorder-prove-${process.pid}`,
    INORDER_LOG_LEVEL: 'info',
  };
}

const stillOpen = (overview: Overview): string =>
  `open in inorder: events ${overview.unsettled}, effects ${openEffects(overview)}`;
