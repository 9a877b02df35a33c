/**
 * Keeps Temporal's schedules of listed sources as the configuration has them: at the start, every half minute, and at
 * once when Temporal was away, because it may have come back empty. A source's cursor begins before its schedule
 * does, so that nothing of the time between is missed.
 */
import type { Config } from '../config/resolved.ts';
import type { Log } from '../log.ts';
import { beginCursor, selectCursors } from '../store/cursors.ts';
import { selectServerTime } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { ScheduleChange, ScheduledSource } from '../temporal/reconcile-schedules.ts';
import { createChore } from './chore.ts';
import type { Chore } from './chore.ts';

const EVERY_MS = 30_000;

export interface KeepSchedulesDeps {
  store: Store;
  config: Pick<Config, 'sources'>;
  schedules: {
    keep(source: ScheduledSource): Promise<ScheduleChange>;
    remove(source: string): Promise<ScheduleChange>;
  };
  log: Pick<Log, 'info' | 'warn'>;
  now?: () => Promise<number>;
  everyMs?: number;
}

export function createScheduleKeeper(deps: KeepSchedulesDeps): Chore {
  const { store, config, schedules, log, everyMs = EVERY_MS } = deps;
  const { now = () => selectServerTime(store) } = deps;
  const wanted = [...config.sources.values()].flatMap(({ name, lists, reconcile }) =>
    lists && reconcile !== null ? [{ source: name, everyMs: reconcile.everyMs }] : [],
  );
  return createChore({
    name: 'look after the schedules by which lists are read',
    everyMs,
    log,
    run: async () => {
      for (const one of wanted) {
        await beginCursor(store, one.source, await now());
        tell(one.source, await schedules.keep(one));
      }
      // Cursors stay: when the configuration asks again, the list is read from where it was left.
      for (const { source } of await selectCursors(store)) {
        if (!wanted.some((one) => one.source === source)) tell(source, await schedules.remove(source));
      }
      return false;
    },
  });

  function tell(source: string, change: ScheduleChange): void {
    if (change !== 'unchanged') log.info({ source }, `the schedule by which its list is read was ${change}`);
  }
}
