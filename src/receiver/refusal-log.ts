/**
 * Keeps count of what was refused and a bounded sample of it, and writes both now and then, so that an operator sees
 * why a provider is turned away.
 *
 * 1. Recording never waits and never throws; under a flood it costs an addition (R1).
 * 2. Bounded: one tally per source and reason, a few samples per tally between two writes. Never a body.
 * 3. While the store is away the counts are kept and no samples are taken.
 */
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Refusal, RefusalCode } from '../providers/provider.ts';

export interface RefusalTally {
  source: string;
  reason: RefusalCode;
  count: number;
  samples: RefusalSample[];
}
export interface RefusalSample {
  /** Epoch ms. */
  atMs: number;
  message: string;
  headers: Record<string, string>;
}

export interface RefusalLog {
  /** `headers` is called only when a sample is taken. */
  record(source: string, refusal: Refusal, headers: () => Record<string, string>): void;
  /** Writes what waits; what cannot be written is lost with the process. */
  stop(): Promise<void>;
}

export interface RefusalLogDeps {
  write: (tallies: RefusalTally[]) => Promise<void>;
  metrics: Pick<Metrics, 'refused'>;
  log: Log;
  flushEveryMs?: number;
}

const SAMPLES_PER_FLUSH = 3;

export function createRefusalLog({ write, metrics, log, flushEveryMs = 1_000 }: RefusalLogDeps): RefusalLog {
  const tallies = new Map<string, RefusalTally>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isFailing = false;
  let isStopped = false;

  const tallyOf = (source: string, reason: RefusalCode): RefusalTally => {
    const key = `${reason} ${source}`;
    const known = tallies.get(key);
    if (known !== undefined) return known;
    const tally = { source, reason, count: 0, samples: [] };
    tallies.set(key, tally);
    return tally;
  };
  const schedule = (): void => {
    if (timer !== null || isStopped) return;
    timer = setTimeout(() => {
      timer = null;
      writing = flush();
    }, flushEveryMs);
  };
  const flush = async (): Promise<void> => {
    const waiting = [...tallies.values()];
    tallies.clear();
    if (waiting.length === 0) return;
    try {
      await write(waiting);
      isFailing = false;
    } catch (thrown) {
      if (!isFailing) log.warn({ error: thrown }, 'refusals cannot be written now; their counts are kept');
      isFailing = true;
      for (const { source, reason, count } of waiting) tallyOf(source, reason).count += count;
      schedule();
    }
  };

  return {
    record(source, { refused, message }, headers) {
      metrics.refused(source, refused);
      const tally = tallyOf(source, refused);
      tally.count += 1;
      if (tally.samples.length < SAMPLES_PER_FLUSH && !isFailing) {
        tally.samples.push({ atMs: Date.now(), message, headers: headers() });
      }
      schedule();
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await writing;
      await flush();
    },
  };
}
