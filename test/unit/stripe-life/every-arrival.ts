/**
 * Every order in which the events of a life can arrive, each up to so many times, with an answer of the API at any
 * moment one is awaited. Worlds that can only go on equally are gone on from once: a few thousand stand for millions
 * of orders of arrival.
 *
 * A1  All has happened before the first arrival; for `lagWindow` after that, an answer may come from a replica that is
 *     any number of happenings behind.
 * A2  A second copy has an id of its own, as Stripe may make two events of one happening. One under the same id never
 *     comes back once it is settled (the store keeps it from the order), and while it is held it must change nothing:
 *     that is looked at everywhere.
 * A3  After any arrival all may be over: the ending is judged there, too, as one of a smaller set.
 * A4  How often something came is not counted where it may come any number of times, so that these worlds are fewer
 *     than those of once or twice, and hold them all.
 */
import { hash } from 'node:crypto';
import { decide, withSources } from '../../../src/ordering/decide.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { leadsTo } from '../../../src/ordering/table.ts';
import { settle } from '../../../src/ordering/settle.ts';
import type {
  Decision,
  OrderEvent,
  OrderState,
  SourcePolicy,
  StreamState,
} from '../../../src/ordering/state.ts';
import { dueAt } from '../../../src/ordering/timers.ts';
import { wake } from '../../../src/ordering/wake.ts';
import type { LifeTold } from './life-told.ts';

export interface Arrivals {
  machine: Machine;
  policy: SourcePolicy;
  life: LifeTold;
  /** How many of the events arrive, and how often each at most; Infinity: any number of times. */
  events: number;
  copies: number;
  /** How many answers come from a replica that lags, and how often time passes between arrivals. */
  lags: number;
  wakes: number;
  /** What waits goes by its news, not by what it can still do: more worlds, the same endings. */
  isExact?: boolean;
}

export interface Ending {
  /** Names of the events that arrived. */
  told: string[];
  status: string;
  attention: string[];
  /** Keys, `name/once`. */
  effects: string[];
  asks: number;
  way: string[];
}

export interface Explored {
  worlds: number;
  /** Different endings by set of events, judged once each. */
  endings: number;
  problems: string[];
}

interface World {
  state: OrderState;
  now: number;
  /** How often each event has arrived. */
  heard: number[];
  /** When the request under way about each stream left. */
  sentAt: Record<string, number>;
  effects: string[];
  lags: number;
  wakes: number;
  faults: string[];
  way: Way | null;
}
interface Way {
  step: string;
  before: Way | null;
}

const START = 1_764_100_000_000;
const MOST_PROBLEMS = 5;

export function explore(arrivals: Arrivals, judge: (ending: Ending) => string[]): Explored {
  const found: Explored = { worlds: 0, endings: 0, problems: [] };
  const seen = new Set<string>();
  const rested = new Set<string>();
  const open = [startOf(arrivals)];
  for (let world = open.pop(); world !== undefined; world = open.pop()) {
    const name = nameOf(arrivals, world);
    const left = `${name} ${world.lags} ${world.wakes}`;
    if (seen.has(left)) continue;
    seen.add(left);
    found.worlds += 1;
    const end = world.way === null ? null : rest(arrivals, world, rested);
    if (end !== null) {
      found.endings += 1;
      const told = endingOf(arrivals.life, end);
      const wrong = [...end.faults, ...judge(told)];
      if (wrong.length > 0)
        found.problems.push(
          `${told.way.join(' · ')}: ${wrong.join('; ')} (${told.status}; ${told.attention.join('; ')})`,
        );
      if (found.problems.length >= MOST_PROBLEMS) return found;
    }
    open.push(...following(arrivals, world));
  }
  return found;
}

/** One way, by chance: `choose(n)` gives a whole number below n. */
export function play(arrivals: Arrivals, choose: (below: number) => number): Ending & { faults: string[] } {
  let world = startOf(arrivals);
  for (let next = following(arrivals, world); next.length > 0; next = following(arrivals, world))
    world = next[choose(next.length)] as World;
  const end = rest(arrivals, world, new Set()) as World;
  return { ...endingOf(arrivals.life, end), faults: end.faults };
}

