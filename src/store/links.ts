/**
 * The tables `links` and `unlinked`: which order a provider's object belongs to, and which events wait to learn it.
 *
 * 1. The first link of an object stands. An order named later is kept beside it as contested, never instead.
 * 2. When one object of an event is linked, all objects it names are: joining goes on until nothing moves.
 * 3. An event and a link that are stored at the same moment may miss each other; the next join finds them.
 */
import { NOW } from './store.ts';
import type { Expression, Queryable, Statement, Store } from './store.ts';

export interface Ref {
  source: string;
  ref: string;
}
export interface Link extends Ref {
  order: string;
}

export const refKey = ({ source, ref }: Ref): string => JSON.stringify([source, ref]);

/** Orders by `refKey`. */
export async function selectLinks(db: Queryable, refs: readonly Ref[]): Promise<Map<string, string>> {
  const where = whereRefs(refs);
  if (where === null) return new Map();
  const rows = await db.query<{ source: string; ref: string; order_id: string }>(
    `SELECT source, ref, order_id FROM links WHERE ${where.sql}`,
    where.params,
  );
  return new Map(rows.map((row) => [refKey(row), row.order_id]));
}

/** By primary key, source by source; null: there are none. */
function whereRefs(refs: readonly Ref[]): { sql: string; params: (string | string[])[] } | null {
  if (refs.length === 0) return null;
  const bySource = new Map<string, string[]>();
  for (const { source, ref } of refs) {
    const named = bySource.get(source);
    if (named) named.push(ref);
    else bySource.set(source, [ref]);
  }
  const sql = [...bySource].map(() => '(source = ? AND ref IN (?))').join(' OR ');
  return { sql, params: [...bySource].flat() };
}

/** Fails at once, as after a lock wait, while another session is writing one of these links. */
export async function refuseIfLinkLocked(
  tx: Queryable,
  { source, refs }: { source: string; refs: readonly string[] },
): Promise<void> {
  if (refs.length === 0) return;
  await tx.query('SELECT ref FROM links WHERE source = ? AND ref IN (?) FOR UPDATE NOWAIT', [source, refs]);
}

/** The first order of a ref stands; the first other one is kept as contesting it. Saying it again changes nothing. */
export function insertingLinks(links: readonly Link[]): Statement {
  // Assignments are carried out from left to right, so the instant comes before what it depends on.
  const isContest = 'links.order_id <> VALUES(order_id) AND links.contested_by IS NULL';
  return {
    sql: `INSERT INTO links (source, ref, order_id, linked_at) VALUES ?
     ON DUPLICATE KEY UPDATE
       contested_at = IF(${isContest}, VALUES(linked_at), links.contested_at),
       contested_by = IF(${isContest}, VALUES(order_id), links.contested_by)`,
    params: [links.map(({ source, ref, order }) => [source, ref, order, NOW])],
  };
}

export async function insertLinks(tx: Queryable, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const { sql, params } = insertingLinks(links);
  await tx.write(sql, params);
}

export interface ContestedLink extends Link {
  contestedBy: string;
  contestedAt: string;
}

/** Those of the refs that two orders were named for. */
export async function selectContestedLinks(db: Queryable, refs: readonly Ref[]): Promise<ContestedLink[]> {
  const where = whereRefs(refs);
  if (where === null) return [];
  const rows = await db.query<{
    source: string;
    ref: string;
    order_id: string;
    contested_by: string;
    contested_at: string;
  }>(
    `SELECT source, ref, order_id, contested_by, contested_at FROM links
      WHERE contested_by IS NOT NULL AND (${where.sql}) ORDER BY source, ref`,
    where.params,
  );
  return rows.map((row) => ({
    source: row.source,
    ref: row.ref,
    order: row.order_id,
    contestedBy: row.contested_by,
    contestedAt: row.contested_at,
  }));
}

export interface UnlinkedEvent {
  seq: bigint | Expression;
  source: string;
  refs: readonly string[];
}

export const insertingUnlinked = (events: readonly UnlinkedEvent[]): Statement => ({
  sql: 'INSERT INTO unlinked (source, ref, seq) VALUES ?',
  params: [events.flatMap(({ seq, source, refs }) => [...new Set(refs)].map((ref) => [source, ref, seq]))],
});

