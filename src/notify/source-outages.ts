/**
 * Whether the APIs of the sources answer, as this worker's asks see it. One that has failed for a while, without an
 * answer in between, is attention of its source at once: its orders get their own only after `askDeadline`.
 */
import { createChore } from '../dispatch/chore.ts';
import type { Chore } from '../dispatch/chore.ts';
import type { Log } from '../log.ts';
import type { OrderKey } from '../ordering/state.ts';
import { beginOutage, endOutage, selectOutages } from '../store/source-outages.ts';
import type { Store } from '../store/store.ts';

const OUTAGE_AFTER_MS = 60_000;
const EVERY_MS = 1_000;

/** How an ask or a search ended. */
interface Ended {
  kind: string;
  error?: string;
}

/** From its first failure to its last, without an answer in between. */
interface Failing {
  key: OrderKey;
  sinceMs: number;
  lastMs: number;
  error: string;
}

export interface SourceNews {
  source: string;
  key: OrderKey;
  reason: string;
  isDown: boolean;
}

export class SourceOutages {
  readonly #failing = new Map<string, Failing>();
  /** Outages that people were told of, as far as this worker has heard. */
  #told: ReadonlySet<string> = new Set();
  /** Those that answered since: an answer from before says nothing. */
  readonly #recovered = new Map<string, OrderKey>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** An activity that asks, watched. */
  watch<I extends { key: OrderKey }, E extends Ended>(
    sourceOf: (input: I) => string,
    ask: (input: I) => Promise<E>,
  ): (input: I) => Promise<E> {
    return async (input) => {
      const ended = await ask(input);
      this.#note(sourceOf(input), input.key, ended);
      return ended;
    };
  }

  #note(source: string, key: OrderKey, { kind, error = 'no answer' }: Ended): void {
    if (kind === 'unavailable') {
      const lastMs = this.#now();
      const { sinceMs = lastMs } = this.#failing.get(source) ?? {};
      this.#failing.set(source, { key, sinceMs, lastMs, error });
      this.#recovered.delete(source);
    } else {
      this.#failing.delete(source);
      if (this.#told.has(source)) this.#recovered.set(source, key);
    }
  }

  /** What people are to be told now, given the outages that they were told of, by whichever worker. */
  news(told: ReadonlySet<string>, afterMs: number): SourceNews[] {
    this.#told = told;
    const began = [...this.#failing].filter(
      ([source, { sinceMs, lastMs }]) => !told.has(source) && lastMs - sinceMs >= afterMs,
    );
    const ended = [...this.#recovered].filter(([source]) => told.has(source));
    this.#recovered.clear();
    return [
      ...began.map(([source, { key, sinceMs, error }]) => {
        const since = new Date(sinceMs).toISOString();
        return {
          source,
          key,
          reason: `its API has given no usable answer since ${since}: ${error}`,
          isDown: true,
        };
      }),
      ...ended.map(([source, key]) => ({ source, key, reason: 'its API answers again', isDown: false })),
    ];
  }
}

export interface OutageReporterDeps {
  store: Store;
  outages: SourceOutages;
  log: Pick<Log, 'info' | 'warn'>;
  afterMs?: number;
  everyMs?: number;
}

export function createOutageReporter(deps: OutageReporterDeps): Chore {
  const { store, outages, log, afterMs = OUTAGE_AFTER_MS, everyMs = EVERY_MS } = deps;
  return createChore({
    name: 'look for sources whose API does not answer',
    everyMs,
    log,
    run: async () => {
      for (const { isDown, ...news } of outages.news(await selectOutages(store), afterMs)) {
        await (isDown ? beginOutage(store, news) : endOutage(store, news));
      }
      return false;
    },
  });
}
