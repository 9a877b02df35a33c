/**
 * Judging one event by its stream's contract (the table of docs/ordering.md). Between streams nothing is compared.
 *
 * J1  What was settled before at the same version is stale: no late rule, no effect, whatever its id.
 * J2  Above the next version of a sequence an event waits; it never invents what is missing (R29).
 * J3  Two contents at one version are a tie: neither wins by arrival (R23).
 * J4  A hint decides nothing; it only makes the provider be asked (R22).
 * J5  What names an object or a payment of another order is a person's, whatever the table says (R11).
 */
import { adoptIfOlder } from './adopt.ts';
import { requestAsk } from './asking.ts';
import { contestOf, isContested } from './contested.ts';
import { blocker, hold, waitingReason } from './hold.ts';
import type { LateRule } from './machine.ts';
import { removeMissing } from './missing.ts';
import { otherKind } from './other-kind.ts';
import { place, settled } from './place.ts';
import { promised } from './promised.ts';
import type { OrderEvent, StreamState } from './state.ts';
import { cellOf, rowOf } from './table.ts';
import { keepEffects } from './transition.ts';
import { isTyped, newsOf } from './turn.ts';
import type { Turn } from './turn.ts';
import { addToVersion, compareVersions } from './version.ts';

type TypedEvent = OrderEvent & { type: string };

export function judge(turn: Turn, given: OrderEvent): void {
  const stream = turn.stream(given.stream);
  stream.contract = turn.policy(given.stream).contract;
  const event = promised(stream.contract, given);
  adoptIfOlder(turn, event);
  if (event.twin === true) return turn.outcome(event, 'stale', 'the same news was settled under another id');
  const wrong = event.version === null ? null : otherKind(stream, event.version);
  if (wrong !== null) throw new Error(wrong);
  if (isOthers(turn, stream, event)) placeContested(turn, stream, event);
  else if (event.version === null) judgeUnversioned(turn, stream, event);
  else judgeVersioned(turn, stream, event as OrderEvent & { version: string });
}

/** J5. Before its turn in a sequence an event that only its payment makes another order's waits like any. */
function isOthers(turn: Turn, stream: StreamState, event: OrderEvent): event is TypedEvent {
  if (!isKnown(turn, event) || contestOf(turn.state, event) === null) return false;
  if (stream.contract !== 'sequence' || event.version === null) return true;
  if (isContested(turn.state, event.stream)) return true;
  if (stream.version === null || blocker(stream, event.version) !== null) return false;
  return compareVersions(event.version, addToVersion(stream.version, 1)) <= 0;
}

function placeContested(turn: Turn, stream: StreamState, event: TypedEvent): void {
  if (isHeldAlready(stream, event)) turn.outcome(event, 'stale', 'the same news is held');
  else if (stream.fact === event.fact && stream.version === event.version)
    turn.outcome(event, 'stale', 'the same news was settled last');
  else place(turn, stream, event);
}

/** Whether the machine speaks of the type at all; what it does not know only counts in a sequence. */
function isKnown(turn: Turn, event: OrderEvent): event is TypedEvent {
  return isTyped(event) && rowOf(turn.machine, event.type) !== undefined;
}

/** Settles an event nobody wants; its number still closes a gap. */
function pastBy(turn: Turn, stream: StreamState, event: OrderEvent): void {
  if (stream.contract === 'sequence') settled(stream, event);
  if (event.type === null) turn.outcome(event, 'archived', 'type not wanted');
  else turn.outcome(event, 'ignored', 'not_in_machine');
}

// ---- with versions ----

function judgeVersioned(turn: Turn, stream: StreamState, event: OrderEvent & { version: string }): void {
  const base = stream.version;
  if (event.conflict === true) return tie(turn, stream, event);
  if (base === null) {
    noteNewest(turn, stream, event);
    if (stream.contract === 'sequence') return awaitBase(turn, stream, event);
    return judgeAbove(turn, stream, event);
  }
  const order = compareVersions(event.version, base);
  if (looksReset(turn, stream, event, order > 0)) {
    turn.note('review', { stream: event.stream, ref: event, version: event.version }, RESET);
    return hold(turn, stream, event, { reason: 'review', review: RESET });
  }
  if (order > 0) return judgeAbove(turn, stream, event);
  if (!isKnown(turn, event)) return pastByBelow(turn, stream, event);
  if (order === 0 && stream.by !== null) return judgeEqual(turn, stream, event);
  return judgeBelow(turn, stream, event);
}

/** `first: 'any'`: the first event sets no base until the provider was asked or the gap's time is over. */
function awaitBase(turn: Turn, stream: StreamState, event: OrderEvent & { version: string }): void {
  if (isHeldAlready(stream, event)) return turn.outcome(event, 'stale', 'the same news is held');
  hold(turn, stream, event, { reason: 'gap', behind: true });
  if (turn.policy(event.stream).api) requestAsk(turn, stream, 'first');
}