function startOf({ machine, policy, life, lags, wakes }: Arrivals): World {
  const key = { machine: machine.name, environment: 'live', id: '1042' };
  return {
    state: withSources(freshState(machine, key), { stripe: policy }),
    now: START,
    heard: life.events.map(() => 0),
    sentAt: {},
    effects: [],
    lags,
    wakes,
    faults: [],
    way: null,
  };
}

function endingOf({ events }: LifeTold, world: World): Ending {
  const way: string[] = [];
  for (let at = world.way; at !== null; at = at.before) way.unshift(at.step);
  return {
    told: events.filter((_, at) => (world.heard[at] ?? 0) > 0).map(({ name }) => name),
    status: world.state.status,
    attention: world.state.attention.map(({ kind, reason }) => `${kind}: ${reason}`),
    effects: world.effects,
    asks: Object.values(world.state.streams).reduce((sum, { asks }) => sum + asks, 0),
    way,
  };
}

function following(arrivals: Arrivals, world: World): World[] {
  const next: World[] = [];
  const { life, events, copies } = arrivals;
  const told = world.heard.filter((count) => count > 0).length;
  for (const [at, count] of world.heard.entries())
    if (count < copies && (count > 0 || told < events) && !isIdle(arrivals, world, at))
      next.push(hear(arrivals, world, at));
  for (const stream of awaited(world.state)) {
    next.push(answer(arrivals, world, stream, 0));
    if (world.lags === 0 || (world.sentAt[stream] ?? 0) >= START + arrivals.policy.lagWindowMs) continue;
    for (const behind of life.answers[stream]?.keys() ?? [])
      if (behind > 0) next.push({ ...answer(arrivals, world, stream, behind), lags: world.lags - 1 });
  }
  const due = dueAt(world.state);
  if (world.wakes > 0 && due !== null && due !== world.state.deadline?.at)
    next.push({ ...awake(arrivals, world, due), wakes: world.wakes - 1 });
  return next;
}

/** Where any number may come: one that another stands for, or that waits already for the next request of its stream. */
function isIdle({ copies, life }: Arrivals, { state, heard, now }: World, at: number): boolean {
  if (copies < Infinity) return false;
  if (life.alike[at] !== at) return true;
  const { event } = life.events[at] as LifeTold['events'][number];
  const stream = state.streams[event.stream];
  if (heard[at] === 0 || stream?.candidate !== null) return false;
  return stream.held.some(
    ({ fact, since, ask, review }) => fact === event.fact && since === now && ask === null && review === null,
  );
}

const awaited = (state: OrderState): string[] =>
  Object.keys(state.streams).filter((stream) => state.streams[stream]?.ask?.retryAt === null);

function hear(arrivals: Arrivals, world: World, at: number): World {
  const { name, event } = arrivals.life.events[at] as LifeTold['events'][number];
  const count = world.heard[at] ?? 0;
  const copy: OrderEvent =
    count === 0 ? event : { ...event, seq: `${event.seq}.${count}`, event: `${event.event}.${count}` };
  const decision = decide(arrivals.machine, world.state, [copy], world.now);
  const next = take(world, decision, name);
  const heard = world.heard.map((many, index) => (index === at ? many + 1 : many));
  // What a second copy leaves is what a first one leaves: looked at once.
  const repeated = count === 0 ? repeatFaults(arrivals, next, copy) : [];
  return { ...next, heard, faults: [...next.faults, ...repeated] };
}

/** A2. */
function repeatFaults({ machine }: Arrivals, { state, now }: World, copy: OrderEvent): string[] {
  const isHeld = state.streams[copy.stream]?.held.some(({ seq }) => seq === copy.seq) === true;
  if (!isHeld) return [];
  const again = decide(machine, state, [copy], now);
  const isSame = again.outcomes.length === 0 && again.effects.length === 0 && again.journal.length === 0;
  return isSame ? [] : [`${copy.type} again, while it was held, changed something`];
}

function answer(arrivals: Arrivals, world: World, stream: string, behind: number): World {
  const { machine, life } = arrivals;
  const asOf = world.sentAt[stream] ?? world.now;
  const snapshot = life.answers[stream]?.[behind] ?? null;
  const told =
    snapshot === null
      ? ({ kind: 'gone', stream, asOf } as const)
      : ({ kind: 'snapshot', snapshot: { ...snapshot, asOf } } as const);
  const n = world.state.streams[stream]?.ask?.n ?? 0;
  const kind = stream.slice('stripe/'.length).split(':')[0];
  const step = `${kind} answered${behind === 0 ? '' : `, ${behind} behind`}`;
  return take(world, settle(machine, world.state, told, n, world.now), step);
}

