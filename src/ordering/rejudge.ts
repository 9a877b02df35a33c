/**
 * Judging again what a move may have changed the meaning of: a stream's last word that was ignored or stayed, an
 * event or answer the table had no way for, and after a step back the last word of every other stream.
 */
import { contestOf } from './contested.ts';
import { release } from './hold.ts';
import { place } from './place.ts';
import { retryAnswer } from './settle-answer.ts';
import type { HeldEvent, LastWord, StreamState } from './state.ts';
import { cellOf } from './table.ts';
import { enter } from './transition.ts';
import { isTyped, unheld } from './turn.ts';
import type { News, Turn } from './turn.ts';
import { compareVersions, laterVersion } from './version.ts';

/**
 * One round after the moves collected so far. `back` names the streams whose last word a step back called into
 * question. True when something moved or settled, so that another round is due.
 */
export function rejudgeAll(turn: Turn, back: Set<string>): boolean {
  for (const key of turn.streamKeys()) {
    const stream = turn.state.streams[key] as StreamState;
    const isCalledBack = back.delete(key);
    if (stream.word !== null && (!stream.word.moved || isCalledBack))
      if (rejudgeWord(turn, key, stream.word)) return true;
    const waiting = stream.held.find((held) => waitsForMove(turn, stream, held));
    if (waiting !== undefined) {
      const copy = turn.stream(key);
      release(copy, waiting);
      const event = unheld(waiting);
      if (isTyped(event)) place(turn, copy, event);
      return true;
    }
    if (stream.answer?.review === null && retryAnswer(turn, key)) return true;
  }
  return false;
}

function rejudgeWord(turn: Turn, key: string, word: LastWord): boolean {
  // Another order's payment moves this one by a person's word alone.
  if (contestOf(turn.state, { stream: key, payment: word.payment }) !== null) return false;
  const cell = cellOf(turn.machine, turn.state.status, word.type, turn.isOwn(word.payment));
  const news: News = { ...word, stream: key, claimedAt: null };
  if (cell.kind === 'step') {
    if (word.moved && cell.status === turn.state.status) return false;
    const stream = turn.stream(key);
    enter(turn, cell.status, news, 'rejudged', null);
    stream.word = { ...word, moved: true };
    stream.step = { type: word.type, fact: word.fact };
    if (stream.contract === 'monotonic') {
      stream.version = laterVersion(stream.version, word.version);
      stream.by = 'event';
      stream.fact = word.fact;
    }
    return true;
  }
  if (cell.kind === 'stay' && !word.moved)
    for (const effect of cell.effects) turn.request(effect, news, turn.state.status);
  if (cell.kind === 'review') reviewWord(turn, key, news, cell.reason);
  // Called back, and another payment carries the order now: what this one says waits beside it.
  if (word.moved && !turn.isOwn(word.payment)) turn.stream(key).word = { ...word, moved: false };
  return false;
}

/** What the stream said last needs a person now that the order is elsewhere. */
function reviewWord(turn: Turn, key: string, news: News, reason: string): void {
  // An answer that is held is newer than the word: it is what a person will be shown, if need be.
  if (turn.state.streams[key]?.answer !== null) return;
  const { type, version, payment, fact, facts } = news;
  const stream = turn.stream(key);
  const snapshot = { stream: key, type, version, payment, fact, facts, asOf: turn.now, parts: [] };
  // It is older than all that is held: that is still being asked about.
  stream.answer = { snapshot, ask: 0, since: turn.now, review: reason };
  turn.note('review', news, reason);
}

/** An event at its turn that the table had no cell for, where it has one now. */
function waitsForMove(turn: Turn, stream: StreamState, held: HeldEvent): boolean {
  if (held.behind || held.review !== null || !isTyped(held)) return false;
  const isAtItsTurn = held.version === null ? !turn.policy(held.stream).api : isAbove(stream, held.version);
  if (!isAtItsTurn || held.reason === 'tie') return false;
  return cellOf(turn.machine, turn.state.status, held.type, turn.isOwn(held.payment)).kind !== 'absent';
}

const isAbove = (stream: StreamState, version: string) =>
  stream.version === null || compareVersions(version, stream.version) > 0;