export async function insertUnlinked(tx: Queryable, events: readonly UnlinkedEvent[]): Promise<void> {
  const naming = events.filter(({ refs }) => refs.length > 0);
  if (naming.length === 0) return;
  const { sql, params } = insertingUnlinked(naming);
  await tx.write(sql, params);
}

/** Rows of `unlinked` that one step looks at: events that never learn their order must not slow the others down. */
const WINDOW = 2_000;

/**
 * Links unlinked events one of whose objects has an order by now, and says how many. They can be claimed by the
 * sweeper at once. Each call looks at the newest ones and goes on with the older ones where the last call stopped.
 */
export function createUnlinkedJoiner(store: Store, window = WINDOW): () => Promise<number> {
  let after = 0n;
  return async () => {
    let total = 0;
    for (;;) {
      const newest = await store.transaction((tx) => joinWindow(tx, { window }));
      const older = newest.isAll
        ? { ...newest, moved: 0 }
        : await store.transaction((tx) => joinWindow(tx, { window, after }));
      total += newest.moved + older.moved;
      if (newest.moved + older.moved > 0) continue;
      after = older.isAll ? 0n : older.last;
      return total;
    }
  };
}

interface JoinedWindow {
  moved: number;
  /** There is nothing beyond this window. */
  isAll: boolean;
  last: bigint;
}

async function joinWindow(
  tx: Queryable,
  { window, after }: { window: number; after?: bigint },
): Promise<JoinedWindow> {
  const waiting = await tx.query<{ seq: string }>(
    after === undefined
      ? 'SELECT seq FROM unlinked ORDER BY seq DESC LIMIT ?'
      : 'SELECT seq FROM unlinked WHERE seq > ? ORDER BY seq LIMIT ?',
    after === undefined ? [window] : [after, window],
  );
  const seqs = [...new Set(waiting.map(({ seq }) => seq))].map(BigInt);
  const end = { isAll: waiting.length < window, last: seqs.at(-1) ?? 0n };
  if (seqs.length === 0) return { moved: 0, ...end };
  const matches = await tx.query<{ seq: string; source: string; order_id: string }>(
    `SELECT unlinked.seq, links.source, links.order_id FROM unlinked
       JOIN links ON links.source = unlinked.source AND links.ref = unlinked.ref
      WHERE unlinked.seq IN (?) ORDER BY links.linked_at, links.ref`,
    [seqs],
  );
  const orderOf = new Map<string, { source: string; order: string }>();
  for (const { seq, source, order_id } of matches) {
    if (!orderOf.has(seq)) orderOf.set(seq, { source, order: order_id });
  }
  let moved = 0;
  for (const [seq, { source, order }] of orderOf) {
    if (await linkEvent(tx, { seq, source, order })) moved += 1;
  }
  return { moved, ...end };
}

/** The objects that an unlinked event names. */
export async function lockUnlinkedRefs(
  tx: Queryable,
  { seq, source }: { seq: string; source: string },
): Promise<Ref[]> {
  const named = await tx.query<{ ref: string }>('SELECT ref FROM unlinked WHERE seq = ? FOR UPDATE', [
    BigInt(seq),
  ]);
  return named.map(({ ref }) => ({ source, ref }));
}

/**
 * Gives an unlinked event its order, and with it all objects it names. Questions that were asked to find the order
 * are no attempts to deliver it. false: it had one by now.
 */
export async function linkEvent(
  tx: Queryable,
  { seq, source, order }: { seq: string; source: string; order: string },
): Promise<boolean> {
  const { affectedRows } = await tx.write(
    `UPDATE events SET order_id = ?, outcome = NULL, wake_at = UTC_TIMESTAMP(6) - INTERVAL 1 DAY,
            attempts = 0, last_attempt_at = NULL
      WHERE seq = ? AND order_id IS NULL AND settled_at IS NULL`,
    [order, BigInt(seq)],
  );
  const named = await lockUnlinkedRefs(tx, { seq, source });
  await tx.write('DELETE FROM unlinked WHERE seq = ?', [BigInt(seq)]);
  if (affectedRows === 0) return false;
  await insertLinks(
    tx,
    named.map(({ ref }) => ({ source, ref, order })),
  );
  return true;
}
