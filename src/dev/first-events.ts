/**
 * Tells once per source, after its first 20 events, how many of them found no order and which field to set. Looks
 * only at events that are some seconds old: most that come before the one that names their order are linked by then.
 */
import type { Config } from '../config/resolved.ts';
import { createChore } from '../dispatch/chore.ts';
import type { Chore, ChoreDeps } from '../dispatch/chore.ts';
import { suggestOrderPath, tellUnlinked } from '../operations/suggest-order-path.ts';
import { selectNewestSeq } from '../store/source-events.ts';
import type { Store } from '../store/store.ts';

const EVENTS = 20;
const LOOK_EVERY_MS = 2_000;
const OLD_ENOUGH_MS = 10_000;

/** Its first run marks where the first events begin. */
export function createFirstEventsTeller(options: {
  store: Store;
  sources: Config['sources'];
  say: (line: string) => void;
  log: ChoreDeps['log'];
  oldEnoughMs?: number;
}): Chore {
  const { store, sources, say, log, oldEnoughMs = OLD_ENOUGH_MS } = options;
  const open = new Map(sources);
  let afterSeq: string | null = null;
  return createChore({
    name: "look at each source's first events",
    everyMs: LOOK_EVERY_MS,
    log,
    run: async () => {
      if (open.size === 0) return false;
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
      return false;
    },
  });
}
