/** How many of each source's last events found no order, and which field of theirs could name it. */
import { suggestOrderPath, tellUnlinked } from '../operations/suggest-order-path.ts';
import { ok, warn } from './check.ts';
import type { Check } from './check.ts';

const EVENTS = 200;
/** Younger ones may yet be linked by another event. */
const OLD_ENOUGH_MS = 60_000;
/** A few always belong to nobody: what else the same account sells. */
const SHARE = 0.1;

export const unlinked: Check = {
  name: 'orders found',
  needs: ['environment', 'configuration', 'tables'],
  look: ({ store, config }) =>
    Promise.all(
      [...config.sources.values()].map(async (source) => {
        const share = await suggestOrderPath(store, source, { limit: EVENTS, olderThanMs: OLD_ENOUGH_MS });
        if (share.events === 0) return ok('no event is older than a minute: nothing to say yet', source.name);
        const { seen, fix } = tellUnlinked(share);
        return fix === null || share.unlinked < share.events * SHARE
          ? ok(seen, source.name)
          : warn(seen, fix, source.name);
      }),
    ),
};
