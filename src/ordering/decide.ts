/**
 * The pure core's entry for events: `decide(machine, state, events, now)`. No clock, no randomness, no I/O; the
 * state given in is never changed. A batch is decided in version order within each stream; an event whose
 * decision throws is settled `failed` with attention, and the others go on.
 */
import { coverByNewAsks } from './asking.ts';
import { attentionOf } from './attention.ts';
import { cascade, rest } from './cascade.ts';
import { actIfAnswered } from './deadline.ts';
import { isSameRef } from './hold.ts';
import { judge } from './judge.ts';
import type { Machine } from './machine.ts';
import type { Decision, OrderEvent, OrderState, SourcePolicy } from './state.ts';
import { Turn } from './turn.ts';
import { compareVersions } from './version.ts';

const MOST_NOTICES = 100;

export function decide(machine: Machine, state: OrderState, events: OrderEvent[], now: number): Decision {
  const all: Decision = { state, outcomes: [], journal: [], effects: [] };
  for (const event of inVersionOrder(once(state, events))) {
    let turn = new Turn(machine, all.state, now);
    try {
      judge(turn, event);
      cascade(turn);
    } catch (error) {
      turn = new Turn(machine, all.state, now);
      fail(turn, event, error);
    }
    collect(all, turn);
  }
  // An event may have ended the doubt that a fired deadline waited for.
  if (all.state.deadline?.phase === 'asking') finish(all, machine, now);
  all.state = coverByNewAsks(state, all.state);
  return closed(all);
}

function finish(all: Decision, machine: Machine, now: number): void {
  collect(all, followed(machine, all.state, now, actIfAnswered));
}

/**
 * A change and all that follows from it. Where a table leads in a circle and nothing of that comes to rest, nothing of
 * it is followed and a person is told: an order that is woken, asked about or resolved has no event that could fail.
 */
function followed(machine: Machine, state: OrderState, now: number, change: (turn: Turn) => void): Turn {
  const turn = new Turn(machine, state, now);
  change(turn);
  try {
    cascade(turn);
    return turn;
  } catch (error) {
    const still = new Turn(machine, state, now);
    change(still);
    rest(still);
    const reason = `decision failed: ${error instanceof Error ? error.message : String(error)}`;
    still.note('failed', {}, reason);
    addNotice(still, null, reason);
    return still;
  }
}

/** Runs one change of the core over a working copy and returns its decision. */
export function decideBy(
  machine: Machine,
  state: OrderState,
  now: number,
  change: (turn: Turn) => void,
): Decision {
  const all: Decision = { state, outcomes: [], journal: [], effects: [] };
  collect(all, followed(machine, state, now, change));
  // Last, since what was just answered or freed may have moved the order.
  finish(all, machine, now);
  return closed(all);
}

/** The state with the policies a signal brought; the same object when they say nothing new. */
export function withSources(state: OrderState, sources: Record<string, SourcePolicy>): OrderState {
  for (const name in sources)
    if (!isSamePolicy(state.sources[name], sources[name] as SourcePolicy))
      return { ...state, sources: { ...state.sources, ...sources } };
  return state;
}

function isSamePolicy(known: SourcePolicy | undefined, told: SourcePolicy): boolean {
  if (known === undefined || known === told) return known === told;
  for (const field in told)
    if (known[field as keyof SourcePolicy] !== told[field as keyof SourcePolicy]) return false;
  return true;
}

function collect(all: Decision, turn: Turn): void {
  all.state = turn.state;
  all.outcomes.push(...turn.outcomes);
  all.journal.push(...turn.journal);
  for (const effect of turn.effects)
    if (!all.effects.some((known) => known.name === effect.name && known.once === effect.once))
      all.effects.push(effect);
}

function closed(all: Decision): Decision {
  return { ...all, state: { ...all.state, attention: attentionOf(all.state) } };
}

function fail(turn: Turn, event: OrderEvent, error: unknown): void {
  const reason = `decision failed: ${error instanceof Error ? error.message : String(error)}`;
  turn.outcome(event, 'failed', reason);
  turn.note('failed', { stream: event.stream, ref: event, version: event.version }, reason);
  addNotice(turn, event.stream, reason);
}

/** One of a kind, and not more than a person reads: each failure is in the journal, too. */
function addNotice(turn: Turn, stream: string | null, reason: string): void {
  const { notices } = turn.state;
  const isKnown = notices.some((notice) => notice.stream === stream && notice.reason === reason);
  if (isKnown || notices.length >= MOST_NOTICES) return;
  turn.state.notices = [...notices, { kind: 'review', stream, since: turn.now, reason }];
}

/**
 * A signal may be sent again while the first one waits: the same row twice in a batch, or one that is held already,
 * is no second event and must not make a stale one of the first.
 */
function once(state: OrderState, events: OrderEvent[]): OrderEvent[] {
  return events.filter(
    (event, at) => !isHeld(state, event) && events.findIndex((other) => isSameRef(other, event)) === at,
  );
}

function isHeld(state: OrderState, event: OrderEvent): boolean {
  const held = state.streams[event.stream]?.held;
  return held?.some((one) => isSameRef(one, event)) === true;
}

/** Each stream's events in version order, in the places that the stream had in the batch. */
function inVersionOrder(events: OrderEvent[]): OrderEvent[] {
  if (events.length < 2) return events;
  const queues = new Map<string, OrderEvent[]>();
  for (const event of events) {
    const queue = queues.get(event.stream);
    if (queue === undefined) queues.set(event.stream, [event]);
    else queue.push(event);
  }
  for (const queue of queues.values()) queue.sort(byVersion);
  return events.map((event) => queues.get(event.stream)?.shift() as OrderEvent);
}

/** Versions of two kinds have no order here; the decision of the second will say so. */
function byVersion(a: OrderEvent, b: OrderEvent): number {
  if (a.version === null || b.version === null) return 0;
  if (a.version.endsWith('Z') !== b.version.endsWith('Z')) return 0;
  return compareVersions(a.version, b.version);
}
