/** One order of a machine by chance, played through steps by chance; what must hold after each is `faults.ts`'s. */
import fc from 'fast-check';
import { adoptMachine } from '../../../src/ordering/adopt-machine.ts';
import { withContested } from '../../../src/ordering/contested.ts';
import { decide, withSources } from '../../../src/ordering/decide.ts';
import { freshState, sourceOf } from '../../../src/ordering/fresh-state.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { reconcile, resolve } from '../../../src/ordering/resolve.ts';
import { settle, settleFind } from '../../../src/ordering/settle.ts';
import type { Answer, Decision, OrderEvent, OrderState, SourcePolicy } from '../../../src/ordering/state.ts';
import { dueAt } from '../../../src/ordering/timers.ts';
import { noteEffects } from '../../../src/ordering/trouble.ts';
import { noteTwoWriters } from '../../../src/ordering/two-writers.ts';
import { wake } from '../../../src/ordering/wake.ts';
import { faultsOfDecision } from './faults.ts';
import { machineOf, machines, TYPES } from './machines.ts';
import type { MachineInput } from './machines.ts';
import { CLAIMS, FACTS, policies, STREAMS, steps, VERSIONS } from './steps.ts';
import type { PolicyInput, Step } from './steps.ts';

export interface OrderInput {
  machine: MachineInput;
  shop: PolicyInput;
  pay: PolicyInput;
  steps: Step[];
}

export const orders: fc.Arbitrary<OrderInput> = fc.record({
  machine: machines,
  shop: policies,
  pay: policies,
  steps,
});

const SOURCES = ['shop', 'pay'];
const DAY_MS = 86_400_000;

const policyOf = ({ record, existing, ...said }: PolicyInput): SourcePolicy => ({
  ...said,
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: DAY_MS,
  effects: record ? 'record' : 'run',
  ...(existing ? { existingBefore: '2026-01-01T00:00:00.5Z' } : {}),
});

/** Plays the order; `faults` are those of the first step that has any, with its number. */
export function playOrder(input: OrderInput): { faults: string[]; states: OrderState[] } {
  const order = new PlayedOrder(machineOf(input.machine), {
    shop: policyOf(input.shop),
    pay: policyOf(input.pay),
  });
  const states: OrderState[] = [];
  for (const [at, step] of input.steps.entries()) {
    const faults = order.take(step);
    states.push(order.state);
    if (faults.length > 0)
      return { faults: faults.map((fault) => `step ${at} (${step.do}): ${fault}`), states };
  }
  return { faults: [], states };
}

class PlayedOrder {
  state: OrderState;
  private machine: Machine;
  private now = 1_770_000_000_000;
  private readonly told: OrderEvent[] = [];
  /** The last outcome of each event, by its seq. */
  private readonly outcomes = new Map<string, string>();
  /** (stream, version, fact) of what was settled. */
  private readonly settled = new Set<string>();
  /** A person or a changed promise may take a stream back. */
  private mayGoBack = false;

  constructor(machine: Machine, sources: Record<string, SourcePolicy>) {
    this.machine = machine;
    this.state = withSources(
      freshState(machine, { machine: 'order', environment: 'fuzz', id: '1' }),
      sources,
    );
  }

  take(step: Step): string[] {
    this.mayGoBack = false;
    switch (step.do) {
      case 'deliver':
        return this.deliver(step.events.map((said) => this.eventOf(said)));
      case 'answer':
      case 'gone':
      case 'unavailable':
      case 'other':
        return this.answer(step);
      case 'found':
      case 'search failed':
        return this.find(step);
      case 'wait':
        this.now += step.ms;
        return [];
      case 'wake':
        return this.wake();
      case 'resolve':
        return this.resolve(step);
      case 'reconcile':
        return this.decide(() =>
          reconcile(this.machine, this.state, { stream: streamAt(step.stream), by: 'ada: looked' }, this.now),
        );
      case 'effect': {
        const end = {
          key: `k${step.effect}`,
          name: `effect${step.effect}`,
          trouble: step.isOver ? null : 'failed',
        };
        return this.decide(() => noteEffects(this.machine, this.state, [end], this.now));
      }
      case 'contested':
        this.state = withContested(this.state, { [STREAMS[step.stream] as string]: '2' });
        return [];
      case 'policy':
        this.mayGoBack = true;
        this.state = withSources(this.state, { [SOURCES[step.source] as string]: policyOf(step.policy) });
        return [];
      case 'adopt':
        this.machine = { ...this.machine, version: this.machine.version + 1 };
        return this.decide(() => adoptMachine(this.machine, this.state, this.now));
      case 'two writers':
        return this.decide(() => noteTwoWriters(this.machine, this.state, 'run', this.now));
    }
  }

  private eventOf(said: Extract<Step, { do: 'deliver' }>['events'][number]): OrderEvent {
    const known = said.again === null ? undefined : this.told.at(-1 - said.again);
    if (known !== undefined) return known;
    const seq = String(this.told.length + 1);
    const { stream, type, facts, ...news } = newsOf(said);
    const event: OrderEvent = {
      seq,
      source: sourceOf(stream),
      event: `evt_${seq}`,
      stream,
      type,
      facts,
      ...news,
    };
    if (said.conflict) event.conflict = true;
    this.told.push(event);
    return event;
  }

