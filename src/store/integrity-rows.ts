/** Rows that have to have another one beside them, in pages by number, and those that have not. */
import type { OrderKey, Outcome } from '../ordering/state.ts';
import type { Queryable } from './store.ts';

/** An event with what the door stores beside it. */
export interface StoredBeside {
  seq: string;
  source: string;
  event: string;
  machine: string;
  environment: string;
  order: string | null;
  hasOrder: boolean;
  refs: Buffer;
  outcome: Outcome | null;
  isTaken: boolean;
  isSettled: boolean;
  isWoken: boolean;
  /** An order has decided about it. */
  isDecided: boolean;
  hasBody: boolean;
  bodyIsSame: boolean;
  waitsForLink: boolean;
  /** Repeats whose bytes are others than those of the first, and are not stored. */
  bytesMissing: number;
}

export async function selectStoredBeside(
  db: Queryable,
  after: string,
  limit: number,
): Promise<StoredBeside[]> {
  const rows = await db.query<{
    seq: string;
    source: string;
    event_id: string;
    machine: string;
    environment: string;
    order_id: string | null;
    has_order: number;
    refs: Buffer;
    outcome: Outcome | null;
    is_taken: number;
    is_settled: number;
    is_woken: number;
    is_decided: number;
    body_is_same: number | null;
    waits: number;
    bytes_missing: string;
  }>(
    `SELECT events.seq, events.source, event_id, events.machine, events.environment, events.order_id,
            orders.revision IS NOT NULL AS has_order, refs, outcome, taken_at IS NOT NULL AS is_taken,
            settled_at IS NOT NULL AS is_settled, events.wake_at IS NOT NULL AS is_woken, events.revision IS NOT NULL AS is_decided,
            UNHEX(SHA2(body, 256)) = fingerprint AS body_is_same,
            EXISTS (SELECT 1 FROM unlinked WHERE unlinked.seq = events.seq) AS waits,
            (SELECT COUNT(*) FROM deliveries
              WHERE deliveries.seq = events.seq AND deliveries.fingerprint <> events.fingerprint
                AND NOT EXISTS (SELECT 1 FROM bodies
                      WHERE bodies.seq = deliveries.seq AND bodies.receipt = deliveries.receipt)) AS bytes_missing
       FROM events
       LEFT JOIN bodies ON bodies.seq = events.seq AND bodies.receipt = events.receipt
       LEFT JOIN orders ON orders.order_id = events.order_id AND orders.machine = events.machine
                       AND orders.environment = events.environment
      WHERE events.seq > ? ORDER BY events.seq LIMIT ?`,
    [BigInt(after), limit],
  );
  return rows.map((row) => ({
    seq: row.seq,
    source: row.source,
    event: row.event_id,
    machine: row.machine,
    environment: row.environment,
    order: row.order_id,
    hasOrder: row.has_order === 1,
    refs: row.refs,
    outcome: row.outcome,
    isTaken: row.is_taken === 1,
    isSettled: row.is_settled === 1,
    isWoken: row.is_woken === 1,
    isDecided: row.is_decided === 1,
    hasBody: row.body_is_same !== null,
    bodyIsSame: row.body_is_same === 1,
    waitsForLink: row.waits === 1,
    bytesMissing: Number(row.bytes_missing),
  }));
}

