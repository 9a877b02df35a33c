/**
 * Judging an event at its turn by the table: the one place where an event's cell becomes a change. What happens
 * below and above that turn is in `judge.ts`.
 */
import { requestAsk } from './asking.ts';
import { contestOf, reasonOf } from './contested.ts';
import { hold } from './hold.ts';
import type { LastWord, OrderEvent, StreamState } from './state.ts';
import { cellOf } from './table.ts';
import { enter } from './transition.ts';
import { newsOf } from './turn.ts';
import type { News, Turn } from './turn.ts';
import { compareVersions } from './version.ts';

/** Applies, ignores, stays, reviews or holds one event whose turn it is. */
export function place(turn: Turn, stream: StreamState, event: OrderEvent & { type: string }): void {
  const news = newsOf(event);
  const from = turn.state.status;
  const contest = contestOf(turn.state, event);
  if (contest !== null) {
    const reason = reasonOf(contest);
    turn.note('review', news, reason);
    return hold(turn, stream, event, { reason: 'review', review: reason });
  }
  const cell = cellOf(turn.machine, from, event.type, turn.isOwn(event.payment));
  switch (cell.kind) {
    case 'step':
      enter(turn, cell.status, news, 'step', null);
      stepped(stream, news);
      turn.outcome(event, 'applied', null, from);
      return;
    case 'ignore':
      heard(stream, news);
      turn.outcome(event, 'ignored', cell.reason);
      return;
    case 'stay':
      turn.note('stayed', news, cell.reason);
      for (const effect of cell.effects) turn.request(effect, news, from);
      heard(stream, news);
      turn.outcome(event, 'ignored', cell.reason);
      return;
    case 'review':
      turn.note('review', news, cell.reason);
      hold(turn, stream, event, { reason: 'review', review: cell.reason });
      return;
    case 'absent':
      placeUnlisted(turn, stream, event);
      return;
  }
}

function placeUnlisted(turn: Turn, stream: StreamState, event: OrderEvent & { type: string }): void {
  const reason = `the table has no cell for ${event.type} in ${turn.state.status}`;
  switch (turn.machine.unlisted) {
    case 'ignore':
      heard(stream, newsOf(event));
      turn.outcome(event, 'ignored', reason);
      return;
    case 'ask':
      if (turn.policy(event.stream).api) {
        hold(turn, stream, event, { reason: 'asking' });
        requestAsk(turn, stream, 'unlisted');
      } else hold(turn, stream, event, { reason: 'unlisted' });
      return;
    case 'review':
    case null:
      turn.note('review', newsOf(event), reason);
      hold(turn, stream, event, { reason: 'review', review: reason });
      return;
  }
}

/** The stream's news moved the order. */
export function stepped(stream: StreamState, news: News): void {
  stream.step = { type: news.type, fact: news.fact };
  dropAnswer(stream);
  stream.resets = 0;
  settled(stream, news);
  setWord(stream, wordOf(news, true));
}

/** A step of the stream drops a held answer; what had waited for it is asked about once more. */
function dropAnswer(stream: StreamState): void {
  if (stream.answer === null) return;
  stream.answer = null;
  stream.held = stream.held.map((held) => ({ ...held, ask: null }));
}

/** The stream's news was ignored or stayed: in a monotonic stream its version does not count as applied. */
export function heard(stream: StreamState, news: News): void {
  if (stream.contract !== 'monotonic') settled(stream, news);
  setWord(stream, wordOf(news, false));
}

/** The stream stands at this version now, by an event. */
export function settled(stream: StreamState, news: Pick<News, 'version' | 'fact'>): void {
  if (isAtOrAbove(stream, news.version)) {
    stream.version = news.version;
    stream.by = 'event';
    stream.fact = news.fact;
  }
  if (stream.contract === 'unordered' && !stream.seen.includes(news.fact))
    stream.seen = [...stream.seen, news.fact];
}

/** A late one that a person applied does not take the stream back. */
function isAtOrAbove(stream: StreamState, version: string | null): boolean {
  return stream.version === null || (version !== null && compareVersions(version, stream.version) >= 0);
}

export function wordOf(news: News, moved: boolean): LastWord {
  return {
    type: news.type,
    fact: news.fact,
    facts: news.facts,
    payment: news.payment,
    version: news.version,
    ref: news.ref === null ? null : { seq: news.ref.seq, source: news.ref.source, event: news.ref.event },
    moved,
  };
}

/** The last word is the highest version's, not the latest arrival's. */
export function setWord(stream: StreamState, word: LastWord): void {
  const before = stream.word;
  if (before?.version != null && word.version !== null && compareVersions(word.version, before.version) < 0)
    return;
  stream.word = word;
}