  /** As the workflow does after `apply`: without what is settled, with twins marked. */
  private deliver(events: OrderEvent[]): string[] {
    const open = events
      .filter(({ seq }) => (this.outcomes.get(seq) ?? 'held') === 'held')
      .map((event) => {
        const isTwin =
          event.version !== null && !this.outcomes.has(event.seq) && this.settled.has(newsKey(event));
        return isTwin ? { ...event, twin: true as const } : event;
      });
    if (open.length === 0) return [];
    const before = this.state;
    const faults = this.decide(() => decide(this.machine, before, open, this.now));
    const silent = open.filter(({ seq }) => !this.outcomes.has(seq));
    return [...faults, ...silent.map(({ seq }) => `nothing was said of event ${seq}`)];
  }

  private answer(step: Extract<Step, { do: 'answer' | 'gone' | 'unavailable' | 'other' }>): string[] {
    const stream = STREAMS[step.stream] as string;
    const n = this.state.streams[stream]?.ask?.n ?? 0;
    const answer = this.answerOf(step, stream);
    const isLate = step.do === 'answer' && step.isLate;
    const settleBy = (said: Answer) => settle(this.machine, this.state, said, isLate ? n - 1 : n, this.now);
    // As the workflow does it: an answer that no decision comes of counts as none.
    return this.decide(() => {
      try {
        return settleBy(answer);
      } catch {
        return settleBy(withoutNews('unavailable', stream, this.now));
      }
    });
  }

  private answerOf(
    step: Extract<Step, { do: 'answer' | 'gone' | 'unavailable' | 'other' }>,
    stream: string,
  ): Answer {
    const asOf = this.now;
    if (step.do !== 'answer') return withoutNews(step.do, stream, asOf);
    const { claimedAt: _claimed, ...news } = newsOf(step);
    const parts = step.parts.map((at) => {
      const facts = FACTS[at] ?? {};
      return { type: 'payment.refunded', fact: factOf('payment.refunded', facts), facts };
    });
    const snapshot = { ...news, asOf, parts, ...(step.lists ? { lists: ['payment.refunded'] } : {}) };
    return { kind: 'snapshot', snapshot };
  }

  private find(step: Extract<Step, { do: 'found' | 'search failed' }>): string[] {
    const source = SOURCES[step.source] as string;
    const n = this.state.finds[source]?.n ?? 0;
    const answer =
      step.do === 'found'
        ? { kind: 'found' as const, source, streams: step.streams.map((at) => STREAMS[at] as string) }
        : { kind: 'unavailable' as const, source, retryAfterMs: null };
    return this.decide(() => settleFind(this.machine, this.state, answer, n, this.now));
  }

  /** At the instant that is due; whatever was due then must not be due any more. */
  private wake(): string[] {
    const due = dueAt(this.state);
    if (due === null) return [];
    this.now = Math.max(this.now, due);
    const faults = this.decide(() => wake(this.machine, this.state, this.now));
    for (let again = 0; again < 3; again++) {
      const left = dueAt(this.state);
      if (left === null || left > this.now) return faults;
      faults.push(...this.decide(() => wake(this.machine, this.state, this.now)));
    }
    return [...faults, `waking leaves it due at once`];
  }

  private resolve(step: Extract<Step, { do: 'resolve' }>): string[] {
    const stream = streamAt(step.stream);
    const held =
      step.held === null || stream === null ? undefined : this.state.streams[stream]?.held[step.held];
    const as =
      step.as === 'apply' ? { kind: step.as, status: `s${step.status}` } : ({ kind: step.as } as const);
    this.mayGoBack = true;
    return this.decide(() => {
      const decided = resolve(
        this.machine,
        this.state,
        { stream, event: held ?? null, by: 'ada: looked', as },
        this.now,
      );
      return 'refused' in decided ? null : decided;
    });
  }

  /** Decides, looks at the decision, and goes on with it. */
  private decide(decideOnce: () => Decision | null): string[] {
    const { decision, faults } = faultsOfDecision(this.state, decideOnce, {
      machine: this.machine,
      outcomes: this.outcomes,
      mayGoBack: this.mayGoBack,
    });
    if (decision === null) return faults;
    for (const { ref, outcome } of decision.outcomes) {
      this.outcomes.set(ref.seq, outcome);
      const event = this.told[Number(ref.seq) - 1];
      if (event !== undefined && outcome !== 'held') this.settled.add(newsKey(event));
    }
    this.state = decision.state;
    return faults;
  }
}

function withoutNews(kind: 'gone' | 'unavailable' | 'other', stream: string, asOf: number): Answer {
  if (kind === 'gone') return { kind, stream, asOf };
  if (kind === 'other') return { kind, stream, asOf, order: '2' };
  return { kind, stream, asOf, error: 'down', retryAfterMs: null };
}

type Said = Pick<
  Extract<Step, { do: 'answer' }>,
  'stream' | 'type' | 'version' | 'payment' | 'facts' | 'claimed'
>;

function newsOf(said: Said) {
  const facts = FACTS[said.facts] ?? {};
  const type = said.type === 9 ? null : (TYPES[said.type] ?? 'order.of_no_machine');
  return {
    stream: STREAMS[said.stream] as string,
    type,
    version: said.version === null ? null : (VERSIONS[said.version] as string),
    payment: said.payment === null ? null : `p${said.payment}`,
    claimedAt: said.claimed === null ? null : (CLAIMS[said.claimed] as string),
    fact: factOf(type, facts),
    facts,
  };
}

const factOf = (type: string | null, facts: Record<string, string>) => `${type} ${JSON.stringify(facts)}`;
const newsKey = ({ stream, version, fact }: OrderEvent) => `${stream} ${version} ${fact}`;
const streamAt = (at: number | null): string | null => (at === null ? null : (STREAMS[at] as string));