function awake(arrivals: Arrivals, world: World, due: number): World {
  const now = Math.max(world.now, due);
  return take({ ...world, now }, wake(arrivals.machine, world.state, now), 'time passes');
}

function take(world: World, { state, effects, outcomes }: Decision, step: string): World {
  const sentAt: World['sentAt'] = {};
  for (const stream of awaited(state)) {
    const isSame = state.streams[stream]?.ask?.n === world.state.streams[stream]?.ask?.n;
    sentAt[stream] = isSame ? (world.sentAt[stream] ?? world.now) : world.now;
  }
  const keys = new Set([...world.effects, ...effects.map(({ name, once }) => `${name}/${once}`)]);
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').map(({ reason }) => String(reason));
  return {
    ...world,
    state,
    sentAt,
    effects: [...keys].sort(),
    faults: [...world.faults, ...failed],
    way: { step, before: world.way },
  };
}

/**
 * The provider answers truly, and time passes while something is due but the deadline of a status. Null: from here it
 * was seen before how all comes to rest.
 */
function rest(arrivals: Arrivals, world: World, rested: Set<string>): World | null {
  const steps = new Set<string>();
  for (let now = world; ;) {
    const name = nameOf(arrivals, now);
    if (steps.has(name)) return { ...now, faults: [...now.faults, 'never comes to rest'] };
    if (rested.has(name)) return null;
    steps.add(name);
    rested.add(name);
    const [stream] = awaited(now.state);
    const due = dueAt({ ...now.state, deadline: null });
    if (stream !== undefined) now = answer(arrivals, now, stream, 0);
    else if (due !== null) now = awake(arrivals, now, due);
    else return now;
  }
}

/**
 * Equal names go on equally: how often was asked and under which number, and by which id and in which order things
 * that wait were told, decide nothing.
 */
function nameOf(arrivals: Arrivals, { state, ...world }: World): string {
  const { sources: _sources, key: _key, streams, ...rest } = state;
  const named = Object.keys(streams)
    .sort()
    .map((key) => [key, ...streamName(arrivals, world.effects, streams[key] as StreamState)]);
  const { now, sentAt, effects, faults } = world;
  const text = JSON.stringify([rest, named, now, sentAt, effects, faults.length, heardOf(arrivals, world)]);
  return hash('sha1', text, 'base64');
}

/** Which of several that tell the same news came makes no difference, nor how often, if it may be any number of times. */
const heardOf = ({ copies, life }: Arrivals, { heard }: Pick<World, 'heard'>): string =>
  heard
    .map((count, at) => `${life.alike[at]}:${copies < Infinity ? count : Math.min(count, 1)}`)
    .sort()
    .join();

function streamName(
  arrivals: Arrivals,
  done: string[],
  { asks: _asks, ask, held, word, newest, ...stream }: StreamState,
): unknown[] {
  const waits = held.map((one) =>
    [
      arrivals.isExact === true || one.review !== null ? one.fact : stillDoes(arrivals.machine, done, one),
      one.since,
      one.reason,
      one.ask === null,
      one.ask === ask?.n,
      one.review,
    ].join(),
  );
  return [
    stream,
    ask === null ? null : [ask.reason, ask.since, ask.retryAt, ask.late],
    [...new Set(waits)].sort(),
    word === null ? null : { ...word, ref: null },
    newest === null ? null : [newest.claimedAt, newest.types.toSorted(), newest.facts?.toSorted()],
  ];
}

/**
 * What a hint that waits can still do, beside making the provider be asked: the effects it keeps when an answer covers
 * it, but for those that were asked for already. Two that can do the same are the same.
 */
function stillDoes(machine: Machine, done: string[], { stream, type, fact, facts }: OrderEvent): string {
  const kept = new Set<string>();
  for (const status of type === null ? [] : leadsTo(machine, type))
    for (const effect of machine.statuses[status]?.effects ?? []) {
      const once = machine.effects[effect]?.once ?? 'order';
      if (once === 'event') kept.add(`${effect}/${stream}|${fact}`);
      else if (once !== 'order') kept.add(`${effect}/${facts[once.slice('facts.'.length)]}`);
    }
  return [...kept].filter((effect) => !done.includes(effect)).join();
}
