/**
 * A small world around the core, for checking it: streams whose truth is known, a store that remembers what was
 * settled, and a provider that is asked. Everything is plain data and nothing is changed in place, so a world can
 * be kept, compared and gone on from in several directions.
 *
 * M1  What happens, happens in the story's order; a delivery or an answer never tells what has not happened yet.
 * M2  The store presents an event again until it is settled, and never after; it knows twins (DESIGN §9, apply).
 * M3  A replica lags less than its source's `lagWindow`.
 */
import { dueAt } from '../timers.ts';
import { decide, withSources } from '../decide.ts';
import { freshState, sourceOf } from '../fresh-state.ts';
import type { Machine } from '../machine.ts';
import { resolve } from '../resolve.ts';
import type { Resolution } from '../resolve.ts';
import { settle, settleFind } from '../settle.ts';
import type {
  Answer,
  Decision,
  EffectRequest,
  Facts,
  OrderEvent,
  OrderKey,
  OrderState,
  Outcome,
  SourcePolicy,
} from '../state.ts';
import { wake } from '../wake.ts';
import { faultsOf } from './faults.ts';
import { countedFacts, repeats } from './kinds.ts';

/** One thing that is true from some moment on. */
export interface Happening {
  stream: string;
  type: string | null;
  payment: string | null;
  version: string | null;
  claimedAt: string | null;
  facts: Facts;
}

export interface Model {
  machine: Machine;
  sources: Record<string, SourcePolicy>;
  /** In the order in which they are true. */
  story: Happening[];
  /** Whether answers carry the version, where the stream has versions. */
  versionedAnswers: boolean;
}

export interface World {
  state: OrderState;
  now: number;
  /** When each happening of the story so far was true, epoch ms. */
  happenedAt: number[];
  /** When the request under way about each stream was sent, epoch ms. */
  sentAt: Record<string, { n: number; at: number }>;
  /** Copies still to be delivered. */
  left: Copy[];
  /** The last outcome of each event, by its id. */
  outcomes: Record<string, Outcome>;
  /** (stream, version, fact) of what was settled, and by which id. */
  settledNews: Record<string, string>;
  /** Each effect by its key, as it was asked for first. */
  effects: Record<string, EffectRequest>;
  /** A person has had a word: the order's end is theirs. */
  isResolved: boolean;
  /** How much of the story had happened when a deadline of a status acted; null: none has. */
  expiredAfter: number | null;
  /** The status that this deadline led to. */
  expiredTo: string | null;
  /** What must never happen, and did. */
  faults: string[];
}

/** A copy of a happening under one of its ids: the provider's, or one of a second subscription. */
export interface Copy {
  happening: number;
  id: string;
  /** Tells something else of the same version: as a tie, or under the same id as the true one. */
  other?: 'tie' | 'conflict';
}

type AnswerAction = Extract<Action, { do: 'answer' | 'gone' | 'unavailable' }>;

export type Action =
  | { do: 'happen' }
  | { do: 'deliver'; copies: number[] }
  /** `behind`: how many happenings of the stream the replica has not heard of. */
  | { do: 'answer'; stream: string; behind: number }
  | { do: 'gone'; stream: string }
  | { do: 'unavailable'; stream: string }
  | { do: 'found'; source: string }
  | { do: 'searchFailed'; source: string }
  /** A person's word on whatever the stream shows first. */
  | { do: 'resolve'; stream: string; as: Resolution['as'] }
  | { do: 'wake' }
  /** Time passes without anything being due. */
  | { do: 'wait'; ms: number };

const KEY: OrderKey = { machine: 'order', environment: 'check', id: '1' };

export function newWorld(model: Model, copies: Copy[], now: number): World {
  const state = withSources(freshState(model.machine, KEY), model.sources);
  return {
    state,
    now,
    happenedAt: [],
    sentAt: {},
    left: copies,
    outcomes: {},
    settledNews: {},
    effects: {},
    isResolved: false,
    expiredAfter: null,
    expiredTo: null,
    faults: [],
  };
}

export const factOf = (type: string | null, facts: Facts): string => `${type}${JSON.stringify(facts)}`;

interface Told {
  events: Map<string, OrderEvent>;
  snapshots: Map<string, Answer>;
}
/** What is told of a story does not change with the world it is told in. */
const toldOf = new WeakMap<Model['story'], Told>();

function told({ story }: Model): Told {
  const known = toldOf.get(story) ?? { events: new Map(), snapshots: new Map() };
  toldOf.set(story, known);
  return known;
}

function eventOf(model: Model, copy: Copy): OrderEvent {
  const { events } = told(model);
  const event = events.get(copy.id) ?? newEvent(model, copy);
  events.set(copy.id, event);
  return event;
}

function newEvent(model: Model, copy: Copy): OrderEvent {
  const { stream, type, payment, version, claimedAt, facts } = model.story[copy.happening] as Happening;
  const ref = { seq: copy.id, source: sourceOf(stream), event: copy.id };
  const said = copy.other === undefined ? facts : { ...facts, told: 'otherwise' };
  const event = { ...ref, stream, type, payment, version, claimedAt, fact: factOf(type, said), facts: said };
  return copy.other === 'conflict' ? { ...event, conflict: true } : event;
}

