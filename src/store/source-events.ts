/** The newest events of one source: what is said about a source is said of these. */
import type { Outcome } from '../ordering/state.ts';
import type { Queryable } from './store.ts';

/** So many of the newest rows are looked through, so that a source that has been silent for long costs nothing. */
const MAX_ROWS = 10_000;

/** Newest first; those that are kept without an order on purpose are left out. */
export async function selectNewestOfSource(
  db: Queryable,
  which: { source: string; limit: number; afterSeq?: string; olderThanMs?: number },
): Promise<{ seq: string; outcome: Outcome | null }[]> {
  const newest = await selectNewestSeq(db);
  const after = BigInt(which.afterSeq ?? 0);
  const from = BigInt(newest) - BigInt(MAX_ROWS);
  return await db.query(
    `SELECT seq, outcome FROM events
      WHERE seq > ? AND source = ? AND (outcome IS NULL OR outcome NOT IN ('archived', 'foreign'))
        AND received_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      ORDER BY seq DESC LIMIT ?`,
    [after > from ? after : from, which.source, Math.round((which.olderThanMs ?? 0) * 1_000), which.limit],
  );
}

/** 0: there is none yet. */
export async function selectNewestSeq(db: Queryable): Promise<string> {
  const [row] = await db.query<{ seq: string | null }>('SELECT MAX(seq) AS seq FROM events');
  return row?.seq ?? '0';
}
