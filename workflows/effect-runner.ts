/**
 * Effects beside the loop: those of one name run one after the other in journal order, names do not wait for each
 * other, and back-off is this run's timer. Which effects exist is what `apply` returned.
 */
import { ActivityFailure } from '@temporalio/workflow';
import type { OpenEffect, RunEffectResult } from '../activities/order-activities.ts';
import type { EffectEnd } from '../src/ordering/trouble.ts';
import { effectActivities } from './proxies.ts';

export interface EffectRunnerOptions {
  /** Tells the loop of an end that the order's attention depends on. */
  tell(end: EffectEnd): void;
  hasTrouble(key: string): boolean;
  /** Something ended or has to wait: the run's timer may have to change. */
  changed(): void;
}

/** After an attempt that ended without a result: its worker died, or nobody took it. */
const LOST_ATTEMPT_PAUSE_MS = 1_000;
/** Between two tries of one effect, whatever clocks say. */
const SHORTEST_PAUSE_MS = 100;

export class EffectRunner {
  private open: OpenEffect[] = [];
  private isUncertain = false;
  private isPaused = false;
  /** Names with an attempt under way, and its key. */
  private readonly underWay = new Map<string, string>();
  /** Keys of those that ended in this run for good: a list that was read before the end may still show them. */
  private readonly ended = new Set<string>();
  /** Keys of those that a person spoke about while an attempt was under way: its result may be older than that. */
  private readonly doubted = new Set<string>();
  /** How many lists were taken. */
  private lists = 0;
  private readonly options: EffectRunnerOptions;

  constructor(options: EffectRunnerOptions) {
    this.options = options;
  }

  /** Takes the open effects as they are stored, in journal order. */
  take(effects: OpenEffect[], isUncertain: boolean): void {
    this.isUncertain = isUncertain;
    this.lists += 1;
    this.open = effects.filter(({ key }) => !this.ended.has(key));
    this.run();
  }

  /** A person has a word about it: what is stored from now on counts, not what was heard before. */
  reopen(key: string): void {
    this.ended.delete(key);
    if ([...this.underWay.values()].includes(key)) this.doubted.add(key);
  }

  /** The store was restored: the ends that were heard of may not be in it. */
  forget(): void {
    this.ended.clear();
  }

  /** Tries again what is due. */
  wake(): void {
    this.run();
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.run();
  }

  isIdle(): boolean {
    return this.underWay.size === 0;
  }

  isEmpty(): boolean {
    return this.open.length === 0 && this.isIdle();
  }

  /** When the next attempt that waits for time is due. */
  dueAt(): number | null {
    let due: number | null = null;
    for (const effect of this.heads())
      if (!this.underWay.has(effect.name) && effect.nextAttemptAt !== null && !this.mustWait(effect))
        due = Math.min(due ?? Infinity, effect.nextAttemptAt);
    return due;
  }

  private run(): void {
    if (this.isPaused) return;
    for (const effect of this.heads()) {
      if (this.underWay.has(effect.name) || this.mustWait(effect)) continue;
      if (effect.nextAttemptAt !== null && effect.nextAttemptAt > Date.now()) continue;
      this.underWay.set(effect.name, effect.key);
      void this.attempt(effect);
    }
  }

  private mustWait(effect: OpenEffect): boolean {
    return effect.sensitive && this.isUncertain;
  }

  /** The first of each name. */
  private heads(): OpenEffect[] {
    const names = new Set<string>();
    return this.open.filter(({ name }) => !names.has(name) && names.add(name));
  }

  private async attempt(effect: OpenEffect): Promise<void> {
    const lists = this.lists;
    const result = await this.call(effect);
    this.underWay.delete(effect.name);
    // A dropped effect may be asked for again under its key, and a person may have had a word about any. Whether
    // what came meanwhile is older or newer than the end cannot be seen here; one more attempt tells, and costs
    // nothing if it is older.
    const isDoubted = this.doubted.delete(effect.key);
    const isUnclear = isDoubted || (result.state === 'dropped' && this.lists !== lists);
    if (result.state === 'pending' || isUnclear) {
      const nextAttemptAt =
        result.state === 'pending' && !isDoubted
          ? Date.now() + Math.max(result.delayMs, SHORTEST_PAUSE_MS)
          : null;
      this.open = this.open.map((one) => (one.id === effect.id ? { ...one, nextAttemptAt } : one));
    } else {
      if (result.state !== 'dropped') this.ended.add(effect.key);
      this.open = this.open.filter(({ id }) => id !== effect.id);
      const trouble = 'error' in result ? `${result.state}: ${result.error}` : null;
      if (trouble !== null || this.options.hasTrouble(effect.key))
        this.options.tell({ key: effect.key, name: effect.name, trouble });
    }
    this.run();
    this.options.changed();
  }

  private async call(effect: OpenEffect): Promise<RunEffectResult> {
    try {
      return await effectActivities.runEffect.executeWithOptions({ summary: effect.name }, [
        { id: effect.id, key: effect.key },
      ]);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      return { state: 'pending', delayMs: LOST_ATTEMPT_PAUSE_MS, attempts: 0, error: 'the attempt was lost' };
    }
  }
}
