/**
 * The table `restores`: the database was brought back from a backup, and what came after it is lost. While a row is
 * open effects stand still in the whole installation; `inorder restored` closes it with the window that was lost.
 *
 * 1. Whoever sees the proof writes the row: a workflow that knows more than the store, or an effect without a row. A
 *    backup that is older than the row has none; the next one who sees the proof writes it again.
 * 2. What caused an effect before the end of a lost window may have been done in it, whenever it was received: such
 *    an effect without a row is for a person. So is one whose cause names no time, for a while.
 */
import { clip } from './clip.ts';
import { toDatetime } from './instant.ts';
import { NOW } from './store.ts';
import type { Queryable } from './store.ts';

const MAX_FOUND_BYTES = 500;
const MAX_BY_BYTES = 1_000;

export interface Restores {
  /** Since when effects stand still; null: they do not. */
  openSinceMs: number | null;
  /** What showed it first, in words. */
  found: string | null;
  closed: { fromMs: number; toMs: number; closedAtMs: number }[];
  /** Until when a cause of unknown time may lie in a lost window; null: no longer. */
  unknownUntilMs: number | null;
  nowMs: number;
}

const MILLIS = (column: string): string =>
  `TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', ${column}) DIV 1000`;

export async function selectRestores(db: Queryable): Promise<Restores> {
  // The clock rides along: it is there without a restore, too.
  const all = await db.query<
    Record<'now' | 'id' | 'found' | 'at' | 'lost_from' | 'lost_to' | 'until' | 'closed', string | null>
  >(
    `SELECT ${MILLIS('UTC_TIMESTAMP(6)')} AS now, id, found, ${MILLIS('found_at')} AS at,
            ${MILLIS('lost_from')} AS lost_from, ${MILLIS('lost_to')} AS lost_to,
            ${MILLIS('unknown_until')} AS until, ${MILLIS('closed_at')} AS closed
       FROM (SELECT 1) one LEFT JOIN restores ON TRUE ORDER BY id`,
  );
  const rows = all.filter(({ id }) => id !== null);
  const open = rows.find(({ closed }) => closed === null);
  const closed = rows.flatMap((row) =>
    row.closed === null
      ? []
      : [{ fromMs: Number(row.lost_from), toMs: Number(row.lost_to), closedAtMs: Number(row.closed) }],
  );
  const until = Math.max(0, ...rows.map((row) => Number(row.until ?? 0)));
  return {
    openSinceMs: open === undefined ? null : Number(open.at),
    found: open?.found ?? null,
    closed,
    unknownUntilMs: until === 0 ? null : until,
    nowMs: Number(all[0]?.now),
  };
}

export async function isStopped(db: Queryable): Promise<boolean> {
  const open = await db.query('SELECT 1 FROM restores WHERE closed_at IS NULL LIMIT 1');
  return open.length > 0;
}

/** false: one was open. */
export async function openStop(tx: Queryable, found: string): Promise<boolean> {
  if (await isStopped(tx)) return false;
  await tx.write('INSERT INTO restores (found_at, found) VALUES (?)', [[NOW, clip(found, MAX_FOUND_BYTES)]]);
  return true;
}

export interface LostWindow {
  fromMs: number;
  toMs: number;
  unknownForMs: number;
  by: string;
}

/** Closes what is open with this window; with nothing open the window stands for itself, and only once. */
export async function nameWindow(
  tx: Queryable,
  { fromMs, toMs, unknownForMs, by }: LostWindow,
): Promise<void> {
  const window = [toDatetime(fromMs), toDatetime(toMs)];
  const { affectedRows } = await tx.write(
    `UPDATE restores
        SET lost_from = ?, lost_to = ?, unknown_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
            closed_at = UTC_TIMESTAMP(6), closed_by = ?
      WHERE closed_at IS NULL`,
    [...window, unknownForMs * 1_000, clip(by, MAX_BY_BYTES)],
  );
  if (affectedRows > 0) return;
  await tx.write(
    `INSERT INTO restores (found_at, found, lost_from, lost_to, unknown_until, closed_at, closed_by)
     SELECT UTC_TIMESTAMP(6), 'told before it showed', ?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
            UTC_TIMESTAMP(6), ?
       FROM (SELECT 1) one
      WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM restores) all_ WHERE lost_from = ? AND lost_to = ?)`,
    [...window, unknownForMs * 1_000, clip(by, MAX_BY_BYTES), ...window],
  );
}

export async function isWindowNamed(
  db: Queryable,
  { fromMs, toMs }: Pick<LostWindow, 'fromMs' | 'toMs'>,
): Promise<boolean> {
  const named = await db.query('SELECT 1 FROM restores WHERE lost_from = ? AND lost_to = ? LIMIT 1', [
    toDatetime(fromMs),
    toDatetime(toMs),
  ]);
  return named.length > 0;
}

/** When the last decision was stored that is of before this instant; reads all of the journal. */
export async function selectLastStored(db: Queryable, beforeMs: number): Promise<number | null> {
  const [row] = await db.query<{ last: string | null }>(
    `SELECT ${MILLIS('MAX(recorded_at)')} AS last FROM journal WHERE recorded_at < ?`,
    [toDatetime(beforeMs)],
  );
  return row?.last == null ? null : Number(row.last);
}

/** Why an effect that has no row may have been done; null: it was not. */
export function doubtOf(restores: Restores, causedAtMs: number | null): string | null {
  const { openSinceMs, closed, unknownUntilMs, nowMs } = restores;
  const ends = [...closed.map(({ toMs }) => toMs), ...(openSinceMs === null ? [] : [openSinceMs])];
  if (ends.length === 0) return null;
  const lostTo = Math.max(...ends);
  if (causedAtMs !== null)
    return causedAtMs <= lostTo
      ? `its cause is of ${iso(causedAtMs)}, and what was done until ${iso(lostTo)} was lost with the store`
      : null;
  const isPast = openSinceMs === null && nowMs > (unknownUntilMs ?? 0);
  return isPast
    ? null
    : `its cause names no time, and what was done until ${iso(lostTo)} was lost with the store`;
}

/** Whether what a run knew last, and the store does not, was lost with a window that was named. */
export function isNamed({ closed }: Restores, knownAtMs: number | null): boolean {
  return closed.some(
    ({ fromMs, closedAtMs }) =>
      knownAtMs === null || (knownAtMs >= fromMs - CLOCKS_MS && knownAtMs <= closedAtMs + CLOCKS_MS),
  );
}

/** How far the clocks of Temporal, of this database and of whoever named the window may be apart. */
const CLOCKS_MS = 300_000;

const iso = (ms: number): string => new Date(ms).toISOString();
