/**
 * Where a source's schedule goes on: the window that a run before did not finish, or the next one. Windows end now by the
 * database's clock: one that a worker's own clock had ended in the future would hide what happens until then.
 */
import type { Config } from '../src/config/resolved.ts';
import { formatDuration } from '../src/ordering/format-duration.ts';
import type { Log } from '../src/log.ts';
import { openWindow } from '../src/store/cursors.ts';
import type { Store } from '../src/store/store.ts';
import type { ListingActivities } from './listing-activities.ts';

const DEFAULT_LATE_MS = 5 * 60_000;

export function createOpenListing({
  store,
  config,
  log,
  now,
}: {
  store: Store;
  config: Config;
  log: Pick<Log, 'warn' | 'error'>;
  /** The database's clock. */
  now: () => Promise<number>;
}): ListingActivities['openListing'] {
  return async ({ source: name }) => {
    const source = config.sources.get(name);
    // A schedule of a configuration that is gone; the next worker to start takes it away.
    if (source === undefined || !source.lists || source.reconcile === null) return null;
    const { listsForMs = Infinity, listsLateMs = DEFAULT_LATE_MS } = source.provider;
    const window = await openWindow(store, name, { nowMs: await now(), lateMs: listsLateMs, listsForMs });
    if (window === null) return null;
    const { forgottenFromMs, ...rest } = window;
    if (forgottenFromMs !== null) {
      log.error(
        { source: name, reason: `not read since ${new Date(forgottenFromMs).toISOString()}` },
        `its provider lists only the last ${formatDuration(listsForMs)}: webhooks that were lost before that cannot be ` +
          "found by listing any more; 'inorder orders reconcile' asks about single orders",
      );
    }
    return rest;
  };
}
