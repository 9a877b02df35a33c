/** How far the lists of sources were read, beside how long their providers list. */
import { lagInWords, listLags } from '../notify/lagging-lists.ts';
import { ok, warn } from './check.ts';
import type { Check } from './check.ts';

/** Several runs in a row did not come to their end. */
const RUNS = 4;
const LEAST_MS = 10 * 60_000;

export const lists: Check = {
  name: 'lists',
  needs: ['environment', 'configuration', 'tables'],
  async look({ store, config, now }) {
    const lags = await listLags(store, config, now());
    const begun = new Set(lags.map(({ source }) => source.name));
    const waiting = [...config.sources.values()].filter(
      ({ name, lists: canList, reconcile }) => canList && reconcile !== null && !begun.has(name),
    );
    return [
      ...waiting.map(({ name }) =>
        warn(
          'its list was never read',
          'start a worker: it makes the schedule, and reads from then on',
          name,
        ),
      ),
      ...lags.map((lag) => {
        const { seen, fix } = lagInWords(lag);
        const everyMs = lag.source.reconcile?.everyMs ?? 0;
        const isLate = lag.nearsHorizon || lag.lagMs > Math.max(LEAST_MS, RUNS * everyMs);
        return isLate ? warn(seen, fix, lag.source.name) : ok(seen, lag.source.name);
      }),
    ];
  },
};
