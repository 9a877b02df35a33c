/** What became of every event, for whoever kept a count of their own. */
import type { Queryable } from './store.ts';

export interface EventFate {
  source: string;
  eventId: string;
  order: string | null;
  /** null: no workflow has taken it. */
  outcome: string | null;
  reason: string | null;
  isSettled: boolean;
}

export async function selectEventFates(db: Queryable): Promise<EventFate[]> {
  const rows = await db.query<Omit<EventFate, 'isSettled'> & { isSettled: number }>(
    `SELECT source, event_id AS eventId, order_id AS \`order\`, outcome, reason,
            settled_at IS NOT NULL AS isSettled FROM events`,
  );
  return rows.map((row) => ({ ...row, isSettled: row.isSettled === 1 }));
}

/** The bytes that were kept of each event, once per delivery whose bytes were new. */
export async function selectEventBodies(
  db: Queryable,
): Promise<{ source: string; eventId: string; body: Buffer }[]> {
  return await db.query(
    `SELECT events.source, events.event_id AS eventId, bodies.body
       FROM events JOIN bodies ON bodies.seq = events.seq`,
  );
}
