/** Tells of webhooks that the receiver has refused: whoever tries it out sees only a status where they were sent. */
import { setTimeout as delay } from 'node:timers/promises';
import { listRefusals, listRefusalSamples } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 2_000;
const HOURS = 24;
/** Enough for the newest of each reason, as long as few reasons come at once. */
const SAMPLES = 50;

/** Runs until `signal`; one line for each source and reason at a time, however many there were. */
export async function tellRefused(options: {
  store: Store;
  say: (line: string) => void;
  signal: AbortSignal;
  lookEveryMs?: number;
}): Promise<void> {
  const { store, say, signal, lookEveryMs = LOOK_EVERY_MS } = options;
  let told: Map<string, number> | null = null;
  while (!signal.aborted) {
    try {
      const totals = await listRefusals(store, { hours: HOURS });
      const now = new Map(totals.map((row) => [nameOf(row), row.total]));
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
      told = now;
    } catch {
      // The database is away for a moment; receiver and worker tell of it.
    }
    await delay(lookEveryMs, undefined, { signal }).catch(() => {});
  }
}

const nameOf = ({ source, code }: { source: string; code: string }): string => `${code} ${source}`;
