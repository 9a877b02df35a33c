/**
 * Orders with effects that should be at their end and are not, or whose end nobody was told of: their workflow is gone, or its timer (R42). They
 * are woken by the same two columns of `orders` as orders that are due, so that there is one back-off.
 *
 * 1. An order that is due by itself is left to `claimDue`.
 * 2. Nothing here locks a row of `effects`: an attempt must not wait for a sweeper, nor a sweeper for an attempt.
 */
import type { OrderKey } from '../ordering/state.ts';
import { backOff } from './back-off.ts';
import type { Queryable, Store } from './store.ts';

const OPEN = "('pending', 'running')";
/** Open, or in need of a person that the order says nothing of: the run was lost between the end and its report. */
const UNFINISHED = `(effects.state IN ${OPEN} OR
  (effects.state IN ('failed', 'uncertain') AND orders.attention_kinds NOT LIKE '%effect%'))`;
const SAME_ORDER = `effects.order_id = orders.order_id AND effects.machine = orders.machine
  AND effects.environment = orders.environment`;
/** When an open effect should have been tried at the latest. */
const EXPECTED_AT = `GREATEST(effects.created_at, COALESCE(effects.next_attempt_at, effects.created_at),
  COALESCE(effects.lease_until, effects.created_at))`;
/** Not due by itself, and not claimed for its effects before. */
const CLAIMABLE = 'orders.wakes = 0 AND (orders.wake_at IS NULL OR orders.wake_at > UTC_TIMESTAMP(6))';

export async function claimStuckEffects(
  store: Store,
  { overdueMs, limit, firstPauseMs }: { overdueMs: number; limit: number; firstPauseMs?: number },
): Promise<OrderKey[]> {
  if (limit <= 0) return [];
  return store.transaction(async (tx) => {
    const found = await tx.query<{ machine: string; environment: string; order_id: string }>(
      `SELECT DISTINCT orders.machine, orders.environment, orders.order_id
         FROM effects JOIN orders ON ${SAME_ORDER}
        WHERE ${UNFINISHED} AND ${EXPECTED_AT} <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
          AND ${CLAIMABLE}
        LIMIT ?`,
      [Math.round(overdueMs * 1_000), limit],
    );
    const claimed: OrderKey[] = [];
    for (const row of found) {
      const key = { machine: row.machine, environment: row.environment, id: row.order_id };
      if (await claimOne(tx, key, firstPauseMs)) claimed.push(key);
    }
    return claimed;
  });
}

/** false: another worker was quicker, or the order moved. */
async function claimOne(tx: Queryable, key: OrderKey, firstPauseMs: number | undefined): Promise<boolean> {
  const params = [key.id, key.machine, key.environment];
  const one = 'order_id = ? AND machine = ? AND environment = ?';
  const locked = await tx.query(
    `SELECT 1 FROM orders WHERE ${one} AND ${CLAIMABLE} FOR UPDATE SKIP LOCKED`,
    params,
  );
  if (locked.length === 0) return false;
  await tx.write(
    `UPDATE orders SET wake_at = ${backOff('wakes', firstPauseMs)}, wakes = wakes + 1 WHERE ${one}`,
    params,
  );
  return true;
}

/**
 * An effect that ends well changes nothing about its order, so nothing else would take back a claim that was made
 * for it: the order goes by its own timer again.
 */
export async function releaseEndedEffects(store: Queryable): Promise<number> {
  const { affectedRows } = await store.write(
    `UPDATE orders SET wake_at = due_at, wakes = 0
      WHERE wake_at <= UTC_TIMESTAMP(6) AND wakes > 0 AND (due_at IS NULL OR due_at > UTC_TIMESTAMP(6))
        AND NOT EXISTS (SELECT 1 FROM effects WHERE ${SAME_ORDER} AND ${UNFINISHED})`,
  );
  return affectedRows;
}