/** Does one thing; the world given is left as it is. */
export function act(model: Model, world: World, action: Action): World {
  switch (action.do) {
    case 'happen':
      return { ...world, happenedAt: [...world.happenedAt, world.now] };
    case 'deliver':
      return deliver(model, world, action.copies);
    case 'answer':
    case 'gone':
    case 'unavailable':
      return answer(model, world, action);
    case 'found':
    case 'searchFailed':
      return found(model, world, action);
    case 'resolve':
      return decideByPerson(model, world, action);
    case 'wake':
      return awake(model, world);
    case 'wait':
      return { ...world, now: world.now + action.ms };
  }
}

function deliver(model: Model, world: World, picked: number[]): World {
  const copies = picked.map((index) => world.left[index] as Copy);
  const left = world.left.filter((_, index) => !picked.includes(index));
  return present(model, { ...world, left }, copies);
}

/** Presents copies as the workflow would after `apply`: without what is settled (M2), with twins marked. */
export function present(model: Model, world: World, copies: Copy[]): World {
  const ids = new Set<string>();
  const events = copies.flatMap((copy) => {
    if (isSettled(world.outcomes[copy.id])) return [];
    if (world.outcomes[copy.id] !== 'held') ids.add(copy.id);
    const event = eventOf(model, copy);
    const isNew = event.version !== null && world.outcomes[copy.id] === undefined;
    const settledBy = isNew ? world.settledNews[newsKey(event)] : undefined;
    return settledBy !== undefined && settledBy !== copy.id ? [{ ...event, twin: true as const }] : [event];
  });
  if (events.length === 0) return world;
  const decision = decide(model.machine, world.state, events, world.now);
  const next = take(model, world, decision);
  const heard = new Set(decision.outcomes.map((outcome) => outcome.ref.event));
  const untold = [...ids].filter((id) => !heard.has(id));
  return untold.length === 0
    ? next
    : { ...next, faults: [...next.faults, `no outcome for ${untold.join(', ')}`] };
}

const isSettled = (outcome: Outcome | undefined) => outcome !== undefined && outcome !== 'held';
const newsKey = (event: OrderEvent) => `${event.stream} ${event.version} ${event.fact}`;

/** Keeps what a decision says, as the store would, and notes what must never be. */
function take(model: Model, world: World, decision: Decision, mayGoBack = false): World {
  const last = new Map(decision.outcomes.map((told) => [told.ref.event, told]));
  const wrong = faultsOf(model.machine, world, decision, { last, mayGoBack });
  const next: World = { ...world, state: decision.state, sentAt: sentAtOf(world, decision.state) };
  if (wrong.length > 0) next.faults = [...world.faults, ...wrong];
  if (last.size > 0) {
    next.outcomes = { ...world.outcomes };
    next.settledNews = { ...world.settledNews };
    for (const [id, told] of last) {
      next.outcomes[id] = told.outcome;
      if (isSettled(told.outcome)) next.settledNews[newsKey(eventOf(model, copyOf(id)))] ??= id;
    }
  }
  if (decision.effects.length > 0) {
    next.effects = { ...world.effects };
    for (const effect of decision.effects) next.effects[`${effect.name} ${effect.once}`] ??= effect;
  }
  const acted = decision.journal.find((entry) => entry.kind === 'deadline' && entry.from !== entry.to);
  if (acted !== undefined && world.expiredAfter === null) {
    next.expiredAfter = world.happenedAt.length;
    next.expiredTo = acted.to;
  }
  return next;
}

/** Ids are `<happening>`, `<happening>.<second id>`, `<happening>.tie` or `<happening>.conflict`. */
function copyOf(id: string): Copy {
  const [happening, kind] = id.split('.');
  const copy = { happening: Number(happening), id };
  return kind === 'tie' || kind === 'conflict' ? { ...copy, other: kind } : copy;
}

function sentAtOf(world: World, state: OrderState): World['sentAt'] {
  const sentAt: World['sentAt'] = {};
  for (const [key, { ask }] of Object.entries(state.streams)) {
    if (ask?.retryAt !== null) continue;
    const known = world.sentAt[key];
    sentAt[key] = known?.n === ask.n ? known : { n: ask.n, at: world.now };
  }
  return sentAt;
}

// ---- the provider ----

/** The state of a stream's object after so many of its happenings; `gone` when nothing of it means anything yet. */
function snapshotOf(model: Model, stream: string, heard: Happening[], asOf: number): Answer {
  const { snapshots } = told(model);
  const name = `${heard.length} ${stream}`;
  const answer = snapshots.get(name) ?? newSnapshot(model, stream, heard);
  snapshots.set(name, answer);
  return answer.kind === 'snapshot'
    ? { ...answer, snapshot: { ...answer.snapshot, asOf } }
    : { ...answer, asOf };
}

