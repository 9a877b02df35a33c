/** One storm, from its plan to what came out of it: sent, settled, compared; with processes killed meanwhile. */
import type { Closing } from '../processes/closing.ts';
import { countFound, countWaited, selectOverview, selectStatuses, type Overview } from '../store/overview.ts';
import type { Store } from '../store/store.ts';
import { awaitSettled, openEffects } from './await-settled.ts';
import { compare } from './compare.ts';
import type { DemoOutcome } from './demo-report.ts';
import { killWhileBusy } from './killer.ts';
import type { Processes } from './processes.ts';
import type { Progress } from './progress.ts';
import { createRandom } from './sandbox/random.ts';
import { tellStories } from './sandbox/stories.ts';
import type { Shop } from './shop.ts';
import { startNaiveHandler } from './traffic/naive-handler.ts';
import { sendStorm } from './traffic/send.ts';
import { Sluice } from './traffic/sluice.ts';
import { planStorm } from './traffic/storm.ts';
import { shareWork } from './traffic/work-shares.ts';

const KILLS_EACH = 3;

export interface StormOptions {
  orders: number;
  seed: number;
  kill: boolean;
  ordersOf: { machine: string; environment: string };
  /** Behind every order's id; see `tellStories`. */
  mark: string;
  shop: Shop;
  processes: Processes;
  store: Store;
  progress: Progress;
  closing: Closing;
  signal: AbortSignal;
}

export interface StormResult extends DemoOutcome {
  naiveStatusOf: (order: string) => string;
}

export async function playStorm(options: StormOptions): Promise<StormResult> {
  const { shop, processes, store, progress, closing, signal } = options;
  const random = createRandom(String(options.seed));
  const stories = tellStories(options.orders, random.fork('stories'), options.mark);
  const storm = planStorm(stories, durationMs(options), random.fork('storm'));
  const naive = await startNaiveHandler({
    shop: secretsOf(shop.webhookSecrets.shop),
    payments: secretsOf(shop.webhookSecrets.payments),
  });
  closing.add('the naive handler', () => naive.close());

  const startedAtMs = Date.now();
  const seconds = () => Math.round((Date.now() - startedAtMs) / 1_000);
  let sent = 0;
  let kills = 0;
  const sentSoFar = () => `${sent} of ${storm.deliveries.length} webhooks sent`;
  const show = (overview: Overview) =>
    progress.show(
      () =>
        `${sentSoFar()} · open: events ${overview.unsettled}, effects ${openEffects(overview)}` +
        `${options.kill ? ` · kills ${kills}` : ''} · ${seconds()} s`,
    );
  const failure = () => processes.receiver.failure ?? processes.worker.failure;

  const sluice = new Sluice(options.kill ? 0 : Infinity);
  const shares = shareWork(storm, KILLS_EACH * 2);
  const killing = options.kill
    ? killWhileBusy({
        targets: [processes.receiver, processes.worker],
        times: KILLS_EACH,
        bringWork: (kill, howMuch) => {
          const share = shares[kill];
          if (share) sluice.openTo(howMuch === 'a part' ? share.before : share.all);
        },
        isBusy: async () => {
          const overview = await selectOverview(store);
          show(overview);
          return overview.unsettled + openEffects(overview) > 0;
        },
        holdUp: () => processes.worker.freeze(),
        letGo: () => processes.worker.thaw(),
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
    receiverUrls: [processes.webhooksUrl],
    naiveUrl: naive.url,
    secrets: shop.webhookSecrets,
    random: random.fork('send'),
    onProgress: (done) => {
      sent = done;
      progress.show(() => `${sentSoFar()} · ${seconds()} s`);
    },
    hold: (index) => sluice.wait(index),
    failure,
    signal,
  });
  await killing;

  const naiveStatusOf = (order: string) => naive.statusOf(order);
  const compareNow = async () =>
    compare(stories, await selectStatuses(store, options.ordersOf), shop.effects.done);
  const end = await awaitSettled(store, {
    isAsExpected: async () => (await compareNow()).wrong.length === 0,
    onLook: show,
    failure,
    signal,
  });
  progress.end();

  return {
    comparison: await compareNow(),
    naiveWrong: stories.filter(({ order, truth }) => naive.statusOf(order) !== truth.status),
    ledger: ledger.counts(),
    storm,
    isStuck: end === 'stuck',
    events: (await selectOverview(store)).events,
    waited: await countWaited(store),
    found: await countFound(store),
    effectCalls: shop.effects.calls,
    offences: [...shop.effects.offences],
    asked: shop.sandbox.asked,
    kills,
    seconds: Math.round((Date.now() - startedAtMs) / 100) / 10,
    naiveStatusOf,
  };
}

const secretsOf = (values: string[]) =>
  values.map((value, index) => ({ id: String(index), value, untilMs: null }));

/** Long enough to watch, and for six kills with a living pair in between. */
const durationMs = ({ orders, kill }: StormOptions): number =>
  kill ? Math.max(25_000, orders * 80) : Math.max(4_000, orders * 40);
