/**
 * What the sweeper finds in `events`: stored and not taken. Claims go by the database's clock and skip rows that
 * another worker is claiming, so any number of workers may sweep at once.
 */
import type { OrderEvent, OrderKey } from '../ordering/state.ts';
import { backOff } from './back-off.ts';
import { ORDER_EVENT_COLUMNS, toOrderEvent } from './events.ts';
import type { OrderEventRow } from './events.ts';
import type { Queryable, Store } from './store.ts';

export interface ClaimedEvent {
  key: OrderKey;
  event: OrderEvent;
  /** How often it has been claimed, this time included. */
  attempt: number;
}

/**
 * Oldest first, and whole orders as far as the limit goes, so that one signal carries all that waits for one.
 */
export async function claimUntaken(
  store: Store,
  { olderThanMs, limit, firstPauseMs }: { olderThanMs: number; limit: number; firstPauseMs?: number },
): Promise<ClaimedEvent[]> {
  return store.transaction(async (tx) => {
    const orders = await selectOrdersInWait(tx, olderThanMs, limit);
    if (orders.length === 0) return [];
    const rows = await tx.query<
      OrderEventRow & { machine: string; environment: string; order_id: string; attempts: number }
    >(
      // Order by order; by the other key it would be event by event, and sorting would lock them all.
      `SELECT ${ORDER_EVENT_COLUMNS}, machine, environment, order_id, attempts
         FROM events FORCE INDEX (events_of_order)
        WHERE order_id IN (?) AND wake_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
        ORDER BY order_id, machine, environment, seq
        LIMIT ? FOR UPDATE SKIP LOCKED`,
      [orders, Math.round(olderThanMs * 1_000), limit],
    );
    if (rows.length === 0) return [];
    await tx.write(
      `UPDATE events SET wake_at = ${backOff('attempts', firstPauseMs)}, attempts = attempts + 1, last_attempt_at = UTC_TIMESTAMP(6)
        WHERE seq IN (?)`,
      [rows.map(({ seq }) => BigInt(seq))],
    );
    return rows
      .map((row) => ({
        key: { machine: row.machine, environment: row.environment, id: row.order_id },
        event: toOrderEvent(row),
        attempt: row.attempts + 1,
      }))
      .sort((a, b) => Number(BigInt(a.event.seq) - BigInt(b.event.seq)));
  });
}

/** The ids of the orders that have waited longest; without locks, the claim itself takes them. */
async function selectOrdersInWait(tx: Queryable, olderThanMs: number, limit: number): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(
    `SELECT order_id FROM events
      WHERE wake_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND AND order_id IS NOT NULL
      ORDER BY wake_at LIMIT ?`,
    [Math.round(olderThanMs * 1_000), limit],
  );
  return [...new Set(rows.map((row) => row.order_id))];
}

/** Nothing was sent: the claim does not count, and the events can be claimed again at once. */
export async function giveBackUntaken(store: Queryable, events: readonly OrderEvent[]): Promise<void> {
  if (events.length === 0) return;
  await store.write(
    `UPDATE events SET wake_at = received_at, attempts = GREATEST(attempts, 1) - 1
      WHERE seq IN (?) AND taken_at IS NULL`,
    [events.map(({ seq }) => BigInt(seq))],
  );
}

export interface Backlog {
  /** Stored events of orders that no workflow took yet. */
  count: number;
  /** Age of the oldest of them by the database's clock; null when there is none. */
  oldestAgeMs: number | null;
}

export async function measureBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<{ total: string; micros: string | null }>(
    `SELECT COUNT(*) AS total, TIMESTAMPDIFF(MICROSECOND, MIN(received_at), UTC_TIMESTAMP(6)) AS micros
       FROM events WHERE wake_at IS NOT NULL`,
  );
  return {
    count: Number(row?.total ?? 0),
    oldestAgeMs: row?.micros == null ? null : Math.max(0, Number(row.micros) / 1_000),
  };
}
