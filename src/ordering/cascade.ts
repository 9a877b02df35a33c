/**
 * What follows from a decision until nothing moves any more: held events whose turn has come, and what a move of
 * the order makes worth judging again. The order of the steps is fixed, so that equal histories end equally.
 */
import { requestAsk } from './asking.ts';
import { blocker, gapSince, refreshReasons, release } from './hold.ts';
import { isNext, judge, takeTurn, tie } from './judge.ts';
import { rejudgeAll } from './rejudge.ts';
import type { HeldEvent, StreamState } from './state.ts';
import { unheld } from './turn.ts';
import type { Turn } from './turn.ts';
import { compareVersions } from './version.ts';

/** A table whose statuses chase each other for ever is stopped; what began it fails, visibly. */
const MOST_ROUNDS = 2_000;

export function cascade(turn: Turn): void {
  const back = new Set<string>();
  let isMoved = false;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const move of turn.moves.splice(0)) {
      isMoved = true;
      if (move.stepBack) for (const key of turn.streamKeys()) if (key !== move.stream) back.add(key);
    }
    if (isMoved) {
      isMoved = rejudgeAll(turn, back);
      if (isMoved) continue;
    }
    if (!drainOne(turn)) return rest(turn);
  }
  throw new Error(`the table never comes to rest from ${turn.state.status}`);
}

/** Takes one held event whose turn has come. */
function drainOne(turn: Turn): boolean {
  return turn.touched().some((key) => {
    const stream = turn.stream(key);
    if (stream.held.length === 0 || stream.version === null) return drainUnversioned(turn, stream);
    return drainStream(turn, stream, stream.version);
  });
}

/** A monotonic stream has no version before its first step; what was held behind goes on all the same. */
function drainUnversioned(turn: Turn, stream: StreamState): boolean {
  if (stream.contract === 'sequence') return false;
  const first = lowestWaiting(stream);
  return first !== null && takeOne(turn, stream, first);
}

function drainStream(turn: Turn, stream: StreamState, base: string): boolean {
  const held = lowestWaiting(stream);
  if (held === null) return false;
  if (compareVersions(held.version, base) > 0) return takeOne(turn, stream, held);
  release(stream, held);
  judge(turn, unheld(held));
  return true;
}

function takeOne(turn: Turn, stream: StreamState, held: Waiting): boolean {
  if (blocker(stream, held.version) !== null || !isNext(stream, held.version)) return false;
  const same = stream.held.filter((other) => other.behind && other.version === held.version);
  for (const one of same) release(stream, one);
  if (same.length > 1) for (const one of same) tie(turn, stream, unheld(one));
  else if (stream.contract === 'sequence') takeTurn(turn, stream, unheld(held));
  else judge(turn, unheld(held));
  return true;
}

type Waiting = HeldEvent & { version: string };

/** Of the events that only wait for an earlier one of their stream, the lowest. */
function lowestWaiting(stream: StreamState): Waiting | null {
  let lowest: Waiting | null = null;
  for (const held of stream.held)
    if (isWaiting(held) && (lowest === null || compareVersions(held.version, lowest.version) < 0))
      lowest = held;
  return lowest;
}

const isWaiting = (held: HeldEvent): held is Waiting => held.behind && held.version !== null;

/** Says anew why things wait, and asks for what no open ask will answer. */
export function rest(turn: Turn): void {
  for (const key of turn.touched()) {
    const stream = turn.stream(key);
    refreshReasons(turn, stream);
    if (isAnsweredByEvents(turn, key, stream)) stream.ask = null;
    if (!turn.policy(key).api || stream.ask !== null) continue;
    const isUnasked = stream.held.some((held) => !held.behind && held.review === null && held.ask === null);
    if (isUnasked) requestAsk(turn, stream, 'hint');
    // An answer that is held would only be had once more.
    else if (stream.gapExpired && stream.answer === null && gapSince(stream) !== null)
      requestAsk(turn, stream, 'gap');
  }
}

/** Reasons to ask that are over when what was missing has come after all. */
const ASKED_FOR_EVENTS: ReadonlySet<string> = new Set(['first', 'gap', 'hint', 'late', 'tie', 'unlisted']);

/** Nothing waits for the open ask any more: an answer could only confirm, and sensitive effects would wait for it. */
function isAnsweredByEvents(turn: Turn, key: string, stream: StreamState): boolean {
  if (stream.ask === null || !ASKED_FOR_EVENTS.has(stream.ask.reason)) return false;
  if (turn.state.deadline?.pending.includes(key) === true) return false;
  const isAwaited = stream.held.some((held) => !held.behind && held.review === null);
  return !isAwaited && gapSince(stream) === null && stream.candidate === null && stream.answer === null;
}
