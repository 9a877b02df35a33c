/**
 * The one shape of background chores: run, report counts, rest, run again; at once while a run says there is more.
 *
 * Invariants:
 * 1. One run at a time; `start` and `stop` may be called any number of times; `stop` waits for the run under way.
 * 2. A failing run never ends the chore. It is logged when failing begins and when it ends, not every second.
 * 3. Rests are spread by up to a fifth, so that many workers do not strike the database together.
 */
import { InorderError } from '../errors.ts';
import type { Log } from '../log.ts';

export interface ChoreDeps {
  name: string;
  everyMs: number;
  /** Resolves to true when there is more to do at once. */
  run: (isStopping: () => boolean) => Promise<boolean>;
  log: Pick<Log, 'info' | 'warn'>;
}

export interface Chore {
  start(): void;
  stop(): Promise<void>;
  /** For tests and commands: one run, beside the schedule; its failure is the caller's. */
  runOnce(): Promise<boolean>;
}

export function createChore({ name, everyMs, run, log }: ChoreDeps): Chore {
  if (!Number.isFinite(everyMs) || everyMs <= 0) {
    throw new InorderError('internal', `The chore "${name}" needs a positive pause, got ${everyMs} ms.`);
  }
  let state: 'idle' | 'started' | 'stopped' = 'idle';
  let timer: NodeJS.Timeout | null = null;
  let underWay: Promise<unknown> = Promise.resolve();
  let isFailing = false;
  const isStopping = () => state === 'stopped';

  const runOnce = (): Promise<boolean> => {
    const turn = underWay.then(() => run(isStopping));
    underWay = turn.catch(() => {});
    return turn;
  };

  const tick = async (): Promise<void> => {
    let hasMore = false;
    try {
      hasMore = await runOnce();
      if (isFailing) log.info({}, `The ${name} works again`);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, `The ${name} failed; it is tried again until it works`);
      isFailing = true;
    }
    if (state === 'started') schedule(hasMore ? 0 : everyMs * (0.9 + Math.random() * 0.2));
  };

  const schedule = (delayMs: number): void => {
    timer = setTimeout(() => void tick(), delayMs);
  };

  return {
    start() {
      if (state !== 'idle') return;
      state = 'started';
      schedule(0);
    },
    async stop() {
      state = 'stopped';
      if (timer) clearTimeout(timer);
      timer = null;
      await underWay;
    },
    runOnce,
  };
}