function newSnapshot(model: Model, stream: string, heard: Happening[]): Answer {
  const words = heard.filter(({ type }) => type !== null && model.machine.on[type] !== undefined);
  const word = words.at(-1);
  if (word?.type == null) return { kind: 'gone', stream, asOf: 0 };
  return {
    kind: 'snapshot',
    snapshot: {
      stream,
      type: word.type,
      version: model.versionedAnswers ? (heard.at(-1)?.version ?? null) : null,
      payment: word.payment,
      fact: factOf(word.type, word.facts),
      facts: word.facts,
      asOf: 0,
      parts: partsOf(model.machine, words),
    },
  };
}

/** Single happenings that are counted by a fact and stand: each refund that has not failed. */
function partsOf(machine: Machine, words: Happening[]): { type: string; fact: string; facts: Facts }[] {
  return countedFacts(machine).flatMap((name) => {
    const isBack = ({ type }: Happening) => repeats(machine, type as string).includes(name);
    const failed = new Set(words.filter(isBack).map(({ facts }) => facts[name]));
    return words
      .filter((word) => !isBack(word) && word.facts[name] !== undefined && !failed.has(word.facts[name]))
      .map(({ type, facts }) => ({ type: type as string, fact: factOf(type, facts), facts }));
  });
}

const happenedOf = (model: Model, world: World, stream: string) =>
  model.story.slice(0, world.happenedAt.length).filter((happening) => happening.stream === stream);

/** Whether the provider knows anything of the stream that has a meaning. */
export const isAnswerable = (model: Model, world: World, stream: string): boolean =>
  snapshotOf(model, stream, happenedOf(model, world, stream), world.now).kind === 'snapshot';

/** How many happenings the replica that is being asked may not have heard of (M3). */
export function mostBehind(model: Model, world: World, stream: string): number {
  const { lagWindowMs } = model.sources[sourceOf(stream)] as SourcePolicy;
  const sentAt = world.sentAt[stream]?.at ?? world.now;
  return world.happenedAt.filter(
    (at, index) => model.story[index]?.stream === stream && at > sentAt - lagWindowMs,
  ).length;
}

function answer(model: Model, world: World, action: AnswerAction): World {
  const { stream } = action;
  const n = world.state.streams[stream]?.ask?.n;
  if (n === undefined) return world;
  const asOf = world.sentAt[stream]?.at ?? world.now;
  const taken = settle(model.machine, world.state, answerOf(model, world, action, asOf), n, world.now);
  return take(model, world, taken);
}

function answerOf(model: Model, world: World, action: AnswerAction, asOf: number): Answer {
  const { stream } = action;
  if (action.do === 'gone') return { kind: 'gone', stream, asOf };
  if (action.do === 'unavailable')
    return { kind: 'unavailable', stream, asOf, error: 'down', retryAfterMs: null };
  const heard = happenedOf(model, world, stream);
  return snapshotOf(model, stream, heard.slice(0, heard.length - action.behind), asOf);
}

function found(model: Model, world: World, action: Extract<Action, { source: string }>): World {
  const { source } = action;
  const n = world.state.finds[source]?.n;
  if (n === undefined) return world;
  const streams = [
    ...new Set(model.story.slice(0, world.happenedAt.length).map((happening) => happening.stream)),
  ].filter((stream) => sourceOf(stream) === source);
  const told =
    action.do === 'found'
      ? { kind: 'found' as const, source, streams }
      : { kind: 'unavailable' as const, source, retryAfterMs: null };
  return take(model, world, settleFind(model.machine, world.state, told, n, world.now));
}

// ---- a person ----

/** What of the stream a person would be shown: an event that waits, the answer under review, or its notice. */
function decideByPerson(model: Model, world: World, action: Extract<Action, { do: 'resolve' }>): World {
  const { stream, as } = action;
  const held = world.state.streams[stream]?.held.find((one) => one.review !== null);
  const resolution = { stream, event: held ?? null, by: 'check: looked at it', as };
  const decided = resolve(model.machine, world.state, resolution, world.now);
  return 'refused' in decided
    ? world
    : { ...take(model, world, decided, as.kind === 'rebase'), isResolved: true };
}

// ---- time ----

function awake(model: Model, world: World): World {
  const due = dueAt(world.state);
  const now = Math.max(world.now, due ?? world.now);
  const next = take(model, { ...world, now }, wake(model.machine, world.state, now));
  const after = dueAt(next.state);
  const isProgress = after === null || after > now || asksOf(next.state) > asksOf(world.state);
  return isProgress ? next : { ...next, faults: [...next.faults, `waking at ${now} leaves ${after} due`] };
}

/** How many requests have been sent so far. */
export function asksOf(state: OrderState): number {
  let asks = 0;
  for (const key in state.streams) asks += state.streams[key]?.asks ?? 0;
  for (const source in state.finds) asks += state.finds[source]?.n ?? 0;
  return asks;
}
