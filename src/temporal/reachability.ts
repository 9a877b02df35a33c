/**
 * Whether Temporal can be reached, as this process sees it: closed by successes, opened by failures in a row.
 *
 * Invariants:
 * 1. While down nothing is sent but one small probe at a time, so an outage costs neither memory nor calls.
 * 2. An outage is logged once when it begins and once when it ends, never per call.
 * 3. A single order that cannot be signalled never counts as an outage: only failures in a row of calls that
 *    found no server do.
 */
import type { Log } from '../log.ts';

const FAILURES_IN_A_ROW = 5;
const PROBE_EVERY_MS = 500;

export interface ReachabilityDeps {
  /** Resolves when the server answers; must have its own time limit. */
  probe: () => Promise<void>;
  log: Pick<Log, 'info' | 'warn'>;
  probeEveryMs?: number;
  clock?: () => number;
}

/** What happened to the connection, told to those who have work to make up for. */
export type ReachabilityListener = (change: { reachable: boolean; downSinceMs: number }) => void;

export class Reachability {
  readonly #probe: () => Promise<void>;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #probeEveryMs: number;
  readonly #clock: () => number;
  readonly #listeners = new Set<ReachabilityListener>();
  #failures = 0;
  #downSinceMs: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(deps: ReachabilityDeps) {
    this.#probe = deps.probe;
    this.#log = deps.log;
    this.#probeEveryMs = deps.probeEveryMs ?? PROBE_EVERY_MS;
    this.#clock = deps.clock ?? Date.now;
  }

  get isDown(): boolean {
    return this.#downSinceMs !== null;
  }

  onChange(listener: ReachabilityListener): void {
    this.#listeners.add(listener);
  }

  succeeded(): void {
    this.#failures = 0;
    if (this.#downSinceMs !== null) this.#comeUp(this.#downSinceMs);
  }

  /** A call found no server. */
  failed(error: unknown): void {
    this.#failures += 1;
    if (this.#downSinceMs !== null || this.#stopped || this.#failures < FAILURES_IN_A_ROW) return;
    this.#goDown(error);
  }

  /** Asks the server now: for chores that would otherwise not notice an outage in which they had no work. */
  async check(): Promise<boolean> {
    if (this.isDown) return false;
    try {
      await this.#probe();
      this.#failures = 0;
      return true;
    } catch (error) {
      if (this.#downSinceMs === null && !this.#stopped) this.#goDown(error);
      return false;
    }
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #goDown(error: unknown): void {
    const since = this.#clock();
    this.#downSinceMs = since;
    this.#log.warn({ error }, 'Temporal cannot be reached; events are stored and wait');
    this.#tell({ reachable: false, downSinceMs: since });
    this.#scheduleProbe();
  }

  #comeUp(since: number): void {
    this.#downSinceMs = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#log.info({ durationMs: this.#clock() - since }, 'Temporal is back; what waited is sent');
    this.#tell({ reachable: true, downSinceMs: since });
  }

  #tell(change: { reachable: boolean; downSinceMs: number }): void {
    for (const listener of this.#listeners) listener(change);
  }

  #scheduleProbe(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#probe().then(
        () => this.succeeded(),
        () => {
          if (this.isDown) this.#scheduleProbe();
        },
      );
    }, this.#probeEveryMs);
  }
}
