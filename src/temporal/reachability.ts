/**
 * Whether Temporal can be reached, as this process sees it: failures in a row raise the question, a probe answers it.
 *
 * Invariants:
 * 1. While down nothing is sent but one small probe at a time, so an outage costs neither memory nor calls.
 * 2. An outage is logged once when it begins and once when it ends, never per call.
 * 3. Neither an order that cannot be signalled nor a server that is slow counts as an outage: calls in a row found
 *    no server, and then the probe found none either.
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
  #asking: Promise<boolean> | null = null;
  #probing: Promise<void> = Promise.resolve();

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

  /** A call found no server, or none in time. */
  failed(): void {
    this.#failures += 1;
    if (this.#failures >= FAILURES_IN_A_ROW) void this.check();
  }

  /** Asks the server now: for chores that would otherwise not notice an outage in which they had no work. */
  check(): Promise<boolean> {
    if (this.isDown || this.#stopped) return Promise.resolve(!this.isDown);
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    try {
      await this.#startProbe();
      this.#failures = 0;
      return true;
    } catch (error) {
      if (!this.#stopped && !this.isDown) this.#goDown(error);
      return false;
    }
  }

  /** Resolves when no probe is under way: a connection that is closed under one throws where nobody can catch. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#probing.catch(() => {});
  }

  #startProbe(): Promise<void> {
    this.#probing = this.#probe();
    return this.#probing;
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
      this.#startProbe().then(
        () => this.succeeded(),
        () => {
          if (this.isDown) this.#scheduleProbe();
        },
      );
    }, this.#probeEveryMs);
  }
}
