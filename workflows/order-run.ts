/**
 * The state of one run of an order's workflow: its inbox, its one timer, and what is under way beside the loop.
 * `order.ts` has the invariants W1–W4; decisions are the pure core's.
 */
import { setCurrentDetails } from '@temporalio/workflow';
import type { OpenEffect } from '../activities/order-activities.ts';
import { decide, withSources } from '../src/ordering/decide.ts';
import type { Plan } from '../src/ordering/plan.ts';
import { reconcile } from '../src/ordering/resolve.ts';
import { settle, settleFind } from '../src/ordering/settle.ts';
import type { Answer, Decision, OrderEvent, OrderState } from '../src/ordering/state.ts';
import { noteEffects } from '../src/ordering/trouble.ts';
import type { EffectEnd } from '../src/ordering/trouble.ts';
import { wake } from '../src/ordering/wake.ts';
import { Asking } from './asking.ts';
import type { AnswerCommand } from './asking.ts';
import { detailsOf } from './details.ts';
import { DueTimer } from './due-timer.ts';
import { EffectRunner } from './effect-runner.ts';
import type { DeliverSignal, OrderInput, UpdateResult } from './messages.ts';
import { decideByPerson } from './persons-word.ts';
import type { PersonsCommand } from './persons-word.ts';
import { StoredOrder } from './stored-order.ts';
import { Visibility } from './visibility.ts';

type Command =
  | AnswerCommand
  | { kind: 'ended'; end: EffectEnd }
  | { kind: 'restored' }
  | (PersonsCommand & { done: (result: UpdateResult) => void });

export interface OrderView {
  state: OrderState;
  revision: number;
  waiting: number;
}

const MAX_BATCH = 100;

export class OrderRun {
  private readonly stored: StoredOrder;
  private readonly carriedIn: OrderInput['carried'];
  private readonly inbox: OrderEvent[] = [];
  private sources: DeliverSignal['sources'] = {};
  private commands: Command[] = [];
  private readonly timer = new DueTimer();
  private readonly visibility = new Visibility();
  private readonly asking: Asking;
  private readonly effects = new EffectRunner({
    tell: (end) => this.commands.push({ kind: 'ended', end }),
    hasTrouble: (key) => this.stored.state.troubles[key] !== undefined,
    changed: () => this.armTimer(),
  });
  private judged = 0;
  private lastChangeAt = Date.now();
  private isAskedBeforeClosing = false;
  private isEnding = false;
  private isWoken = false;

  constructor(input: OrderInput) {
    this.stored = new StoredOrder(input.key, {
      stored: (plan, effects) => this.follow(plan, effects),
      restored: (isRestored) => this.standStill(isRestored),
      wentBack: () => this.effects.forget(),
    });
    this.asking = new Asking(input.key, (command) => this.commands.push(command));
    this.carriedIn = input.carried;
    if (input.carried !== undefined) {
      this.inbox.push(...input.carried.inbox);
      this.sources = input.carried.state.sources;
    }
  }

  // ---- handlers (W1, W3) ----

  deliver(signal: DeliverSignal): void {
    for (const event of signal.events) this.inbox.push(event);
    this.sources = { ...this.sources, ...signal.sources };
    if (signal.events.length === 0) this.isWoken = true;
    if (signal.restored === true) this.commands.push({ kind: 'restored' });
  }

  ask(command: PersonsCommand): Promise<UpdateResult> {
    return new Promise((done) => {
      this.commands.push({ ...command, done });
    });
  }

  view(): OrderView {
    return { state: this.stored.state, revision: this.stored.revision, waiting: this.inbox.length };
  }

  // ---- the loop ----

  start(): Promise<void> {
    return this.stored.start(this.carriedIn);
  }

  /** Goes on with what is stored (W2). */
  private follow(plan: Plan | null, effects: OpenEffect[]): void {
    this.effects.take(effects, plan?.isUncertain ?? false);
    if (plan === null) return;
    this.asking.follow(plan);
    this.visibility.show(plan.visibility);
    setCurrentDetails(detailsOf(this.stored.state, null));
    this.armTimer();
  }

  /** The store lacks what this order knows: nothing is applied and no effect begins until it is back. */
  private standStill(isRestored: boolean): void {
    if (!isRestored) return this.effects.resume();
    this.effects.pause();
    setCurrentDetails(
      detailsOf(this.stored.state, 'The store lacks what this order knows: it was restored.'),
    );
  }

  hasWork(): boolean {
    if (this.commands.length > 0) return true;
    if (this.isEnding) return false;
    return this.inbox.length > 0 || this.isWoken || this.timer.isRung || this.stored.hasNewMachine();
  }

  /** One round: everything that is there now, each as a decision of its own. */
  async work(): Promise<void> {
    for (let command = this.commands.shift(); command !== undefined; command = this.commands.shift())
      await this.carryOut(command);
    if (this.isEnding) return;
    if (this.stored.hasNewMachine()) await this.stored.adoptMachine();
    const isDue = this.timer.take() || this.isWoken;
    this.isWoken = false;
    if (isDue) await this.lookAround();
    while (this.inbox.length > 0 && !this.isEnding) await this.judge(this.inbox.splice(0, MAX_BATCH));
  }

