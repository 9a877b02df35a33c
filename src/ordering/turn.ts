/**
 * The working copy of one decision. The state given in is never changed: the turn copies what it touches, so a
 * decision that throws leaves nothing behind. Everything a decision says (outcomes, journal, effects) is collected
 * here, in order.
 */
import { isRecordedOnly } from './recorded-only.ts';
import { isContested } from './contested.ts';
import { freshStream, objectOf, sourceOf, UNKNOWN_SOURCE } from './fresh-state.ts';
import type { Machine } from './machine.ts';
import { MAX_STREAMS } from './room.ts';
import type {
  EffectCause,
  EffectRequest,
  EventOutcome,
  EventRef,
  Facts,
  HeldEvent,
  JournalEntry,
  JournalKind,
  OrderEvent,
  OrderState,
  Outcome,
  SourcePolicy,
  StreamState,
} from './state.ts';
import { addToVersion } from './version.ts';

/** The source of what inorder itself says: a deadline that fired. */
export const INORDER = 'inorder';

/** The news that moves an order: an event, an answer, a deadline or a person's word. */
export interface News {
  stream: string;
  type: string;
  version: string | null;
  payment: string | null;
  fact: string;
  facts: Facts;
  ref: EventRef | null;
  claimedAt: string | null;
  /** When it happened, where something but the event itself says so (an answer, through a hint or what it lists). */
  happenedAt?: string | null;
  /** Of a deadline: when it was due. */
  dueAt?: string;
}

export class Turn {
  readonly machine: Machine;
  readonly now: number;
  readonly state: OrderState;
  readonly outcomes: EventOutcome[] = [];
  readonly journal: JournalEntry[] = [];
  readonly effects: EffectRequest[] = [];
  /** Moves of the order not yet followed by judging again, the oldest first. */
  readonly moves: { stream: string; stepBack: boolean }[] = [];
  private readonly copied = new Set<string>();
  private readonly given: OrderState;

  constructor(machine: Machine, state: OrderState, now: number) {
    this.machine = machine;
    this.now = now;
    this.given = state;
    this.state = { ...state, streams: { ...state.streams } };
  }

  policy(stream: string): SourcePolicy {
    const policy = this.state.sources[sourceOf(stream)] ?? UNKNOWN_SOURCE;
    // Nobody is asked here about another order's object.
    return isContested(this.state, stream) ? { ...policy, api: false } : policy;
  }

  /** The stream, to be changed; made when it is new. */
  stream(key: string): StreamState {
    const found = this.state.streams[key];
    if (found !== undefined && this.copied.has(key)) return found;
    this.copied.add(key);
    const copy = found === undefined ? this.newStream(key) : { ...found, held: [...found.held] };
    this.state.streams[key] = copy;
    return copy;
  }

  private newStream(key: string): StreamState {
    if (Object.keys(this.state.streams).length >= MAX_STREAMS)
      throw new Error('the order has more objects than it can know of');
    const { contract, first } = this.policy(key);
    const base = contract === 'sequence' && first !== 'any' ? addToVersion(first, -1) : null;
    return freshStream(contract, base);
  }

  streamKeys(): string[] {
    return Object.keys(this.state.streams).sort();
  }

  isOwn(payment: string | null): boolean {
    return payment === null || this.state.bearer === null || this.state.bearer === payment;
  }

  outcome(ref: EventRef, outcome: Outcome, reason: string | null, from = this.state.status): void {
    this.outcomes.push({
      ref: { seq: ref.seq, source: ref.source, event: ref.event },
      outcome,
      reason,
      from,
      to: this.state.status,
    });
  }

  note(kind: JournalKind, news: Partial<News>, reason: string | null, from = this.state.status): void {
    this.journal.push({
      kind,
      stream: news.stream ?? null,
      type: news.type ?? null,
      version: news.version ?? null,
      from,
      to: this.state.status,
      reason,
      cause: news.ref ? { seq: news.ref.seq, source: news.ref.source, event: news.ref.event } : null,
    });
  }

  /** Asks for an effect; equal `once` make it one effect, whoever asks again (R31). */
  request(name: string, news: News, previous: string): void {
    const policy = this.machine.effects[name];
    if (policy === undefined) return;
    const once = onceOf(policy.once, news, this.isOnlyHinted(news.stream));
    if (once === null) return;
    const happenedAt = news.happenedAt ?? news.claimedAt;
    const causedAt = happenedAt ?? news.dueAt ?? null;
    const mode = isRecordedOnly(this.state.adopted, policy, happenedAt)
      ? 'record'
      : this.effectsMode(news.stream);
    const known = this.effects.findIndex((one) => one.name === name && one.once === once);
    // Of an adopted order: what knows when it happened counts over what does not.
    if (known >= 0 && (mode === 'record' || this.effects[known]?.mode === 'run')) return;
    const effect: EffectRequest = {
      name,
      once,
      status: this.state.status,
      previous,
      cause: causeOf(news),
      facts: news.facts,
      mode,
      ...(causedAt === null ? {} : { causedAt }),
    };
    if (known >= 0) this.effects[known] = effect;
    else this.effects.push(effect);
  }

  /** Its events decide nothing: its provider is asked, and what happened is what the answers list. */
  private isOnlyHinted(stream: string): boolean {
    const { contract, api } = this.policy(stream);
    return contract === 'unordered' && api;
  }

  /** A deadline is no source's: it is shadowed only when all of the order's sources are. */
  private effectsMode(stream: string): 'run' | 'record' {
    if (sourceOf(stream) !== INORDER) return this.policy(stream).effects;
    const sources = Object.values(this.state.sources);
    return sources.length > 0 && sources.every((source) => source.effects === 'record') ? 'record' : 'run';
  }

  /** It was held before this turn, which may judge it again. */
  wasHeld({ stream, seq, source, event }: OrderEvent): boolean {
    const isIt = (held: HeldEvent) => held.seq === seq && held.source === source && held.event === event;
    return this.given.streams[stream]?.held.some(isIt) === true;
  }

  /** The streams this turn has changed. */
  touched(): string[] {
    return [...this.copied];
  }
}

/**
 * What one run of an effect is counted by. An event without the named fact stands for itself; a hint or an answer
 * without it counts nothing, since what the answer lists has the facts.
 */
function onceOf(once: 'order' | 'event' | `facts.${string}`, news: News, isHinted: boolean): string | null {
  if (once === 'order') return 'order';
  const named = once === 'event' ? undefined : news.facts[once.slice('facts.'.length)];
  if (named !== undefined) return named;
  return once !== 'event' && (news.ref === null || isHinted) ? null : `${news.stream}|${news.fact}`;
}

function causeOf(news: News): EffectCause {
  return {
    source: sourceOf(news.stream),
    event: news.ref?.event ?? null,
    type: news.type,
    object: objectOf(news.stream),
    version: news.version,
    claimedAt: news.claimedAt,
  };
}

export function newsOf(event: OrderEvent & { type: string }): News {
  return {
    stream: event.stream,
    type: event.type,
    version: event.version,
    payment: event.payment,
    fact: event.fact,
    facts: event.facts,
    ref: event,
    claimedAt: event.claimedAt,
  };
}

export function isTyped<E extends OrderEvent>(event: E): event is E & { type: string } {
  return event.type !== null;
}

/** A held event again as the plain event it was. */
export function unheld(held: HeldEvent): OrderEvent {
  const { since: _since, reason: _reason, behind: _behind, ask: _ask, review: _review, ...event } = held;
  return event;
}
