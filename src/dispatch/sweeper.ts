/**
 * The sweeper runs in every worker and makes the rest of dispatch dispensable: whatever was lost between MySQL
 * and Temporal is found in MySQL and sent. Each round joins unlinked events, sends what is not taken, wakes what
 * is due and silent.
 *
 * Limits: an event is left to the receiver's own call for `redeliverAfterMs`, except after an outage: then what
 * came in while Temporal was away is sent as soon as it is back. Effects and outcomes are never touched here.
 *
 * Counts reported: `linked`, `events_sent`, `events_failed`, `orders_woken`, `wakes_failed`.
 */
import type { Log } from '../log.ts';
import type { Reachability } from '../temporal/reachability.ts';
import { createChore } from './chore.ts';
import type { Chore } from './chore.ts';
import type { Deliver } from './deliver.ts';
import { sweepDue } from './sweep-due.ts';
import type { DueClaims } from './sweep-due.ts';
import { sweepEvents } from './sweep-events.ts';
import type { UntakenClaims } from './sweep-events.ts';

const EVERY_MS = 1_000;
/** How long after Temporal's return a receiver may still not have noticed it. */
const NOTICE_MS = 3_000;
/** Younger events are on their way from a receiver that sees Temporal again. */
const YOUNGEST_MS = 1_000;

export type SweepCount = 'linked' | 'events_sent' | 'events_failed' | 'orders_woken' | 'wakes_failed';

export interface SweeperDeps {
  untaken: UntakenClaims;
  due: DueClaims;
  /** Joins unlinked events with what is known by now; says how many moved. */
  joinLinks: () => Promise<number>;
  deliver: Deliver;
  reachability: Reachability;
  log: Pick<Log, 'info' | 'warn'>;
  redeliverAfterMs: number;
  count?: (what: SweepCount, n: number) => void;
  everyMs?: number;
  callsInFlight?: number;
  batch?: number;
  clock?: () => number;
}

export function createSweeper(deps: SweeperDeps): Chore {
  const {
    reachability,
    redeliverAfterMs,
    everyMs = EVERY_MS,
    callsInFlight = 16,
    batch = 1_000,
    clock = Date.now,
    count = () => {},
  } = deps;
  const sweep = { ...deps, callsInFlight, batch };
  let backAtMs = -Infinity;
  reachability.onChange(({ reachable }) => {
    if (reachable) backAtMs = clock();
  });

  /** What was received until shortly after the return has no call of a receiver behind it. */
  const ageLimitMs = (): number => {
    const sinceReturnMs = clock() - (backAtMs + NOTICE_MS);
    return Math.min(redeliverAfterMs, Math.max(YOUNGEST_MS, sinceReturnMs));
  };

  return createChore({
    name: 'sweeper',
    everyMs,
    log: deps.log,
    run: async (isStopping) => {
      count('linked', await deps.joinLinks());
      if (!(await reachability.check()) || isStopping()) return false;

      const events = await sweepEvents({ ...sweep, claims: deps.untaken }, ageLimitMs());
      count('events_sent', events.sent);
      count('events_failed', events.failed);
      if (isStopping()) return false;

      const orders = await sweepDue({ ...sweep, claims: deps.due }, ageLimitMs());
      count('orders_woken', orders.sent);
      count('wakes_failed', orders.failed);
      if (events.sent + orders.sent > 0) {
        deps.log.info(
          { events: events.sent, waiting: orders.sent },
          'Sent again what was stored and not taken, and woke orders that are due',
        );
      }
      return events.more || orders.more;
    },
  });
}
