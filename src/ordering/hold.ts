/**
 * Holding events. A held, tied or reviewed event holds the later ones of its stream; lower ones still step, and
 * other streams go on. Nothing held is ever dropped: it leaves by its turn, an answer or a person.
 */
import type { EventRef, HeldEvent, HeldReason, OrderEvent, StreamState } from './state.ts';
import { hasRoom, hasRoomForPersons } from './room.ts';
import type { Turn } from './turn.ts';
import { addToVersion, compareVersions } from './version.ts';

export interface Hold {
  reason: HeldReason;
  behind?: boolean;
  /** It holds nothing back, and the answer to another one answers it. */
  isHint?: boolean;
  review?: string;
}

/**
 * Holds an event and says so; one that merely queues, or only makes the provider be asked, is left untaken in the
 * store while too much is held already, and comes again from there.
 */
export function hold(turn: Turn, stream: StreamState, event: OrderEvent, how: Hold): void {
  const behind = how.behind ?? false;
  // What was held keeps its place: the store counts it as taken and would not tell of it again.
  if (!turn.wasHeld(event)) {
    if ((behind || how.isHint === true) && !hasRoom(turn.state)) return;
    if (!hasRoomForPersons(turn.state)) throw new Error('more waits than an order can hold');
  }
  const held: HeldEvent = {
    ...event,
    since: turn.now,
    reason: how.reason,
    behind,
    ask: null,
    review: how.review ?? null,
  };
  stream.held.push(held);
  if (how.review !== undefined) turn.outcome(event, 'review', how.review);
  else turn.outcome(event, 'held', how.reason);
}

export function release(stream: StreamState, held: HeldEvent): void {
  stream.held = stream.held.filter((other) => other !== held);
}

/** What was held is a person's now. */
export function holdForPerson(turn: Turn, stream: StreamState, held: HeldEvent, reason: string): void {
  turn.outcome(held, 'review', reason);
  const reviewed: HeldEvent = { ...held, reason: 'review', review: reason, behind: false };
  stream.held = stream.held.map((one) => (one === held ? reviewed : one));
}

export function isSameRef(a: EventRef, b: EventRef): boolean {
  return a.seq === b.seq && a.source === b.source && a.event === b.event;
}

/** The event that holds all of its stream from `version` on, if any. */
export function blocker(stream: StreamState, version: string): HeldEvent | 'answer' | null {
  return firstAtOrBelow(blockers(stream), version);
}

type Blockers = 'answer' | (HeldEvent & { version: string })[];

function blockers(stream: StreamState): Blockers {
  if (stream.answer !== null && stream.answer.review !== null) return 'answer';
  return stream.held.filter(
    (held): held is HeldEvent & { version: string } =>
      !held.behind && held.version !== null && !isPassed(stream, held.version),
  );
}

/** A held event below the version holds nothing; nor does one at a base that no event has set. */
function isPassed(stream: StreamState, version: string): boolean {
  if (stream.version === null) return false;
  const order = compareVersions(version, stream.version);
  return order < 0 || (order === 0 && stream.by === null);
}

function firstAtOrBelow(all: Blockers, version: string): HeldEvent | 'answer' | null {
  if (all === 'answer') return all;
  return all.find((held) => compareVersions(held.version, version) <= 0) ?? null;
}

/** Why an event above the next version waits: for a number that never came, or behind one that was held. */
export function waitingReason(stream: StreamState, version: string): HeldReason {
  return reasonOf(version, blockers(stream), firstUnheld(stream));
}

function reasonOf(version: string, all: Blockers, gapAt: string | null): HeldReason {
  if (gapAt !== null && compareVersions(gapAt, version) < 0) return 'gap';
  const block = firstAtOrBelow(all, version);
  if (block === null) return 'gap';
  return block === 'answer' ? 'review' : block.reason;
}

/** The lowest number of a sequence that is neither reached nor held; null where nothing is counted yet. */
function firstUnheld(stream: StreamState): string | null {
  if (stream.contract !== 'sequence' || stream.version === null) return null;
  const held = new Set(stream.held.map((one) => one.version));
  let version = addToVersion(stream.version, 1);
  while (held.has(version)) version = addToVersion(version, 1);
  return version;
}

/** The lowest version that is awaited: what a gap waits for. */
export function awaited(stream: StreamState): string | null {
  const passedOver = stream.missing[0];
  return passedOver === undefined ? firstUnheld(stream) : passedOver[0];
}

export const isGap = (held: HeldEvent) => held.reason === 'gap';

/** Since when the stream has a gap, epoch ms; null when it has none. */
export function gapSince(stream: StreamState): number | null {
  let since = stream.missing.length > 0 ? stream.missingSince : null;
  for (const held of stream.held)
    if (isGap(held) && (since === null || held.since < since)) since = held.since;
  return since;
}

/** Says anew why the ones behind wait, after something before them changed. */
export function refreshReasons(turn: Turn, stream: StreamState): void {
  if (stream.held.some((held) => held.behind)) {
    const all = blockers(stream);
    const gapAt = firstUnheld(stream);
    stream.held = stream.held.map((held) => {
      if (!held.behind || held.version === null) return held;
      const reason = reasonOf(held.version, all, gapAt);
      if (reason === held.reason) return held;
      turn.outcome(held, 'held', reason);
      // A new gap has its own time; a queue that was never a gap must not inherit one.
      return { ...held, reason, since: reason === 'gap' ? turn.now : held.since };
    });
  }
  if (gapSince(stream) === null) stream.gapExpired = false;
}
