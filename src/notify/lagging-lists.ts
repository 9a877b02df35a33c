/**
 * How far the reading of lists is behind, beside how long the provider lists: what is not read in time is forgotten,
 * and a webhook that was lost before is found by nobody. Half way there people are told.
 */
import type { Config, Source } from '../config/resolved.ts';
import { createChore } from '../dispatch/chore.ts';
import type { Chore } from '../dispatch/chore.ts';
import type { Log } from '../log.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import { selectCursors, tellLag } from '../store/cursors.ts';
import type { StoredCursor } from '../store/cursors.ts';
import type { Queryable, Store } from '../store/store.ts';

const EVERY_MS = 30_000;

export interface ListLag {
  source: Source;
  cursor: StoredCursor;
  lagMs: number;
  /** Until the provider forgets what was not read; null: it forgets nothing. */
  leftMs: number | null;
  /** Half of the time in which it can be read is over. */
  nearsHorizon: boolean;
}

/** Of the sources whose list is read on a schedule. */
export async function listLags(
  db: Queryable,
  { sources }: Pick<Config, 'sources'>,
  nowMs: number,
): Promise<ListLag[]> {
  return (await selectCursors(db)).flatMap((cursor) => {
    const source = sources.get(cursor.source);
    if (source === undefined || !source.lists || source.reconcile === null) return [];
    const lagMs = Math.max(0, nowMs - Date.parse(cursor.listedUntil));
    const { listsForMs } = source.provider;
    const leftMs = listsForMs === undefined ? null : listsForMs - lagMs;
    return [{ source, cursor, lagMs, leftMs, nearsHorizon: leftMs !== null && leftMs < lagMs }];
  });
}

/** What is wrong, and what to do about it. */
export function lagInWords({ source, cursor, leftMs }: ListLag): { seen: string; fix: string } {
  const why = cursor.error === null ? '' : `; its API: ${cursor.error}`;
  const left =
    leftMs === null
      ? ''
      : leftMs <= 0
        ? '; its provider has begun to forget what was not read'
        : `; its provider forgets what is not read within ${formatDuration(Math.floor(leftMs / 60_000) * 60_000)}`;
  return {
    seen: `its list was read until ${cursor.listedUntil.slice(0, 19)}Z${left}${why}`,
    fix:
      "look at its runs in Temporal's UI (a paused schedule, a failing API, a key that is not allowed to list), or read " +
      `it now: \`inorder reconcile ${source.name} --since ${cursor.listedUntil.slice(0, 19)}Z\``,
  };
}

export function createLagReporter({
  store,
  config,
  log,
  now = Date.now,
  everyMs = EVERY_MS,
}: {
  store: Store;
  config: Pick<Config, 'sources' | 'notify'>;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  now?: () => number;
  everyMs?: number;
}): Chore {
  return createChore({
    name: 'look for lists that are read too late',
    everyMs,
    log,
    run: async () => {
      for (const lag of await listLags(store, config, now())) {
        const { nearsHorizon: lags, cursor, source } = lag;
        if (lags === cursor.isTold) continue;
        const { seen, fix } = lagInWords(lag);
        const reason = lags ? `${seen}: ${fix}` : 'its list is read in time again';
        const isFirst = await tellLag(store, {
          source: source.name,
          lags,
          reason,
          notifies: config.notify !== null,
        });
        if (isFirst)
          log[lags ? 'error' : 'info']({ source: source.name, reason }, 'how far its list was read');
      }
      return false;
    },
  });
}
