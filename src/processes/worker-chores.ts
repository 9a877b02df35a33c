/**
 * What a worker does beside its tasks, over the real store and the real Temporal: sweep, ask about unlinked events, keep
 * the schedules of lists, tell people of attention.
 */
import type { Config } from '../config/resolved.ts';
import { createUnlinkedAsker } from '../dispatch/ask-unlinked.ts';
import type { Chore } from '../dispatch/chore.ts';
import type { Deliver } from '../dispatch/deliver.ts';
import { createScheduleKeeper } from '../dispatch/keep-schedules.ts';
import type { KeepSchedulesDeps } from '../dispatch/keep-schedules.ts';
import { createSweeper } from '../dispatch/sweeper.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { createLagReporter } from '../notify/lagging-lists.ts';
import { createNotifier } from '../notify/notifier.ts';
import { createOutageReporter } from '../notify/source-outages.ts';
import type { SourceOutages } from '../notify/source-outages.ts';
import type { OrderKey } from '../ordering/state.ts';
import { claimStuckEffects, releaseEndedEffects } from '../store/effect-wakes.ts';
import { claimUntaken, giveBackUntaken } from '../store/event-claims.ts';
import { createUnlinkedJoiner, insertLinks } from '../store/links.ts';
import { claimDue, giveBackDue } from '../store/orders.ts';
import type { Store } from '../store/store.ts';
import { claimUnlinked, uncountQuestion } from '../store/unlinked-claims.ts';
import type { Reachability } from '../temporal/reachability.ts';

export interface WorkerChoresDeps {
  store: Store;
  config: Config;
  deliver: Deliver;
  schedules: KeepSchedulesDeps['schedules'];
  reachability: Reachability;
  outages: SourceOutages;
  metrics: Pick<Metrics, 'swept'>;
  log: Log;
}

export function createWorkerChores({ store, config, outages, ...deps }: WorkerChoresDeps): Chore[] {
  // What was sent in vain waits as long as what was not sent, at first.
  const firstPauseMs = config.redeliverAfterMs;
  const sweeper = createSweeper({
    ...deps,
    untaken: {
      claim: (query) => claimUntaken(store, { ...query, firstPauseMs }),
      giveBack: (events) => giveBackUntaken(store, events),
    },
    due: {
      claim: (query) => claimToWake(store, { ...query, firstPauseMs }),
      giveBack: (keys) => giveBackDue(store, keys),
    },
    joinLinks: createUnlinkedJoiner(store),
    redeliverAfterMs: config.redeliverAfterMs,
    count: deps.metrics.swept,
  });
  const asker = createUnlinkedAsker({
    sources: config.sources.values(),
    claims: {
      claim: (query) => claimUnlinked(store, query),
      uncount: (object) => uncountQuestion(store, object),
    },
    link: ({ source, object }, order) => insertLinks(store, [{ source, ref: object, order }]),
    log: deps.log,
  });
  const listing = [
    createScheduleKeeper({ store, config, schedules: deps.schedules, log: deps.log }),
    createLagReporter({ store, config, log: deps.log }),
  ];
  // It may have come back empty.
  deps.reachability.onChange(({ reachable }) => {
    if (reachable) void listing[0]?.runOnce().catch(() => {});
  });
  const handler = config.notify === null ? undefined : config.effects.get(config.notify);
  if (handler === undefined) return [sweeper, asker, ...listing];
  const telling = { store, log: deps.log };
  return [
    sweeper,
    asker,
    ...listing,
    createOutageReporter({ ...telling, outages }),
    createNotifier({ ...telling, handler }),
  ];
}

/** Orders that are due and silent, and those with effects that are. */
async function claimToWake(
  store: Store,
  query: { overdueMs: number; limit: number; firstPauseMs: number },
): Promise<OrderKey[]> {
  await releaseEndedEffects(store);
  const due = await claimDue(store, query);
  const stuck = await claimStuckEffects(store, { ...query, limit: query.limit - due.length });
  return [...due, ...stuck];
}
