/** One run: the storm and the faults at once, then quiet, then everything again, then the verdict. */
import { setMaxListeners } from 'node:events';
import { checkStore } from '../../integrity/check-store.ts';
import { Closing } from '../../processes/closing.ts';
import { selectEventBodies, selectEventFates } from '../../store/fates.ts';
import { selectOverview, selectStatuses, type Overview } from '../../store/overview.ts';
import { awaitSettled, openEffects } from '../await-settled.ts';
import { compare } from '../compare.ts';
import type { Progress } from '../progress.ts';
import { createRandom } from '../sandbox/random.ts';
import { tellStories } from '../sandbox/stories.ts';
import { openDeliverer } from '../traffic/deliver.ts';
import { isForged, type Ledger } from '../traffic/ledger.ts';
import { MAX_OPEN, sendStorm } from '../traffic/send.ts';
import { planStorm } from '../traffic/storm.ts';
import { Faults, type CarriedOut } from './carry-out.ts';
import { judge, type Verdict } from './judge.ts';
import { planFaults } from './plan.ts';
import type { ChaosRun } from './run.ts';
import { openStage, type Stage } from './stage.ts';

export interface ChaosOutcome extends Verdict {
  run: ChaosRun;
  faults: CarriedOut;
  /** Webhooks that were sent, and attempts beyond the first of each. */
  sent: number;
  retries: number;
  /** Calls of effects under a key that was done before. */
  repeats: number;
  /** By outcome. */
  events: Record<string, number>;
  asked: number;
  settled: { afterSeconds: number; isStuck: boolean };
}

export interface PlayOptions {
  /** The caller's own: see ownDirectory. */
  directory: string;
  progress: Progress;
  signal: AbortSignal;
}

const ORDERS_OF = { machine: 'order', environment: 'demo' };
/** What was lost is found by the next reading of a list, and its schedule may have to find its feet again. */
const PATIENCE_MS = 60_000;
/** What a delivery that came again may still bring about shows within this. */
const QUIET_MS = 5_000;

export async function playChaos(run: ChaosRun, options: PlayOptions): Promise<ChaosOutcome> {
  const closing = new Closing((line) => options.progress.say(line));
  try {
    return await play(run, options, closing);
  } finally {
    options.progress.end();
    await closing.close();
  }
}

async function play(
  run: ChaosRun,
  { directory, progress, signal: interrupted }: PlayOptions,
  closing: Closing,
) {
  const over = new AbortController();
  const signal = AbortSignal.any([interrupted, over.signal]);
  // Every delivery and every fault listens.
  setMaxListeners(0, signal);
  const durationMs = run.minutes * 60_000;
  const random = createRandom(String(run.seed));
  const stories = tellStories(run.orders, random.fork('stories'));
  const storm = planStorm(stories, durationMs, random.fork('storm'));
  let startedAtMs = performance.now();
  const clock = () => `${String(Math.round((performance.now() - startedAtMs) / 1_000)).padStart(4)} s`;
  const faults = new Faults((line) => progress.say(`${clock()}  ${line}`));
  const stage = await openStage({
    ...{ directory, seed: run.seed, closing, signal },
    onArrival: (arrival) => faults.arrive(arrival),
    announce: (line) => progress.say(line),
  });
  startedAtMs = performance.now();
  const { shop, store, receiverUrls, failure } = stage;
  const delivering = { receiverUrls, naiveUrl: null, retriesRefused: true, failure, signal };

  const plan = planFaults({ seed: run.seed, durationMs, only: run.only });
  const striking = faults.run(plan, stage, signal);
  // Awaited when the storm is over; what fails before is no unhandled rejection.
  striking.catch(() => {});
  // Whatever ends this run: no server is started anew once the others are being ended.
  closing.add('the faults', async () => {
    over.abort(new Error('the run is over'));
    // How it ended was told where it was awaited, unless the run had failed before: then it comes second.
    await striking.catch(() => {});
  });
  const ledger = await sendStorm(storm, {
    ...delivering,
    world: shop.world,
    secrets: shop.webhookSecrets,
    random: random.fork('send'),
    onProgress: (sent, of) =>
      progress.show(() => `${clock()}  ${sent} of ${of} webhooks sent, ${faults.done.count} faults`),
    hold: () => null,
  });
  await striking;
  for (const { supervised } of stage.processes.values()) await supervised.ready(signal);
  progress.say(`${clock()}  all faults are over; waiting until everything has settled`);

  const quietAtMs = performance.now();
  const settle = async (
    isAsExpected: () => Promise<boolean>,
    patienceMs: number,
  ): Promise<'settled' | 'stuck'> =>
    awaitSettled(store, {
      ...{ isAsExpected, patienceMs },
      onLook: (overview) => progress.show(() => `${clock()}  ${describeOpen(overview)}`),
      failure,
      signal,
    });
  const isTrue = async () =>
    compare(stories, await selectStatuses(store, ORDERS_OF), shop.effects.done).wrong.length === 0;
  const end = await settle(isTrue, PATIENCE_MS);
  const afterSeconds = Math.round((performance.now() - quietAtMs) / 100) / 10;
  const before = {
    statuses: await selectStatuses(store, ORDERS_OF),
    doneBefore: shop.effects.done.length,
  };

  progress.say(`${clock()}  sending every delivery again`);
  const again = await sendAgain(ledger, delivering, stage);
  await settle(() => Promise.resolve(false), QUIET_MS);
  const storeProblems: string[] = [];
  await checkStore(store, {
    onFinding: ({ of, seen }) => storeProblems.push(`the store does not agree with itself: ${of}: ${seen}`),
  });
  const counts = ledger.counts();
  const verdict = judge({
    ...{ stories, ledger: [...ledger.entries, ...again.entries] },
    fates: await selectEventFates(store),
    bodies: await selectEventBodies(store),
    statuses: before.statuses,
    statusesAfter: await selectStatuses(store, ORDERS_OF),
    effects: {
      done: shop.effects.done,
      doneBefore: before.doneBefore,
      offences: shop.effects.offences,
    },
    storeProblems,
  });
  return {
    ...verdict,
    run,
    faults: faults.done,
    sent: counts.sent,
    retries: counts.retries,
    repeats: shop.effects.repeats,
    events: (await selectOverview(store)).events,
    asked: shop.sandbox.asked,
    settled: { afterSeconds, isStuck: end === 'stuck' },
  };
}

/** The very same messages, each under a new signature of now. */
async function sendAgain(
  ledger: Ledger,
  delivering: Parameters<typeof openDeliverer>[0],
  { failure }: Stage,
): Promise<Ledger> {
  const deliverer = openDeliverer(delivering);
  const open = new Set<Promise<void>>();
  try {
    for (const entry of ledger.entries.filter((entry) => !isForged(entry))) {
      const failed = failure();
      if (failed) throw failed;
      while (open.size >= MAX_OPEN) await Promise.race(open);
      const sending = deliverer.deliver(entry.outgoing).finally(() => open.delete(sending));
      open.add(sending);
    }
    await Promise.all(open);
  } finally {
    deliverer.close();
  }
  return deliverer.ledger;
}

const describeOpen = (overview: Overview): string =>
  `open: events ${overview.unsettled}, effects ${openEffects(overview)}`;
