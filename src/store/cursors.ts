/**
 * The table `cursors`: how far each source's list was read. It moves only behind what is stored: a page is turned
 * after its events were committed, a window is closed after its last page.
 *
 * Windows overlap by as much as an event may be late in the list, and begin no earlier than the source's first day.
 */
import { clip } from './clip.ts';
import { toDatetime } from './instant.ts';
import type { Queryable, Store } from './store.ts';
import { NOW } from './store.ts';

/** A window of time, epoch ms. */
export interface ListWindow {
  sinceMs: number;
  untilMs: number;
}

export interface OpenWindow extends ListWindow {
  /** The page to read next; null: the first. */
  page: string | null;
  /** Opened by an earlier run that did not come to its end. */
  isResumed: boolean;
  /** From when on the provider had forgotten what was not read; null: it had not. */
  forgottenFromMs: number | null;
}

export interface StoredCursor {
  source: string;
  begunAt: string;
  listedUntil: string;
  /** Pages of a window are being read, or were when a run ended. */
  isOpen: boolean;
  failingSince: string | null;
  error: string | null;
  isTold: boolean;
}

/** From now on the source is read; what it listed before is nobody's until a person asks for it. */
export async function beginCursor(db: Queryable, source: string, nowMs: number): Promise<void> {
  const now = toDatetime(nowMs);
  await db.write(
    `INSERT INTO cursors (source, begun_at, listed_until) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE source = cursors.source`,
    [source, now, now],
  );
}

export async function selectCursors(db: Queryable): Promise<StoredCursor[]> {
  const rows = await db.query<{
    source: string;
    begun_at: string;
    listed_until: string;
    window_until: string | null;
    failing_since: string | null;
    error: string | null;
    is_told: number;
  }>(
    `SELECT source, begun_at, listed_until, window_until, failing_since, error, is_told FROM cursors
      ORDER BY source`,
  );
  return rows.map((row) => ({
    source: row.source,
    begunAt: row.begun_at,
    listedUntil: row.listed_until,
    isOpen: row.window_until !== null,
    failingSince: row.failing_since,
    error: row.error,
    isTold: row.is_told === 1,
  }));
}

export interface WindowLimits {
  nowMs: number;
  /** How late an event may turn up in the list. */
  lateMs: number;
  /** For how long the provider lists; Infinity: for ever. */
  listsForMs: number;
}

/** The window that is open, else the next one; null: the source was never begun. */
export async function openWindow(
  store: Store,
  source: string,
  { nowMs, lateMs, listsForMs }: WindowLimits,
): Promise<OpenWindow | null> {
  return store.transaction(
    async (tx) => {
      const [row] = await tx.query<{
        begun_at: string;
        listed_until: string;
        window_since: string | null;
        window_until: string | null;
        page: Buffer | null;
      }>(
        `SELECT begun_at, listed_until, window_since, window_until, page FROM cursors
          WHERE source = ? FOR UPDATE`,
        [source],
      );
      if (row === undefined) return null;
      const listedUntilMs = Date.parse(row.listed_until);
      const horizonMs = nowMs - listsForMs;
      const forgottenFromMs = listedUntilMs < horizonMs ? listedUntilMs : null;
      if (row.window_since !== null && row.window_until !== null) {
        const sinceMs = Date.parse(row.window_since);
        const untilMs = Date.parse(row.window_until);
        const page = row.page?.toString('utf8') ?? null;
        return { sinceMs, untilMs, page, isResumed: true, forgottenFromMs };
      }
      const sinceMs = Math.max(Date.parse(row.begun_at), listedUntilMs - lateMs, horizonMs);
      // A clock that was set back reads the same again, and never a window that ends before it begins.
      const untilMs = Math.max(nowMs, sinceMs);
      await tx.write('UPDATE cursors SET window_since = ?, window_until = ?, page = NULL WHERE source = ?', [
        toDatetime(sinceMs),
        toDatetime(untilMs),
        source,
      ]);
      return { sinceMs, untilMs, page: null, isResumed: false, forgottenFromMs };
    },
    { idempotent: true },
  );
}

/**
 * The page that follows the one that was stored; null: the window is read to its end. Said twice it changes nothing:
 * a cursor that has moved on stands on another page, or in another window.
 */
export async function turnPage(
  db: Queryable,
  source: string,
  { window, page, next }: { window: ListWindow; page: string | null; next: string | null },
): Promise<void> {
  const here = 'source = ? AND window_until = ? AND page <=> ?';
  const where = [source, toDatetime(window.untilMs), page === null ? null : Buffer.from(page)];
  if (next === null) {
    await db.write(
      `UPDATE cursors
          SET listed_until = window_until, window_since = NULL, window_until = NULL, page = NULL,
              failing_since = NULL, error = NULL
        WHERE ${here}`,
      where,
    );
  } else {
    await db.write(`UPDATE cursors SET page = ?, failing_since = NULL, error = NULL WHERE ${here}`, [
      Buffer.from(next),
      ...where,
    ]);
  }
}

/** The provider does not know the page any more: its window is read from the beginning. */
export async function restartWindow(db: Queryable, source: string, window: ListWindow): Promise<void> {
  await db.write('UPDATE cursors SET page = NULL WHERE source = ? AND window_until = ?', [
    source,
    toDatetime(window.untilMs),
  ]);
}

export async function noteFailure(db: Queryable, source: string, error: string): Promise<void> {
  await db.write(
    'UPDATE cursors SET failing_since = COALESCE(failing_since, ?), error = ? WHERE source = ?',
    [NOW, clip(error, 500), source],
  );
}

/**
 * Attention of a source whose list is about to be forgotten unread, or is read in time again: told once, by whichever
 * worker sees it first. It names the source's newest order, because every call about attention names one.
 */
export async function tellLag(
  store: Store,
  { source, lags, reason, notifies }: { source: string; lags: boolean; reason: string; notifies: boolean },
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const { affectedRows } = await tx.write(
      'UPDATE cursors SET is_told = ? WHERE source = ? AND is_told = ?',
      [lags ? 1 : 0, source, lags ? 0 : 1],
    );
    if (affectedRows !== 1) return false;
    // Without a handler nobody would ever take the row.
    if (!notifies) return true;
    await tx.write(
      `INSERT INTO attention_changes
         (kind, source, has_ended, machine, environment, order_id, status, revision, reason)
       SELECT 'reconcile', ?, ?, machine, environment, order_id, status, revision, ? FROM orders
        WHERE (order_id, machine, environment) =
              (SELECT order_id, machine, environment FROM events
                WHERE source = ? AND order_id IS NOT NULL ORDER BY seq DESC LIMIT 1)`,
      [source, lags ? 0 : 1, clip(reason, 500), source],
    );
    return true;
  });
}
