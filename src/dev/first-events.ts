/**
 * Tells once per source, after its first 20 events, how many of them found no order and which field to set. Looks
 * only at events that are some seconds old: most that come before the one that names their order are linked by then.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/resolved.ts';
import { suggestOrderPath, tellUnlinked } from '../operations/suggest-order-path.ts';
import { selectNewestSeq } from '../store/source-events.ts';
import type { Store } from '../store/store.ts';

const EVENTS = 20;
const LOOK_EVERY_MS = 2_000;
const OLD_ENOUGH_MS = 10_000;

/** Runs until every source was told of, or until `signal`. */
export async function tellFirstEvents(options: {
  store: Store;
  sources: Config['sources'];
  say: (line: string) => void;
  signal: AbortSignal;
  oldEnoughMs?: number;
}): Promise<void> {
  const { store, sources, say, signal, oldEnoughMs = OLD_ENOUGH_MS } = options;
  const open = new Map(sources);
  let afterSeq: string | null = null;
  while (open.size > 0 && !signal.aborted) {
    try {
      afterSeq ??= await selectNewestSeq(store);
      for (const [name, source] of open) {
        const share = await suggestOrderPath(store, source, {
          limit: EVENTS,
          afterSeq,
          olderThanMs: oldEnoughMs,
        });
        if (share.events < EVENTS) continue;
        open.delete(name);
        const { seen, fix } = tellUnlinked(share);
        say(`${name}: ${seen}${fix === null ? '' : `. To do: ${fix}`}.`);
      }
    } catch {
      // The database is away for a moment; receiver and worker tell of it.
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
