/**
 * The state of one run of an order's workflow: its inbox, its one timer, and what is under way beside the loop.
 * `order.ts` has the invariants W1–W4; decisions are the pure core's.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ApplyInput, ApplyResult, LoadResult, RunSettings } from '../activities/order-activities.ts';
import { adoptMachine } from '../src/ordering/adopt-machine.ts';
import { decide, withSources } from '../src/ordering/decide.ts';
import { freshState } from '../src/ordering/fresh-state.ts';
import type { Machine } from '../src/ordering/machine.ts';
import type { Plan } from '../src/ordering/plan.ts';
import { promised } from '../src/ordering/promised.ts';
import { reconcile, resolve } from '../src/ordering/resolve.ts';
import { settle, settleFind } from '../src/ordering/settle.ts';
import type { Decision, EventRef, OrderEvent, OrderKey, OrderState } from '../src/ordering/state.ts';
import { dueAt } from '../src/ordering/timers.ts';
import { noteEffects } from '../src/ordering/trouble.ts';
import type { EffectEnd } from '../src/ordering/trouble.ts';
import { wake } from '../src/ordering/wake.ts';
import { Asking } from './asking.ts';
import type { AnswerCommand } from './asking.ts';
import { EffectRunner } from './effect-runner.ts';
import type {
  DeliverSignal,
  OrderInput,
  PersonsRequest,
  ReconcileRequest,
  ResolveRequest,
  UpdateResult,
} from './messages.ts';
import { local } from './proxies.ts';
import { detailsOf } from './details.ts';
import { DueTimer } from './due-timer.ts';
import { Visibility } from './visibility.ts';

type PersonsCommand =
  { kind: 'reconcile'; request: ReconcileRequest } | { kind: 'resolve'; request: ResolveRequest };
type Command =
  | AnswerCommand
  | { kind: 'effect'; end: EffectEnd }
  | (PersonsCommand & { done: (result: UpdateResult) => void });

export interface OrderView {
  state: OrderState;
  revision: number;
  waiting: number;
}

const MAX_BATCH = 100;
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;

export class OrderRun {
  private readonly key: OrderKey;
  private readonly carriedIn: OrderInput['carried'];
  private machine!: Machine;
  private state!: OrderState;
  private revision = 0;
  private plan: Plan | null = null;
  private settings: RunSettings = { closeAfterMs: Infinity, maxEventsPerRun: Infinity };
  private inbox: OrderEvent[] = [];
  private sources: DeliverSignal['sources'] = {};
  private readonly commands: Command[] = [];
  private readonly timer = new DueTimer();
  private readonly visibility = new Visibility();
  private readonly asking: Asking;
  private readonly effects = new EffectRunner({
    tell: (end) => this.commands.push({ kind: 'effect', end }),
    hasTrouble: (key) => this.state.troubles[key] !== undefined,
    changed: () => this.armTimer(),
  });
  private judged = 0;
  private lastChangeAt = Date.now();
  private isAskedBeforeClosing = false;
  private isEnding = false;
  private isWoken = false;
  private newestMachine = 0;

  constructor(input: OrderInput) {
    this.key = input.key;
    this.asking = new Asking(input.key, (command) => this.commands.push(command));
    this.carriedIn = input.carried;
    if (input.carried !== undefined) {
      this.inbox = [...input.carried.inbox];
      this.sources = input.carried.state.sources;
    }
  }

  // ---- handlers (W1, W3) ----

  deliver(signal: DeliverSignal): void {
    for (const event of signal.events) this.inbox.push(event);
    this.sources = { ...this.sources, ...signal.sources };
    if (signal.events.length === 0) this.isWoken = true;
  }

  ask(command: PersonsCommand): Promise<UpdateResult> {
    return new Promise((done) => {
      this.commands.push({ ...command, done });
    });
  }

  refuseNameless(this: void, request: PersonsRequest): void {
    if (!request.actor || !request.reason)
      throw ApplicationFailure.nonRetryable('Say who asks (actor) and why (reason).', 'usage');
  }

  view(): OrderView {
    return { state: this.state, revision: this.revision, waiting: this.inbox.length };
  }

  // ---- the loop ----

  async start(): Promise<void> {
    const loaded = await this.persistently('load', () => local.load({ key: this.key }));
    this.takeMachine(loaded);
    if (this.carriedIn !== undefined && this.carriedIn.revision >= loaded.revision) {
      this.state = this.carriedIn.state;
      this.revision = this.carriedIn.revision;
    } else {
      this.state = loaded.state ?? freshState(loaded.machine, this.key);
      this.revision = loaded.revision;
    }
    if (loaded.plan !== null) this.follow(loaded.plan);
    this.effects.take(loaded.effects, loaded.plan?.isUncertain ?? false);
  }

  private takeMachine(loaded: LoadResult): void {
    this.machine = loaded.machine;
    this.newestMachine = loaded.machine.version;
    this.settings = loaded.settings;
  }

  hasWork(): boolean {
    if (this.commands.length > 0) return true;
    if (this.isEnding) return false;
    return this.inbox.length > 0 || this.isWoken || this.timer.isRung || this.mustAdopt();
  }

  private mustAdopt(): boolean {
    return this.state.machineVersion !== this.machine.version || this.newestMachine > this.machine.version;
  }

  /** One round: everything that is there now, each as a decision of its own. */
  async work(): Promise<void> {
    for (let command = this.commands.shift(); command !== undefined; command = this.commands.shift())
      await this.carryOut(command);
    if (this.isEnding) return;
    if (this.mustAdopt()) await this.adopt();
    const isDue = this.timer.take() || this.isWoken;
    this.isWoken = false;
    if (isDue) await this.lookAround();
    while (this.inbox.length > 0 && !this.isEnding) await this.judge(this.inbox.splice(0, MAX_BATCH));
  }

  private async adopt(): Promise<void> {
    if (this.newestMachine > this.machine.version) {
      const loaded = await this.persistently('load', () => local.load({ key: this.key }));
      this.takeMachine(loaded);
    }
    if (this.state.machineVersion !== this.machine.version && this.revision > 0)
      await this.persist([], (now) => adoptMachine(this.machine, this.state, now));
    else if (this.revision === 0) this.state = freshState(this.machine, this.key);
  }

  private async judge(batch: OrderEvent[]): Promise<void> {
    this.judged += batch.length;
    if (this.judged >= this.settings.maxEventsPerRun) this.handOver();
    this.lastChangeAt = Date.now();
    this.isAskedBeforeClosing = false;
    await this.persist(batch, (now, events) =>
      decide(this.machine, withSources(this.state, this.sources), events, now),
    );
  }

  /** The timer rang, or somebody woke the order: what the store has and was never judged comes first. */
  private async lookAround(): Promise<void> {
    this.effects.wake();
    const dueAt = this.plan?.dueAt ?? null;
    if (dueAt === null || dueAt > Date.now()) {
      if (this.isQuietForLong()) await this.askBeforeClosing();
      this.armTimer();
      return;
    }
    const known = new Set(this.inbox.map((event) => event.seq));
    const untaken = await this.persistently('untaken', () =>
      local.untaken({ key: this.key, limit: MAX_BATCH }),
    );
    this.inbox.push(...untaken.filter((event) => !known.has(event.seq)));
    while (this.inbox.length > 0) await this.judge(this.inbox.splice(0, MAX_BATCH));
    // The due instant stays stored: a run that ends here leaves it to the next one.
    if (this.isEnding) return;
    await this.persist([], (now) => wake(this.machine, withSources(this.state, this.sources), now));
  }

  private async carryOut(command: Command): Promise<void> {
    switch (command.kind) {
      case 'answer':
        await this.persist([], (now) => this.settleSafely(command, now));
        return this.asking.finished(command, this.plan);
      case 'found':
        await this.persist([], (now) => settleFind(this.machine, this.state, command.answer, command.n, now));
        return this.asking.finished(command, this.plan);
      case 'effect':
        return this.persist([], (now) => noteEffects(this.machine, this.state, [command.end], now));
      case 'reconcile':
      case 'resolve':
        return this.takePersonsWord(command);
    }
  }

  /** An answer that no decision comes of is treated as none: the ask stays open, a person hears of it in time. */
  private settleSafely({ answer, n }: Extract<AnswerCommand, { kind: 'answer' }>, now: number): Decision {
    try {
      return settle(this.machine, this.state, answer, n, now);
    } catch (error) {
      const stream = answer.kind === 'snapshot' ? answer.snapshot.stream : answer.stream;
      const failed = {
        kind: 'unavailable',
        stream,
        asOf: now,
        error: String(error),
        retryAfterMs: null,
      } as const;
      return settle(this.machine, this.state, failed, n, now);
    }
  }

  private async takePersonsWord(
    command: PersonsCommand & { done: (result: UpdateResult) => void },
  ): Promise<void> {
    const { request } = command;
    const by = `${request.actor}: ${request.reason}`;
    if (command.kind === 'reconcile') {
      const { stream } = command.request;
      await this.persist([], (now) => reconcile(this.machine, this.state, { stream, by }, now));
      command.done(this.result(null));
      return;
    }
    const { revision, stream, event, resolution } = command.request;
    let refused = revision === this.revision ? null : `the order moved since revision ${revision}`;
    if (refused === null)
      await this.persist([], (now) => {
        const decision = resolve(this.machine, this.state, { stream, event, by, as: resolution }, now);
        if (!('refused' in decision)) return decision;
        refused = decision.refused;
        return { state: this.state, outcomes: [], journal: [], effects: [] };
      });
    command.done(this.result(refused));
  }

  private result(refused: string | null): UpdateResult {
    return { revision: this.revision, status: this.state.status, refused };
  }

  // ---- storing (W2, W4) ----

  /**
   * Decides and stores, again and again until it is stored: another writer, a twin or an event settled meanwhile
   * changes what is decided on, and then the decision is made anew.
   */
  private async persist(
    batch: OrderEvent[],
    decideOn: (now: number, events: OrderEvent[]) => Decision,
  ): Promise<void> {
    let events = batch;
    for (let pauses = 0, refusals = 0; ;) {
      const result = await this.persistently('apply', () =>
        local.apply(this.applyInput(decideOn(Date.now(), events), events)),
      );
      if (result.restored) {
        setCurrentDetails(detailsOf(this.state, 'The store lacks what this order knows: it was restored.'));
        await sleep(pauseMs(pauses++), { summary: 'the store was restored' });
        continue;
      }
      this.adoptResult(result);
      if (result.applied) return;
      events = withoutSettled(events, result);
      if (batch.length > 0 && events.length === 0) return;
      // A second writer that is always faster must not make this a hot loop.
      if (++refusals > 5) await sleep(pauseMs(pauses++), { summary: 'another writer is at work' });
    }
  }

  private applyInput(decision: Decision, events: OrderEvent[]): ApplyInput {
    return {
      key: this.key,
      revision: this.revision,
      runId: workflowInfo().runId,
      machineVersion: this.machine.version,
      dueAt: dueAt(decision.state),
      ...decision,
      news: events.map(({ seq, source, event, stream, version, fact }) => ({
        ref: { seq, source, event },
        stream,
        version: promised(contractOf(decision.state, source), { version }).version,
        fact,
      })),
    };
  }

  private adoptResult(result: ApplyResult): void {
    this.state = result.state;
    this.revision = result.revision;
    this.newestMachine = result.newestMachine;
    this.effects.take(result.effects, result.plan.isUncertain);
    this.follow(result.plan);
  }

  /** Local activities give up after seconds; the wait is the workflow's, so that a task never hangs. */
  private async persistently<T>(what: string, call: () => Promise<T>): Promise<T> {
    for (let pauses = 0; ; pauses++) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ActivityFailure)) throw error;
        await sleep(pauseMs(pauses), { summary: `the store is away (${what})` });
      }
    }
  }

  private follow(plan: Plan): void {
    this.plan = plan;
    this.asking.follow(plan);
    this.visibility.show(plan.visibility);
    setCurrentDetails(detailsOf(this.state, null));
    this.armTimer();
  }

  // ---- time ----

  private armTimer(): void {
    const instants = [this.plan?.dueAt ?? null, this.effects.dueAt(), this.closeAt()];
    this.timer.arm(earliest(instants));
  }

  private closeAt(): number | null {
    if (this.plan === null || this.plan.isOpen || !this.effects.isEmpty()) return null;
    return this.lastChangeAt + this.settings.closeAfterMs;
  }

  private isQuietForLong(): boolean {
    const closeAt = this.closeAt();
    return closeAt !== null && Date.now() >= closeAt;
  }

  /** Every stream that can be asked is asked once more before the order is left alone. */
  private async askBeforeClosing(): Promise<void> {
    if (this.isAskedBeforeClosing) return;
    this.isAskedBeforeClosing = true;
    const request = { stream: null, by: 'inorder: before closing' };
    await this.persist([], (now) => reconcile(this.machine, this.state, request, now));
  }

  mayClose(): boolean {
    return this.isAskedBeforeClosing && this.isQuietForLong() && this.isIdle() && !this.hasWork();
  }

  // ---- handing over to a new run ----

  /** Begins nothing new beside the loop; what is under way may finish, the inbox is left to the next run. */
  handOver(): void {
    this.isEnding = true;
    this.asking.pause();
    this.effects.pause();
  }

  isHandingOver(): boolean {
    return this.isEnding;
  }

  /** Nothing is under way beside the loop; what waits for a later try does not count. */
  isIdle(): boolean {
    return this.asking.isIdle() && this.effects.isIdle();
  }

  carried(): OrderInput {
    return {
      v: 1,
      key: this.key,
      carried: {
        state: withSources(this.state, this.sources),
        revision: this.revision,
        inbox: this.inbox,
      },
    };
  }
}

const contractOf = (state: OrderState, source: string) => state.sources[source]?.contract ?? 'unordered';

const pauseMs = (pauses: number) => Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);

function earliest(instants: (number | null)[]): number | null {
  const real = instants.filter((instant): instant is number => instant !== null);
  return real.length === 0 ? null : Math.min(...real);
}

/** The events still to be judged; those whose news is settled under another id are marked. */
function withoutSettled(events: OrderEvent[], { settled, twins }: ApplyResult): OrderEvent[] {
  const has = (refs: EventRef[], event: OrderEvent) => refs.some((ref) => ref.seq === event.seq);
  return events
    .filter((event) => !has(settled, event))
    .map((event) => (has(twins, event) ? { ...event, twin: true } : event));
}
