/**
 * inorder in memory, in virtual time: the receiver's own acceptance, the core, asks by the adapters, effects by their
 * own rules. No HTTP, no MySQL, no Temporal; what they add (crashes, races, outages) is for the real stack to show.
 *
 * 1. Whatever is due is done at its instant, the earliest first; between two instants no time passes.
 * 2. What a delivery makes due at once is done before the next one, unless both go in parallel.
 */
import { createAsk } from '../../../../activities/ask.ts';
import { createFind } from '../../../../activities/find.ts';
import type { Config, Source } from '../../../config/resolved.ts';
import { orderOf } from '../../../dispatch/ask-unlinked.ts';
import type { DispatchItem } from '../../../dispatch/dispatch.ts';
import { judgeLink } from '../../../dispatch/judge-link.ts';
import { createPoliciesOf } from '../../../dispatch/policies.ts';
import { InorderError } from '../../../errors.ts';
import { createLog } from '../../../log.ts';
import { decide, withSources } from '../../../ordering/decide.ts';
import type { FindAnswer } from '../../../ordering/find.ts';
import type { Machine } from '../../../ordering/machine.ts';
import { planOf } from '../../../ordering/plan.ts';
import { settle, settleFind } from '../../../ordering/settle.ts';
import type { Answer, OrderEvent, OrderKey, PersonsOrder } from '../../../ordering/state.ts';
import { dueAt } from '../../../ordering/timers.ts';
import { noteEffects } from '../../../ordering/trouble.ts';
import { wake } from '../../../ordering/wake.ts';
import type { RawDelivery, Refusal } from '../../../providers/provider.ts';
import { createAccept, type Accept } from '../../../receiver/accept.ts';
import type { Deadlines } from '../../../receiver/deadlines.ts';
import type { Truth } from '../providers/truth.ts';
import { PureApis } from './api.ts';
import { PureEffects, type EffectsOrder } from './effects.ts';
import { eventOf, PureEvents, type PureEvent } from './events.ts';
import { PureOrder, type Decide } from './order.ts';

/** How long an event without an order waits until its provider is asked. */
const ASK_UNLINKED_AFTER_MS = 10_000;
/** What goes wrong is the story's to tell. */
const LOG = createLog('silent', 'story');
/** More instants than any story needs: something is due for ever. */
const MOST_INSTANTS = 20_000;

export interface PureWorldOptions {
  config: Config;
  /** The table that decides, if not the configuration's own. */
  machine: Machine;
  environment: string;
  truth: Truth;
  startAtMs: number;
}

interface Task {
  at: number;
  run: () => Promise<void>;
}

export class PureWorld {
  readonly config: Config;
  readonly events = new PureEvents();
  readonly effects: PureEffects;
  readonly apis: PureApis;
  now: number;
  readonly #machine: Machine;
  readonly #environment: string;
  readonly #orders = new Map<string, PureOrder>();
  readonly #policiesOf: ReturnType<typeof createPoliciesOf>;
  readonly #accept: Accept;
  readonly #ask: ReturnType<typeof createAsk>;
  readonly #find: ReturnType<typeof createFind>;
  #tasks: Task[] = [];
  readonly #offered: DispatchItem[] = [];

