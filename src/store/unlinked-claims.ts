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

/**
 * What nobody wants is worth no question: it only counts, and only where something else makes its order known. The first
 * event of an object stands for the others: two workers that claimed one each would ask the same.
 */
export async function claimUnlinked(store: Store, query: UnlinkedQuery): Promise<UnlinkedObject[]> {
  return store.transaction(async (tx) => {
    const rows = await tx.query<{ object: string }>(
      `SELECT object FROM events
        WHERE seq IN (SELECT seq FROM unlinked WHERE source = ?)
          AND order_id IS NULL AND settled_at IS NULL AND type IS NOT NULL AND attempts < ?
          AND received_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
          AND (last_attempt_at IS NULL OR last_attempt_at <= UTC_TIMESTAMP(6) - ${PAUSE})
          AND NOT EXISTS (
            SELECT 1 FROM unlinked JOIN events AS earlier ON earlier.seq = unlinked.seq
             WHERE unlinked.source = ? AND unlinked.ref = events.object AND unlinked.seq < events.seq
               AND earlier.object = events.object AND earlier.order_id IS NULL AND earlier.settled_at IS NULL
               AND earlier.type IS NOT NULL AND earlier.attempts < ?)
        ORDER BY seq LIMIT ? FOR UPDATE SKIP LOCKED`,
      [
        ...[query.source, MAX_ATTEMPTS, Math.round(query.olderThanMs * 1_000)],
        ...[query.source, MAX_ATTEMPTS, query.limit],
      ],
    );
    if (rows.length === 0) return [];
    const objects = rows.map(({ object }) => object);
    await countQuestion(tx, query.source, objects);
    return objects.map((object) => ({ source: query.source, object }));
  });
}

async function countQuestion(tx: Queryable, source: string, objects: readonly string[]): Promise<void> {
  await tx.write(
    `UPDATE events SET attempts = attempts + 1, last_attempt_at = UTC_TIMESTAMP(6)
      WHERE seq IN (SELECT seq FROM unlinked WHERE source = ?) AND object IN (?) AND order_id IS NULL`,
    [source, objects],
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