function judgeAbove(turn: Turn, stream: StreamState, event: OrderEvent & { version: string }): void {
  if (isHeldAlready(stream, event)) return turn.outcome(event, 'stale', 'the same news is held');
  const word = stream.word;
  if (stream.contract === 'monotonic' && word?.version != null) {
    if (word.version === event.version && word.fact === event.fact)
      return turn.outcome(event, 'stale', 'the same news was ignored before');
    if (word.version === event.version) return tie(turn, stream, event);
  }
  if (blocker(stream, event.version) !== null || isTiedWithHeld(stream, event)) {
    hold(turn, stream, event, { reason: waitingReason(stream, event.version), behind: true });
    return;
  }
  if (isNext(stream, event.version)) return takeTurn(turn, stream, event);
  if (mayOvertake(turn, event)) {
    stream.missingSince ??= turn.now;
    stream.missing = [
      ...stream.missing,
      [addToVersion(stream.version as string, 1), addToVersion(event.version, -1)],
    ];
    return place(turn, stream, event as TypedEvent & { version: string });
  }
  hold(turn, stream, event, { reason: 'gap', behind: true });
}

/** Whether nothing can be missing between the stream and this version. */
export function isNext(stream: StreamState, version: string): boolean {
  if (stream.contract !== 'sequence') return true;
  return stream.version !== null && addToVersion(stream.version, 1) === version;
}

/** Judges an event whose turn it is. */
export function takeTurn(turn: Turn, stream: StreamState, event: OrderEvent): void {
  if (isKnown(turn, event)) place(turn, stream, event);
  else pastBy(turn, stream, event);
}

function mayOvertake(turn: Turn, event: OrderEvent): boolean {
  if (event.type === null || !turn.machine.ahead.includes(event.type)) return false;
  return cellOf(turn.machine, turn.state.status, event.type, turn.isOwn(event.payment)).kind === 'step';
}

function judgeEqual(turn: Turn, stream: StreamState, event: TypedEvent): void {
  if (event.fact === stream.fact) turn.outcome(event, 'stale', 'the same news was applied before');
  else if (stream.by === 'answer') supersede(turn, event, 'an answer of the same version was applied');
  else tie(turn, stream, event);
}

/** Two contents at one version, or one id with two contents. */
export function tie(turn: Turn, stream: StreamState, event: OrderEvent): void {
  if (isHeldAlready(stream, event)) return turn.outcome(event, 'stale', 'the same news is held');
  if (turn.policy(event.stream).api) {
    hold(turn, stream, event, { reason: 'tie' });
    requestAsk(turn, stream, 'tie');
    return;
  }
  const reason = `two contents of ${event.version === null ? 'one event' : `version ${event.version}`}`;
  hold(turn, stream, event, { reason: 'review', review: reason });
  turn.note('review', { stream: event.stream, ref: event, version: event.version }, reason);
}

function judgeBelow(turn: Turn, stream: StreamState, event: TypedEvent): void {
  if (isHeldAlready(stream, event)) return turn.outcome(event, 'stale', 'the same news is held');
  if (stream.by === null) {
    const reason = `version ${event.version} lies below the first of its source`;
    return hold(turn, stream, event, { reason: 'review', review: reason });
  }
  const rule = turn.machine.late[event.type]?.[turn.state.status];
  const cell = cellOf(turn.machine, turn.state.status, event.type, turn.isOwn(event.payment));
  if (rule !== undefined) judgeLate(turn, stream, event, rule);
  else if (isCovered(stream, event)) supersede(turn, event, 'a later version covers it');
  else if (cell.kind === 'ignore') supersede(turn, event, cell.reason);
  else askOrReview(turn, stream, event, 'late', 'a late event, and nobody can be asked');
  const isSettled = !stream.held.some((held) => held.seq === event.seq && held.review === null);
  if (isSettled) removeMissing(stream, event.version);
}

function judgeLate(turn: Turn, stream: StreamState, event: TypedEvent, rule: LateRule): void {
  if (rule === 'ignore') turn.outcome(event, 'ignored', 'late');
  else if (rule === 'alert') {
    turn.note('alert', newsOf(event), 'late');
    turn.outcome(event, 'ignored', 'late, recorded as an alert');
  } else if (rule === 'ask') askOrReview(turn, stream, event, 'late', 'late, and nobody can be asked');
  else if ('review' in rule) {
    turn.note('review', newsOf(event), rule.review);
    hold(turn, stream, event, { reason: 'review', review: rule.review });
  } else {
    turn.note('stayed', newsOf(event), 'late, compensated');
    for (const effect of rule.effects) turn.request(effect, newsOf(event), turn.state.status);
    turn.outcome(event, 'ignored', 'late, compensated');
  }
}

function askOrReview(turn: Turn, stream: StreamState, event: TypedEvent, why: string, reason: string): void {
  if (turn.policy(event.stream).api) {
    hold(turn, stream, event, { reason: 'asking' });
    requestAsk(turn, stream, why);
  } else {
    turn.note('review', newsOf(event), reason);
    hold(turn, stream, event, { reason: 'review', review: reason });
  }
}

