/**
 * What is due at an instant: gaps whose time is over, asks to be sent again, waits that end with a person, the
 * deadline. The order's untaken events were judged just before, so nothing known is overlooked.
 */
import { requestAsk, resendAsk } from './asking.ts';
import { decideBy } from './decide.ts';
import { findKey, openFind, wakeFinds } from './find.ts';
import { gapSince, holdForPerson } from './hold.ts';
import type { Machine } from './machine.ts';
import type { Decision, OrderState, SourcePolicy, StreamState } from './state.ts';
import { isUnexplained, reviewDueAt } from './timers.ts';
import { unexplained } from './attention.ts';
import { newsOf, isTyped } from './turn.ts';
import type { Turn } from './turn.ts';
import { addToVersion, compareVersions } from './version.ts';

export function wake(machine: Machine, state: OrderState, now: number): Decision {
  return decideBy(machine, state, now, (turn) => {
    for (const key of turn.streamKeys()) wakeStream(turn, key);
    wakeFinds(turn);
    wakeDeadline(turn);
  });
}

function wakeStream(turn: Turn, key: string): void {
  const policy = turn.policy(key);
  const stream = turn.stream(key);
  const since = stream.gapExpired ? null : gapSince(stream);
  if (since !== null && turn.now >= since + policy.gapTimeoutMs) expireGap(turn, stream, policy);
  const { ask } = stream;
  if (ask !== null) {
    if (!ask.late && turn.now >= ask.since + policy.askDeadlineMs) stream.ask = { ...ask, late: true };
    if (ask.retryAt !== null && ask.retryAt <= turn.now) resendAsk(stream, stream.ask as typeof ask);
  }
  const reviewAt = reviewDueAt(stream, policy.askDeadlineMs);
  if (reviewAt !== null && turn.now >= reviewAt) giveToPerson(turn, stream, key, policy);
}

function expireGap(turn: Turn, stream: StreamState, policy: SourcePolicy): void {
  stream.gapExpired = true;
  if (stream.version === null) setBase(stream);
  if (policy.api) requestAsk(turn, stream, 'gap');
}

/** `first: 'any'` and nobody said better: the lowest version held begins the stream, all below count as passed. */
function setBase(stream: StreamState): void {
  const versions = stream.held.flatMap((held) => (held.version === null ? [] : [held.version]));
  const lowest = versions.sort(compareVersions)[0];
  if (lowest === undefined) return;
  stream.version = addToVersion(lowest, -1);
  stream.by = 'event';
  if (compareVersions(stream.version, '0') >= 0) stream.missing = [['0', stream.version]];
}

/** What waited for the order to move waited too long. */
function giveToPerson(turn: Turn, stream: StreamState, key: string, policy: SourcePolicy): void {
  const isOver = (since: number) => turn.now >= since + policy.askDeadlineMs;
  const { answer } = stream;
  if (answer !== null && isUnexplained(answer) && isOver(answer.since)) {
    stream.answer = { ...answer, late: true };
    turn.note('review', { stream: key, type: answer.snapshot.type }, unexplained(turn.state.status, answer));
  }
  for (const held of stream.held) {
    if (held.reason !== 'unlisted' || held.behind || !isOver(held.since)) continue;
    const reason = `no cell for ${held.type ?? 'it'} in ${turn.state.status}, and the order did not move`;
    if (isTyped(held)) turn.note('review', newsOf(held), reason);
    holdForPerson(turn, stream, held, reason);
  }
}

function wakeDeadline(turn: Turn): void {
  const { deadline } = turn.state;
  if (deadline?.phase !== 'waiting' || turn.now < deadline.at) return;
  const streams = turn.streamKeys().filter((key) => turn.policy(key).api);
  const sources = Object.keys(turn.state.sources)
    .filter((name) => turn.state.sources[name]?.find === true)
    .sort();
  const pending = [...streams, ...sources.map(findKey)];
  const isAskable = pending.length > 0 || deadline.unasked === 'act';
  turn.state.deadline = { ...deadline, phase: isAskable ? 'asking' : 'review', pending };
  for (const key of streams) requestAsk(turn, turn.stream(key), 'deadline');
  for (const source of sources) openFind(turn, source, 'deadline');
}
