/**
 * Wakes orders whose timer should have rung and did not: a lost Temporal, a terminated run, a timer that never
 * fired (R42, R44). The signal is empty; the workflow looks at the clock and at MySQL by itself.
 */
import { randomUUID } from 'node:crypto';
import type { OrderKey } from '../ordering/state.ts';
import type { Log } from '../log.ts';
import type { Reachability } from '../temporal/reachability.ts';
import { workflowIdOf } from '../temporal/workflow-id.ts';
import type { Deliver } from './deliver.ts';
import { inParallel } from './in-parallel.ts';
import { MAX_MISSES } from './sweep-events.ts';
import type { SweepReport } from './sweep-events.ts';

export interface DueClaims {
  claim(query: { overdueMs: number; limit: number }): Promise<OrderKey[]>;
  giveBack(keys: OrderKey[]): Promise<void>;
}

export interface SweepDueDeps {
  claims: DueClaims;
  deliver: Deliver;
  reachability: Reachability;
  log: Pick<Log, 'warn'>;
  callsInFlight: number;
  batch: number;
}

export async function sweepDue(deps: SweepDueDeps, overdueMs: number): Promise<SweepReport> {
  const keys = await deps.claims.claim({ overdueMs, limit: deps.batch });
  const report: SweepReport = { sent: 0, failed: 0, more: keys.length >= deps.batch };
  const unsent: OrderKey[] = [];
  let misses = 0;

  await inParallel(keys, deps.callsInFlight, async (key) => {
    if (deps.reachability.isDown || misses >= MAX_MISSES) {
      unsent.push(key);
      return;
    }
    // A wake-up is never a repetition of another one: the server must not drop it.
    const result = await deps.deliver(key, [], randomUUID());
    if (result.kind === 'unreachable') {
      deps.reachability.failed();
      misses += 1;
      unsent.push(key);
      return;
    }
    deps.reachability.succeeded();
    if (result.kind === 'sent') report.sent += 1;
    else {
      report.failed += 1;
      deps.log.warn(
        { workflow: workflowIdOf(key), error: result.error },
        'Temporal refused to wake an order; it is tried again later',
      );
    }
  });

  if (unsent.length > 0) {
    report.failed += unsent.length;
    report.more = false;
    await deps.claims.giveBack(unsent);
  }
  return report;
}
