/**
 * The order as the store has it, and the one way to change it: decide, store, go on with what came back (W2). The
 * store may be away, another writer may have been faster, what was judged may be settled already: then the decision
 * is made anew on what is stored (W4).
 */
import { isCancellation, sleep, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import type {
  ApplyInput,
  ApplyResult,
  LoadResult,
  OpenEffect,
  RunSettings,
} from '../activities/order-activities.ts';
import { afterRestore } from '../src/ordering/after-restore.ts';
import { adoptMachine } from '../src/ordering/adopt-machine.ts';
import { withContested } from '../src/ordering/contested.ts';
import { freshState } from '../src/ordering/fresh-state.ts';
import type { Machine } from '../src/ordering/machine.ts';
import type { Plan } from '../src/ordering/plan.ts';
import { promised } from '../src/ordering/promised.ts';
import type { Decision, EventRef, OrderEvent, OrderKey, OrderState } from '../src/ordering/state.ts';
import { dueAt, isAsking } from '../src/ordering/timers.ts';
import { noteTwoWriters } from '../src/ordering/two-writers.ts';
import type { CarriedOrder } from './messages.ts';
import { local } from './proxies.ts';

export interface StoredOrderListener {
  /** What is stored, and what follows from it; without a plan nothing is. */
  stored(plan: Plan | null, effects: OpenEffect[]): void;
  /** The store was found to be older than this order (true), or to have caught up (false). */
  restored(isRestored: boolean): void;
  /** What was heard of effects is of before the restore. */
  wentBack(): void;
}

const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;
/** A second writer that is always faster must not make a hot loop. */
const REFUSALS_AT_ONCE = 5;

export class StoredOrder {
  readonly key: OrderKey;
  machine!: Machine;
  state!: OrderState;
  revision = 0;
  plan: Plan | null = null;
  settings: RunSettings = { closeAfterMs: Infinity, maxEventsPerRun: Infinity };
  private newestMachine = 0;
  /** When the store was last seen to have this revision. */
  private knownAt: number | undefined;
  private readonly listener: StoredOrderListener;
  /** Another run that was found to write this order; told once. */
  private otherWriter: string | null = null;

  constructor(key: OrderKey, listener: StoredOrderListener) {
    this.key = key;
    this.listener = listener;
  }

  /** What the next run of this order goes on from. */
  carried(): Pick<CarriedOrder, 'state' | 'revision' | 'knownAt'> {
    const { state, revision, knownAt } = this;
    return { state, revision, ...(knownAt === undefined ? {} : { knownAt }) };
  }

  /** A run that continues another one has its state with it, unless the store has gone on since. */
  async start(carried: CarriedOrder | undefined): Promise<void> {
    const loaded = await this.load();
    const isBehind = carried === undefined || carried.revision < loaded.revision;
    this.state = isBehind ? (loaded.state ?? freshState(loaded.machine, this.key)) : carried.state;
    this.revision = isBehind ? loaded.revision : carried.revision;
    this.knownAt = this.revision === loaded.revision ? Date.now() : carried?.knownAt;
    this.plan = loaded.plan;
    this.listener.stored(loaded.plan, loaded.effects);
  }

  private async load(): Promise<LoadResult> {
    const loaded = await this.persistently('load', () => local.load({ key: this.key }));
    this.machine = loaded.machine;
    this.newestMachine = loaded.machine.version;
    this.settings = loaded.settings;
    return loaded;
  }

  untaken(limit: number, afterSeq: string): Promise<OrderEvent[]> {
    return this.persistently('untaken', () => local.untaken({ key: this.key, limit, afterSeq }));
  }

  hasNewMachine(): boolean {
    return this.state.machineVersion !== this.machine.version || this.newestMachine > this.machine.version;
  }

  /** Goes over to the newest version of the machine; journalled, unless there is nothing to tell yet. */
  async adoptMachine(): Promise<void> {
    if (this.newestMachine > this.machine.version) await this.load();
    if (this.revision === 0) this.state = freshState(this.machine, this.key);
    else if (this.state.machineVersion !== this.machine.version)
      await this.persist([], ({ machine, state }, now) => adoptMachine(machine, state, now));
  }

  /**
   * Decides about these events, or with none about something else, until it is stored. What a person ordered with
   * it may be refused by the rows it is about: then in words why, and nothing is stored.
   */
  async persist(
    batch: OrderEvent[],
    decideOn: (order: this, now: number, events: OrderEvent[]) => Decision,
  ): Promise<string | null> {
    let events = batch;
    for (let pauses = 0, refusals = 0; ;) {
      const result = await this.persistently('apply', () =>
        local.apply(this.inputOf(decideOn(this, Date.now(), events), events)),
      );
      if (result.restored) {
        this.listener.restored(true);
        await sleep(pauseMs(pauses++), { summary: 'the store was restored' });
        continue;
      }
      if (pauses > 0) this.listener.restored(false);
      const otherWriter = this.findOtherWriter(result);
      const known = this.state;
      this.take(result);
      if (result.lost !== undefined) events = await this.goBack(known, events, result.lost);
      if (otherWriter !== null)
        await this.persist([], ({ machine, state }, now) => noteTwoWriters(machine, state, otherWriter, now));
      if (result.applied) return null;
      if (result.refused !== undefined) return result.refused;
      events = withoutSettled(events, result);
      if (batch.length > 0 && events.length === 0) return null;
      refusals += 1;
      if (refusals > REFUSALS_AT_ONCE)
        await sleep(pauseMs(refusals - REFUSALS_AT_ONCE), { summary: 'another writer is at work' });
    }
  }

  /** The order stands where the store has it, asks about what it had known, and forgets events that are gone. */
  private async goBack(known: OrderState, events: OrderEvent[], lost: EventRef[]): Promise<OrderEvent[]> {
    this.listener.wentBack();
    const gone = events.filter((event) => has(lost, event));
    await this.persist([], ({ machine, state }, now) =>
      afterRestore(machine, state, { state: known, events: gone }, now),
    );
    return events.filter((event) => !has(lost, event));
  }

  /** The run that wrote what this one was about to, if it is another and was not told yet. */
  private findOtherWriter(result: ApplyResult): string | null {
    const { applied, revision, writer } = result;
    const isOther = !applied && revision > this.revision && writer !== workflowInfo().runId;
    if (!isOther || writer === null || writer === this.otherWriter) return null;
    this.otherWriter = writer;
    return writer;
  }

  private inputOf(decision: Decision, events: OrderEvent[]): ApplyInput {
    return {
      key: this.key,
      revision: this.revision,
      runId: workflowInfo().runId,
      machineVersion: this.machine.version,
      dueAt: wakeAt(decision.state, Date.now()),
      ...decision,
      ...(this.knownAt === undefined ? {} : { knownAt: this.knownAt }),
      news: events.map(({ seq, source, event, stream, version, fact }) => ({
        ref: { seq, source, event },
        stream,
        version: promised(contractOf(decision.state, source), { version }).version,
        fact,
      })),
    };
  }

  private take(result: ApplyResult): void {
    this.state = withContested(result.state, result.contests);
    this.revision = result.revision;
    this.knownAt = Date.now();
    this.newestMachine = result.newestMachine;
    this.plan = result.plan;
    this.listener.stored(result.plan, result.effects);
  }

  /** Local activities give up after seconds; the wait is the workflow's, so that a task never hangs. */
  private async persistently<T>(what: string, call: () => Promise<T>): Promise<T> {
    for (let pauses = 0; ; pauses++) {
      try {
        return await call();
      } catch (error) {
        // A local activity that gave up throws the activity's own failure, without an ActivityFailure around it;
        // thrown on, it would end the workflow. What is no failure at all is a fault of this code: its task fails.
        if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
        await sleep(pauseMs(pauses), { summary: `the store is away (${what})` });
      }
    }
  }
}

const contractOf = (state: OrderState, source: string) => state.sources[source]?.contract ?? 'unordered';

/** A run may be lost while it asks: then nothing else would make the order ask again. */
const LOST_ASK_MS = 60_000;

/** When the store wakes the order at the latest, by the sweeper. */
function wakeAt(state: OrderState, now: number): number | null {
  const due = dueAt(state);
  if (!isAsking(state)) return due;
  return Math.min(due ?? Infinity, now + LOST_ASK_MS);
}

const pauseMs = (pauses: number) => Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);

const has = (refs: EventRef[], event: OrderEvent) => refs.some((ref) => ref.seq === event.seq);

/** The events still to be judged; those whose news is settled under another id are marked. */
function withoutSettled(events: OrderEvent[], { settled, twins }: ApplyResult): OrderEvent[] {
  return events
    .filter((event) => !has(settled, event))
    .map((event) => (has(twins, event) ? { ...event, twin: true } : event));
}