/** Below the version all but the numbers passed over are covered; in a monotonic stream, what an answer covers. */
function isCovered(stream: StreamState, event: OrderEvent): boolean {
  const version = event.version as string;
  if (stream.answered !== null && compareVersions(version, stream.answered) <= 0) return true;
  if (stream.contract !== 'sequence') return false;
  return !stream.missing.some(
    ([from, to]) => compareVersions(version, from) >= 0 && compareVersions(version, to) <= 0,
  );
}

function supersede(turn: Turn, event: OrderEvent, reason: string): void {
  if (isTyped(event)) keepEffects(turn, newsOf(event));
  turn.outcome(event, 'superseded', reason);
}

function pastByBelow(turn: Turn, stream: StreamState, event: OrderEvent): void {
  removeMissing(stream, event.version);
  turn.outcome(
    event,
    event.type === null ? 'archived' : 'ignored',
    event.type === null ? 'type not wanted' : 'not_in_machine',
  );
}

function isHeldAlready(stream: StreamState, event: OrderEvent): boolean {
  return stream.held.some(
    (held) => held.seq !== event.seq && held.version === event.version && held.fact === event.fact,
  );
}

function isTiedWithHeld(stream: StreamState, event: OrderEvent): boolean {
  return stream.held.some((held) => held.version === event.version && held.fact !== event.fact);
}

const RESET = 'version reset?';
/** So many new events in a row at or below the version, each with a later claimed time. */
const RESET_AFTER = 3;

function looksReset(turn: Turn, stream: StreamState, event: OrderEvent, isAbove: boolean): boolean {
  const isLater = isNewer(stream, event);
  noteNewest(turn, stream, event);
  if (isAbove || event.fact === stream.fact) stream.resets = 0;
  else if (isLater) stream.resets += 1;
  return isLater && stream.resets === RESET_AFTER;
}

// ---- without versions ----

function judgeUnversioned(turn: Turn, stream: StreamState, event: OrderEvent): void {
  if (!isKnown(turn, event)) return pastBy(turn, stream, event);
  if (turn.policy(event.stream).api) judgeHint(turn, stream, event);
  else judgeByTable(turn, stream, event);
}

function judgeHint(turn: Turn, stream: StreamState, event: TypedEvent): void {
  const isQuiet =
    stream.held.length === 0 && stream.ask === null && stream.answer === null && stream.candidate === null;
  // Also where it is no news: whoever answers must have heard of it.
  noteNewest(turn, stream, event);
  if (isQuiet && stream.fact === event.fact && event.conflict !== true)
    return turn.outcome(event, 'stale', 'the same news was settled last');
  if (event.conflict === true) hold(turn, stream, event, { reason: 'tie' });
  else hold(turn, stream, event, { reason: 'asking', isHint: true });
  requestAsk(turn, stream, 'hint');
}

/** No version and nobody to ask: the table alone decides, and what it does not list waits for a move. */
function judgeByTable(turn: Turn, stream: StreamState, event: TypedEvent): void {
  if (event.conflict === true) return tie(turn, stream, event);
  if (stream.seen.includes(event.fact))
    return turn.outcome(event, 'stale', 'the same news was settled before');
  if (isHeldAlready(stream, event)) return turn.outcome(event, 'stale', 'the same news is held');
  noteNewest(turn, stream, event);
  place(turn, stream, event);
}

function isNewer(stream: StreamState, event: OrderEvent): boolean {
  if (event.claimedAt === null || stream.newest?.claimedAt == null) return false;
  return compareVersions(event.claimedAt, stream.newest.claimedAt) > 0;
}

/** Hints that no time tells apart, up to so many, are remembered by their facts. */
const MOST_NEWEST_FACTS = 16;

/** Remembers the hint that is newest by claimed time; what shares it, or names none, stands side by side. */
function noteNewest(turn: Turn, stream: StreamState, event: OrderEvent): void {
  // Each new hint starts the window anew: the answer seen so far may not know of it yet.
  if (stream.candidate !== null) stream.candidate = { ...stream.candidate, since: turn.now };
  const { type, claimedAt, fact } = event;
  if (type === null) return;
  const newest = stream.newest;
  if (newest === null || isNewer(stream, event)) {
    stream.newest = { types: [type], claimedAt, facts: [fact] };
    return;
  }
  const isUndecided = claimedAt === null || newest.claimedAt === null || claimedAt === newest.claimedAt;
  if (!isUndecided) return;
  const types = newest.types.includes(type) ? newest.types : [...newest.types, type];
  stream.newest = { types, claimedAt: newest.claimedAt, ...withFact(newest.facts, fact) };
}

function withFact(facts: string[] | undefined, fact: string): { facts?: string[] } {
  if (facts === undefined || facts.includes(fact)) return facts === undefined ? {} : { facts };
  return facts.length < MOST_NEWEST_FACTS ? { facts: [...facts, fact] } : {};
}