  private async judge(batch: OrderEvent[]): Promise<void> {
    this.judged += batch.length;
    if (this.judged >= this.stored.settings.maxEventsPerRun) this.handOver();
    this.lastChangeAt = Date.now();
    this.isAskedBeforeClosing = false;
    await this.stored.persist(batch, ({ machine, state }, now, events) =>
      decide(machine, withSources(state, this.sources), events, now),
    );
  }

  /** The timer rang, or somebody woke the order: what the store has and was never judged comes first. */
  private async lookAround(): Promise<void> {
    this.effects.wake();
    const dueAt = this.stored.plan?.dueAt ?? null;
    if (dueAt === null || dueAt > Date.now()) {
      if (this.isQuietForLong()) await this.askBeforeClosing();
      this.armTimer();
      return;
    }
    await this.judgeUntaken();
    // The due instant stays stored: a run that ends here leaves it to the next one.
    if (this.isEnding) return;
    await this.change(({ machine, state }, now) => wake(machine, withSources(state, this.sources), now));
  }

  /** All of it, page by page: a deadline must not act while the store holds what would move the order. */
  private async judgeUntaken(): Promise<void> {
    for (let afterSeq = '0'; ;) {
      const page = await this.stored.untaken(MAX_BATCH, afterSeq);
      const known = new Set(this.inbox.map((event) => event.seq));
      this.inbox.push(...page.filter((event) => !known.has(event.seq)));
      while (this.inbox.length > 0) await this.judge(this.inbox.splice(0, MAX_BATCH));
      const last = page.at(-1);
      if (last === undefined || page.length < MAX_BATCH) return;
      afterSeq = last.seq;
    }
  }

  private async carryOut(command: Command): Promise<void> {
    switch (command.kind) {
      case 'answer':
        await this.change((order, now) => settleSafely(order, command, now));
        return this.asking.finished(command, this.stored.plan);
      case 'found':
        await this.change(({ machine, state }, now) =>
          settleFind(machine, state, command.answer, command.n, now),
        );
        return this.asking.finished(command, this.stored.plan);
      case 'ended':
        return this.change(({ machine, state }, now) => noteEffects(machine, state, [command.end], now));
      case 'restored':
        return this.lookBack();
      case 'reconcile':
      case 'resolve':
      case 'effect':
      case 'link':
        return this.takePersonsWord(command);
    }
  }

  /** What is stored may be older than what this run has seen, also where no revision tells it. */
  private async lookBack(): Promise<void> {
    this.effects.forget();
    if (this.stored.revision === 0) return;
    const request = { stream: null, by: 'inorder: the store was restored' };
    await this.change(({ machine, state }, now) =>
      reconcile(machine, withSources(state, this.sources), request, now),
    );
  }

  private async takePersonsWord(
    command: PersonsCommand & { done: (result: UpdateResult) => void },
  ): Promise<void> {
    if (command.kind === 'resolve' && command.request.revision !== this.stored.revision) {
      command.done(this.result(`the order moved since revision ${command.request.revision}`));
      return;
    }
    if (command.kind === 'effect') this.forgetEnd(command.request.key);
    let refused: string | null = null;
    const notCarriedOut = await this.stored.persist([], (order, now) => {
      const decision = decideByPerson(order, command, now);
      if (!('refused' in decision)) return decision;
      refused = decision.refused;
      return { state: order.state, outcomes: [], journal: [], effects: [] };
    });
    command.done(this.result(refused ?? notCarriedOut));
  }

  /** A person's word comes after whatever this run has heard of the effect, and what it hears now may be older. */
  private forgetEnd(key: string): void {
    this.commands = this.commands.filter((command) => command.kind !== 'ended' || command.end.key !== key);
    this.effects.reopen(key);
  }

  private result(refused: string | null): UpdateResult {
    return { revision: this.stored.revision, status: this.stored.state.status, refused };
  }

  /** A decision about no event: it is made and stored like any other. */
  private async change(decideOn: (order: StoredOrder, now: number) => Decision): Promise<void> {
    await this.stored.persist([], decideOn);
  }

  // ---- time ----

  private armTimer(): void {
    const instants = [this.stored.plan?.dueAt ?? null, this.effects.dueAt(), this.closeAt()];
    this.timer.arm(earliest(instants));
  }

  private closeAt(): number | null {
    if (this.stored.plan === null || this.stored.plan.isOpen || !this.effects.isEmpty()) return null;
    return this.lastChangeAt + this.stored.settings.closeAfterMs;
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
    await this.change(({ machine, state }, now) => reconcile(machine, state, request, now));
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
      key: this.stored.key,
      carried: {
        ...this.stored.carried(),
        state: withSources(this.stored.state, this.sources),
        inbox: this.inbox,
      },
    };
  }
}

function earliest(instants: (number | null)[]): number | null {
  const real = instants.filter((instant): instant is number => instant !== null);
  return real.length === 0 ? null : Math.min(...real);
}

/** An answer that no decision comes of is treated as none: the ask stays open, a person hears of it in time. */
function settleSafely(
  { machine, state }: StoredOrder,
  { answer, n }: Extract<AnswerCommand, { kind: 'answer' }>,
  now: number,
): Decision {
  try {
    return settle(machine, state, answer, n, now);
  } catch (error) {
    const stream = answer.kind === 'snapshot' ? answer.snapshot.stream : answer.stream;
    const none: Answer = { kind: 'unavailable', stream, asOf: now, error: String(error), retryAfterMs: null };
    return settle(machine, state, none, n, now);
  }
}