  constructor({ config, machine, environment, truth, startAtMs }: PureWorldOptions) {
    this.config = config;
    this.now = startAtMs;
    this.#machine = machine;
    this.#environment = environment;
    this.effects = new PureEffects(machine, config.effects);
    this.apis = new PureApis(truth);
    this.#policiesOf = createPoliciesOf(config);
    const asking = {
      config,
      log: LOG,
      now: () => this.now,
      clientOf: (source: Source) => this.apis.clientOf(source),
    };
    this.#ask = createAsk(asking);
    this.#find = createFind(asking);
    this.#accept = createAccept({
      machines: new Map([...config.machines].map(([name, known]) => [name, { ...known, machine }])),
      groupCommit: {
        add: (news) => Promise.resolve(news.map((event) => this.events.store(event, this.now))),
      },
      dispatch: { offer: (items) => void this.#offered.push(...items) },
      refusals: { record: () => undefined },
      metrics: { stored: () => undefined },
      log: LOG,
      at: null,
      // Nothing here is slow.
      deadlines: NO_DEADLINES,
      storeTimeoutMs: Infinity,
    });
  }

  get orders(): PureOrder[] {
    return [...this.#orders.values()].filter(({ revision }) => revision > 0);
  }

  order(id: string): PureOrder {
    const known = this.#orders.get(id);
    if (known !== undefined) return known;
    const key: OrderKey = { machine: this.#machine.name, environment: this.#environment, id };
    const { events, effects } = this;
    const carryOut = (person: PersonsOrder, order: PureOrder) => this.#carryOut(person, order);
    const order = new PureOrder(key, { machine: this.#machine, events, effects, carryOut });
    this.#orders.set(id, order);
    return order;
  }

  // ---- what arrives ----

  /** Deliveries that go at once: each with its answer. */
  async receive(deliveries: readonly RawDelivery[]): Promise<({ known: boolean } | Refusal)[]> {
    const answers: ({ known: boolean } | Refusal)[] = [];
    for (const delivery of deliveries) answers.push(await this.#acceptOne(delivery));
    this.#join();
    this.#deliver();
    await this.runUntil(this.now);
    return answers;
  }

  #acceptOne(delivery: RawDelivery): Promise<{ known: boolean } | Refusal> {
    const source = this.config.sources.get(delivery.source);
    if (source !== undefined) return this.#accept(delivery, source);
    return Promise.resolve({ refused: 'source_unknown', message: 'no source of this name is configured' });
  }

  /** An event that its own delivery gave no order finds it by a link; the links of others may name it later. */
  #join(): void {
    for (const row of this.events.join())
      this.#offered.push({ key: this.order(row.order ?? '').key, event: eventOf(row) });
    for (const row of this.events.unlinked())
      if (row.attempts === 0 && row.storedAt === this.now) this.#askOrder(row);
  }

  #deliver(): void {
    const byOrder = new Map<string, OrderEvent[]>();
    for (const { key, event } of this.#offered.splice(0)) {
      const batch = byOrder.get(key.id) ?? [];
      if (!batch.some(({ seq }) => seq === event.seq)) batch.push(event);
      byOrder.set(key.id, batch);
    }
    for (const [id, batch] of byOrder)
      this.decideOn(this.order(id), batch, (machine, state, events) =>
        decide(machine, state, events, this.now),
      );
  }

  /** Decides, keeps, and begins what follows; in words why a person's word was not taken, or null. */
  decideOn(order: PureOrder, batch: readonly OrderEvent[], decideOn: Decide): string | null {
    const policies = this.#policiesOf(order.key);
    const refused = order.decide(batch, this.now, (machine, state, events) =>
      decideOn(machine, withSources(state, policies), events),
    );
    this.#follow(order);
    return refused;
  }

  #carryOut(person: PersonsOrder, order: PureOrder): string | null {
    if (person.kind === 'effect') return this.effects.takePersonsWord(person, order.state.status);
    const row = this.events.rowOf(person.event);
    const { source, machine, environment, refs } = row.news;
    const isSettled = row.outcome !== null && row.outcome !== 'held';
    const verdict = judgeLink({
      event: {
        machine,
        environment,
        order: row.order,
        settledAs: isSettled ? row.outcome : null,
        reason: row.reason,
      },
      links: refs.flatMap((ref) => {
        const linked = this.events.links.get(`${source}/${ref}`);
        return linked === undefined ? [] : [{ ref, order: linked }];
      }),
      order: order.key,
    });
    if (verdict.kind === 'refused') return verdict.reason;
    if (verdict.kind === 'link') {
      this.events.give(row, order.key.id);
      this.#offered.push({ key: order.key, event: eventOf(row) });
      this.#later(0, () => Promise.resolve(this.#joinAndDeliver()));
    }
    return null;
  }

  #joinAndDeliver(): void {
    this.#join();
    this.#deliver();
  }

  // ---- what is asked ----

  #follow(order: PureOrder): void {
    const { asks, finds } = planOf(order.state);
    for (const { stream, source, n } of asks) {
      if (order.asking.has(stream)) continue;
      order.asking.set(stream, n);
      this.#later(this.#waitMs(source), async () => {
        this.#settle(order, await this.#ask({ key: order.key, stream, n }), { stream, n });
      });
    }
    for (const { source, n } of finds) {
      if (order.asking.has(source)) continue;
      order.asking.set(source, n);
      this.#later(this.#waitMs(source), async () => {
        this.#settleFind(order, await this.#find({ key: order.key, source }), { source, n });
      });
    }
  }

  #waitMs(source: string): number {
    return Math.min(this.apis.slowMs(source), this.config.sources.get(source)?.api?.timeoutMs ?? Infinity);
  }

  #settle(order: PureOrder, answer: Answer, { stream, n }: { stream: string; n: number }): void {
    order.asking.delete(stream);
    this.decideOn(order, [], (machine, state) => settle(machine, state, answer, n, this.now));
  }

  #settleFind(order: PureOrder, answer: FindAnswer, { source, n }: { source: string; n: number }): void {
    order.asking.delete(source);
    this.decideOn(order, [], (machine, state) => settleFind(machine, state, answer, n, this.now));
  }

  /** Whose an event is that names no order. */
  #askOrder(row: PureEvent): void {
    const source = this.config.sources.get(row.news.source);
    const { provider, settings, api } = source ?? {};
    if (source === undefined || provider === undefined || settings === undefined || api === null) return;
    if (!source.policy.api && provider.orderOf === undefined) return;
    this.#later(ASK_UNLINKED_AFTER_MS, async () => {
      if (row.order !== null || row.outcome !== null) return;
      row.attempts += 1;
      const client = this.apis.clientOf(source);
      const answer = await orderOf(source, client, row.news, LOG);
      if (answer === 'unavailable') row.attempts -= 1;
      if (answer === null || answer === 'unavailable') return;
      this.events.give(row, answer.order);
      this.#offered.push({ key: this.order(answer.order).key, event: eventOf(row) });
      this.#joinAndDeliver();
    });
  }

  // ---- time ----

  #later(afterMs: number, run: Task['run']): void {
    this.#tasks.push({ at: this.now + afterMs, run });
  }

  /** The earliest instant at which something is to be done; null: nothing is by itself. */
  nextInstant(): number | null {
    const instants = [...this.#tasks.map(({ at }) => at)];
    for (const order of this.#orders.values()) {
      const due = dueAt(order.state);
      const effect = this.effects.dueAt(this.#effectsOrder(order));
      if (due !== null) instants.push(due);
      if (effect !== null) instants.push(effect);
    }
    return instants.length === 0 ? null : Math.max(this.now, Math.min(...instants));
  }

  /** Everything that is due up to this instant, which it is then. */
  async runUntil(at: number): Promise<void> {
    for (let instants = 0; ; instants++) {
      if (instants > MOST_INSTANTS)
        throw new InorderError('internal', 'A story in memory never comes to rest.');
      const next = this.nextInstant();
      if (next === null || next > at) break;
      this.now = next;
      await this.#runDue();
    }
    this.now = Math.max(this.now, at);
  }

  async #runDue(): Promise<void> {
    const due = this.#tasks.filter((task) => task.at <= this.now);
    this.#tasks = this.#tasks.filter((task) => task.at > this.now);
    for (const { run } of due) await run();
    if (due.length > 0) return;
    for (const order of this.#orders.values()) {
      const ends = this.effects.run(this.#effectsOrder(order), this.now);
      if (ends.length > 0)
        this.decideOn(order, [], (machine, state) => noteEffects(machine, state, ends, this.now));
      const instant = dueAt(order.state);
      if (instant !== null && instant <= this.now)
        this.decideOn(order, [], (machine, state) => wake(machine, state, this.now));
    }
  }

  #effectsOrder({ key, state }: PureOrder): EffectsOrder {
    return {
      key,
      status: state.status,
      isUncertain: planOf(state).isUncertain,
      hasTrouble: (name) => state.troubles[name] !== undefined,
    };
  }
}

const NO_DEADLINES = {
  set: () => ({ atMs: Infinity, onPassed: () => undefined }),
  clear: () => undefined,
} as unknown as Deadlines;
