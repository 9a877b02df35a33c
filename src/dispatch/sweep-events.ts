/**
 * Sends again what was stored and not taken: a receiver died, Temporal was away, a run was terminated, a server
 * came back empty (R42, R44). Claims are made in MySQL, so any number of workers sweep at once, each its own rows.
 *
 * Invariants:
 * 1. A claim's back-off counts only what was really sent: if Temporal was not there, the claim is given back.
 * 2. A sweep never holds a database transaction while it talks to Temporal (R28).
 */
import type { OrderEvent, OrderKey } from '../ordering/state.ts';
import type { Log } from '../log.ts';
import type { ClaimedEvent } from '../store/event-claims.ts';
import type { Reachability } from '../temporal/reachability.ts';
import { workflowIdOf } from '../temporal/workflow-id.ts';
import { requestIdOf, splitIntoSignals } from './deliver.ts';
import type { Deliver } from './deliver.ts';
import { inParallel } from './in-parallel.ts';

export interface UntakenClaims {
  /** Oldest first; whole orders as far as the limit goes, so that one signal carries all that waits for one. */
  claim(query: { olderThanMs: number; limit: number }): Promise<ClaimedEvent[]>;
  giveBack(events: OrderEvent[]): Promise<void>;
}

export interface SweepEventsDeps {
  claims: UntakenClaims;
  deliver: Deliver;
  reachability: Reachability;
  log: Pick<Log, 'warn'>;
  callsInFlight: number;
  batch: number;
}

/** A server that is too slow for so many calls of one round gets no more of it. */
export const MAX_MISSES = 10;

export interface SweepReport {
  sent: number;
  failed: number;
  /** The batch was full: there is probably more. */
  more: boolean;
}

export async function sweepEvents(deps: SweepEventsDeps, olderThanMs: number): Promise<SweepReport> {
  const claimed = await deps.claims.claim({ olderThanMs, limit: deps.batch });
  const report: SweepReport = { sent: 0, failed: 0, more: claimed.length >= deps.batch };
  const unsent: OrderEvent[] = [];
  let misses = 0;

  await inParallel(byOrder(claimed), deps.callsInFlight, async ({ key, events, attempt }) => {
    for (const signal of splitIntoSignals(events)) {
      if (deps.reachability.isDown || misses >= MAX_MISSES) {
        unsent.push(...signal);
        continue;
      }
      const result = await deps.deliver(key, signal, requestIdOf(signal, attempt));
      if (result.kind === 'unreachable') {
        deps.reachability.failed();
        misses += 1;
        unsent.push(...signal);
        continue;
      }
      deps.reachability.succeeded();
      if (result.kind === 'sent') report.sent += signal.length;
      else {
        report.failed += signal.length;
        deps.log.warn(
          { workflow: workflowIdOf(key), count: signal.length, attempt, error: result.error },
          'Temporal refused a signal; it is sent again later',
        );
      }
    }
  });

  if (unsent.length > 0) {
    report.failed += unsent.length;
    report.more = false;
    await deps.claims.giveBack(unsent);
  }
  return report;
}

interface OrderBatch {
  key: OrderKey;
  events: OrderEvent[];
  attempt: number;
}

function byOrder(claimed: ClaimedEvent[]): OrderBatch[] {
  const batches = new Map<string, OrderBatch>();
  for (const { key, event, attempt } of claimed) {
    const id = workflowIdOf(key);
    const batch = batches.get(id);
    if (batch) {
      batch.events.push(event);
      batch.attempt = Math.max(batch.attempt, attempt);
    } else batches.set(id, { key, events: [event], attempt });
  }
  return [...batches.values()];
}