/** Rows beside an event that is not there, up to this number of it; `bodies` also without their delivery. */
export async function selectWithoutEvent(
  db: Queryable,
  after: string,
  until: string | null,
): Promise<{ table: 'bodies' | 'deliveries' | 'unlinked'; seq: string; total: number }[]> {
  const range = (table: string): string =>
    `${table}.seq > ?${until === null ? '' : ` AND ${table}.seq <= ?`}`;
  const params = until === null ? [BigInt(after)] : [BigInt(after), BigInt(until)];
  const rows = await db.query<{
    name: 'bodies' | 'deliveries' | 'unlinked';
    seq: string;
    total: string;
  }>(
    `SELECT 'bodies' AS name, bodies.seq, COUNT(*) AS total FROM bodies
       LEFT JOIN events ON events.seq = bodies.seq AND events.receipt = bodies.receipt
       LEFT JOIN deliveries ON deliveries.seq = bodies.seq AND deliveries.receipt = bodies.receipt
      WHERE ${range('bodies')} AND events.seq IS NULL AND deliveries.seq IS NULL GROUP BY bodies.seq
     UNION ALL
     SELECT 'deliveries' AS name, deliveries.seq, COUNT(*) AS total FROM deliveries
       LEFT JOIN events ON events.seq = deliveries.seq
      WHERE ${range('deliveries')} AND events.seq IS NULL GROUP BY deliveries.seq
     UNION ALL
     SELECT 'unlinked' AS name, unlinked.seq, COUNT(*) AS total FROM unlinked
       LEFT JOIN events ON events.seq = unlinked.seq AND events.order_id IS NULL
      WHERE ${range('unlinked')} AND events.seq IS NULL GROUP BY unlinked.seq`,
    [...params, ...params, ...params],
  );
  return rows.map(({ name, seq, total }) => ({ table: name, seq, total: Number(total) }));
}

export interface WithoutOrder {
  key: OrderKey;
  total: number;
}

/** Orders of which rows of this table speak and which are not there, in a range of the table's numbers. */
export async function selectWithoutOrder(
  db: Queryable,
  table: 'journal' | 'effects',
  after: bigint,
  until: bigint,
): Promise<WithoutOrder[]> {
  const rows = await db.query<{ machine: string; environment: string; order_id: string; total: string }>(
    `SELECT rows_.machine, rows_.environment, rows_.order_id, COUNT(*) AS total FROM ${table} rows_
       LEFT JOIN orders ON orders.order_id = rows_.order_id AND orders.machine = rows_.machine
                       AND orders.environment = rows_.environment
      WHERE rows_.id > ? AND rows_.id <= ? AND orders.revision IS NULL
      GROUP BY rows_.order_id, rows_.machine, rows_.environment`,
    [after, until],
  );
  return rows.map((row) => ({
    key: { machine: row.machine, environment: row.environment, id: row.order_id },
    total: Number(row.total),
  }));
}

export async function selectHighestId(db: Queryable, table: 'journal' | 'effects'): Promise<bigint> {
  const [row] = await db.query<{ highest: string | null }>(`SELECT MAX(id) AS highest FROM ${table}`);
  return BigInt(row?.highest ?? 0);
}

export interface LinkToCompare {
  source: string;
  ref: string;
  order: string;
  contestedBy: string | null;
}

export async function selectLinksToCompare(
  db: Queryable,
  source: string,
  refs: readonly string[],
): Promise<LinkToCompare[]> {
  const rows = await db.query<{ ref: string; order_id: string; contested_by: string | null }>(
    'SELECT ref, order_id, contested_by FROM links WHERE source = ? AND ref IN (?)',
    [source, refs],
  );
  return rows.map((row) => ({ source, ref: row.ref, order: row.order_id, contestedBy: row.contested_by }));
}

/** Cursors that no run can have left so, in words. */
export async function selectBrokenCursors(db: Queryable): Promise<{ source: string; seen: string }[]> {
  const rows = await db.query<{ source: string; half: number; page: number; ahead: number }>(
    `SELECT source, (window_since IS NULL) <> (window_until IS NULL) AS half,
            page IS NOT NULL AND window_until IS NULL AS page,
            listed_until < begun_at AS ahead
       FROM cursors ORDER BY source`,
  );
  return rows.flatMap(({ source, half, page, ahead }) => [
    ...(half === 1 ? [{ source, seen: 'its open window has one end only' }] : []),
    ...(page === 1 ? [{ source, seen: 'it stands on a page, and no window is open' }] : []),
    ...(ahead === 1 ? [{ source, seen: 'it was read up to before it began' }] : []),
  ]);
}
