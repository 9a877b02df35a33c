/** Tells of webhooks that the receiver has refused: whoever tries it out sees only a status where they were sent. */
import { createChore } from '../dispatch/chore.ts';
import type { Chore, ChoreDeps } from '../dispatch/chore.ts';
import { listRefusals, listRefusalSamples } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 2_000;
const HOURS = 24;
/** Enough for the newest of each reason, as long as few reasons come at once. */
const SAMPLES = 50;

/** One line for each source and reason at a time, however many there were; what was there before is not told. */
export function createRefusalTeller(options: {
  store: Store;
  say: (line: string) => void;
  log: ChoreDeps['log'];
}): Chore {
  const { store, say, log } = options;
  let told: Map<string, number> | null = null;
  return createChore({
    name: 'look for refused webhooks',
    everyMs: LOOK_EVERY_MS,
    log,
    run: async () => {
      const totals = await listRefusals(store, { hours: HOURS });
      const before = told;
      const grown = before === null ? [] : totals.filter((row) => row.total > (before.get(nameOf(row)) ?? 0));
      const samples = grown.length === 0 ? [] : await listRefusalSamples(store, SAMPLES);
      for (const row of grown) {
        const count = row.total - (before?.get(nameOf(row)) ?? 0);
        const why = samples.find((sample) => nameOf(sample) === nameOf(row))?.message;
        say(
          `${row.source}: ${count === 1 ? 'a webhook was' : `${count} webhooks were`} refused, ${row.code}${why === undefined ? '' : `: ${why}`}`,
        );
      }
      told = new Map(totals.map((row) => [nameOf(row), row.total]));
      return false;
    },
  });
}

const nameOf = ({ source, code }: { source: string; code: string }): string => `${code} ${source}`;
