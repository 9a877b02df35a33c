/**
 * Which objects of unlinked events are to be asked about: claimed like everything else the sweeper does, so that
 * two workers never ask the same at once. Attempts and their pause are counted on the events' own rows.
 */
import type { Queryable, Store } from './store.ts';

export interface UnlinkedObject {
  source: string;
  object: string;
}

export interface UnlinkedQuery {
  source: string;
  /** Younger ones are likely to be linked by another event. */
  olderThanMs: number;
  limit: number;
}

/** After so many questions without an order the event is a person's. */
const MAX_ATTEMPTS = 10;

/** 10 seconds, doubled at each question up to an hour. */
const PAUSE = 'INTERVAL LEAST(3600, 10 * POW(2, LEAST(attempts, 10))) SECOND';

/** What nobody wants is worth no question: it only counts, and only where something else makes its order known. */
export async function claimUnlinked(store: Store, query: UnlinkedQuery): Promise<UnlinkedObject[]> {
  return store.transaction(async (tx) => {
    const rows = await tx.query<{ seq: string; object: string }>(
      `SELECT seq, object FROM events
        WHERE seq IN (SELECT seq FROM unlinked WHERE source = ?)
          AND order_id IS NULL AND settled_at IS NULL AND type IS NOT NULL AND attempts < ?
          AND received_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
          AND (last_attempt_at IS NULL OR last_attempt_at <= UTC_TIMESTAMP(6) - ${PAUSE})
        ORDER BY seq LIMIT ? FOR UPDATE SKIP LOCKED`,
      [query.source, MAX_ATTEMPTS, Math.round(query.olderThanMs * 1_000), query.limit],
    );
    if (rows.length === 0) return [];
    const objects = [...new Set(rows.map(({ object }) => object))];
    await countQuestion(
      tx,
      query.source,
      rows.map(({ seq }) => seq),
    );
    return objects.map((object) => ({ source: query.source, object }));
  });
}

async function countQuestion(tx: Queryable, source: string, seqs: readonly string[]): Promise<void> {
  await tx.write(
    `UPDATE events SET attempts = attempts + 1, last_attempt_at = UTC_TIMESTAMP(6)
      WHERE source = ? AND seq IN (?)`,
    [source, seqs.map(BigInt)],
  );
}

/** The provider could not be asked: the question does not count, its pause does. */
export async function uncountQuestion(store: Queryable, { source, object }: UnlinkedObject): Promise<void> {
  await store.write(
    `UPDATE events SET attempts = GREATEST(attempts, 1) - 1
      WHERE seq IN (SELECT seq FROM unlinked WHERE source = ?) AND object = ? AND order_id IS NULL`,
    [source, object],
  );
}
