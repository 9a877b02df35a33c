/**
 * Takes an effect for one attempt: one short transaction that reads all the rules go by and writes what follows
 * from them. It is committed before anything is called (R28).
 *
 * The order's row is locked first, as in `apply`, so that an order cannot leave the status that made the effect fit
 * while the claim is being made.
 */
import type { Config } from '../config/resolved.ts';
import { InorderError } from '../errors.ts';
import { planOf } from '../ordering/plan.ts';
import type { Store } from '../store/store.ts';
import { claimEffect, endUnclaimed, hasEarlierOpen, lockEffect, selectEffect } from '../store/effects.ts';
import { lockOrder } from '../store/orders.ts';
import { isStopped } from '../store/restores.ts';
import { judgeClaim } from './judge-claim.ts';
import type { Attempt } from './judge-end.ts';
import type { EffectRow } from './row.ts';

/** What a lease is longer than the attempt's own time limit. */
export const LEASE_MARGIN_MS = 10_000;

/** How long an effect is left alone while all of them stand still. */
export const STOPPED_MS = 15_000;
const STOPPED = 'the store was restored: no effect begins until `inorder restored` names what was lost';

export interface Claim {
  kind: 'claimed';
  attempt: Attempt;
  row: EffectRow;
  url: string | null;
}
export type ClaimResult =
  | Claim
  | { kind: 'missing' }
  | { kind: 'ended'; row: EffectRow }
  | { kind: 'wait'; ms: number; reason: string; row: EffectRow };

export async function claim(store: Store, config: Config, id: string, key: string): Promise<ClaimResult> {
  const found = await selectEffect(store, id);
  if (found === null || found.key !== key) return { kind: 'missing' };

  return await store.transaction(async (tx): Promise<ClaimResult> => {
    const { machine: name, environment, order: orderId } = found;
    const order = await lockOrder(tx, { machine: name, environment, id: orderId });
    if (order === null) {
      throw new InorderError(
        'order_unknown',
        `effect ${key} belongs to an order that the store does not have`,
      );
    }
    const row = await lockEffect(tx, id);
    if (row === null) return { kind: 'missing' };
    if ((row.state === 'pending' || row.state === 'running') && (await isStopped(tx)))
      return { kind: 'wait', ms: STOPPED_MS, reason: STOPPED, row };
    const machine = config.machines.get(row.machine)?.machine;
    const verdict = judgeClaim({
      row,
      // An order that was not moved since its machine changed still stands under the old name.
      status: machine?.renamed[order.state.status] ?? order.state.status,
      openQuestion: planOf(order.state).isUncertain,
      earlierOpen: await hasEarlierOpen(tx, row),
      handler: config.effects.get(row.name),
      policy: machine?.effects[row.name],
    });

    switch (verdict.kind) {
      case 'ended':
        return { kind: 'ended', row };
      case 'wait':
        return { kind: 'wait', ms: verdict.ms, reason: verdict.reason, row };
      case 'end': {
        await endUnclaimed(tx, row, verdict);
        return { kind: 'ended', row: { ...row, state: verdict.state, error: verdict.error } };
      }
      case 'claim': {
        const { handler, lost, mode } = verdict;
        const unknownSinceMs = lost ? (row.unknownSinceMs ?? row.claimedAtMs) : row.unknownSinceMs;
        const present = handler.kind === 'http' ? handler.url : null;
        // What may have arrived somewhere is repeated there; what certainly did not goes where the config says now.
        const url = unknownSinceMs === null ? present : (row.url ?? present);
        const leaseMs = handler.timeoutMs + LEASE_MARGIN_MS;
        await claimEffect(tx, row, { leaseMs, url, lost });
        const attempt: Attempt = {
          number: row.attempt + 1,
          mode,
          handler,
          claimedAtMs: row.nowMs,
          failures: row.failures + (lost ? 1 : 0),
          unknownSinceMs,
        };
        return { kind: 'claimed', attempt, row, url };
      }
    }
  });
}
