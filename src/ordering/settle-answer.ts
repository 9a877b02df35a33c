/**
 * Taking a provider's answer about one stream (docs/ordering.md, "An answer": the numbers (1) to (5) are its).
 *
 * S1  An answer below what is known is lagging: asked again with back-off, never applied.
 * S2  An unversioned answer is believed at once only if it is what the newest hint said; otherwise it must stand
 *     unchanged for a while, since replicas lag. So is one that lists what the newest hint told of.
 * S3  An answer settles only what it covers: by version, or what was held when its request was sent, however late it
 *     is taken.
 * S4  What the table cannot explain is held, then shown to a person; it is never forced.
 */
import {
  closeWithoutNews,
  denies,
  isNews,
  isTypedAnswer,
  newsOfPart,
  overlooks,
} from './answer-without-news.ts';
import type { TypedSnapshot } from './answer-without-news.ts';
import { adoptIfOlder } from './adopt.ts';
import { askAgain, askLater, requestAsk } from './asking.ts';
import { contestOf, reasonOf } from './contested.ts';
import { answered } from './deadline.ts';
import { holdForPerson, release } from './hold.ts';
import { coverMissing } from './missing.ts';
import { otherKind } from './other-kind.ts';
import { setWord, wordOf } from './place.ts';
import { promised } from './promised.ts';
import type { Answer, HeldAnswer, HeldEvent, Snapshot, StreamState } from './state.ts';
import { cellOf, leadsTo, pathTo, rowOf } from './table.ts';
import type { ResolvedCell } from './table.ts';
import { enter, keepEffects, pass } from './transition.ts';
import { noteOther } from './other-order.ts';
import { isTyped, newsOf } from './turn.ts';
import type { News, Turn } from './turn.ts';
import { compareVersions, laterVersion } from './version.ts';

/** Takes one answer. An answer to an ask that is not open any more says nothing. */
export function takeAnswer(turn: Turn, answer: Answer, n: number): void {
  const key = answer.kind === 'snapshot' ? answer.snapshot.stream : answer.stream;
  const stream = turn.stream(key);
  if (stream.ask === null || stream.ask.n !== n) return;
  switch (answer.kind) {
    case 'unavailable':
      askAgain(turn, stream, answer.retryAfterMs ?? 0);
      return;
    case 'gone':
      askAgain(turn, stream);
      return;
    case 'other':
      noteOther(turn, answer);
      askAgain(turn, stream);
      return;
    case 'snapshot':
      takeSnapshot(turn, stream, promised(turn.policy(key).contract, answer.snapshot), n);
      return;
  }
}

function takeSnapshot(turn: Turn, stream: StreamState, snapshot: Snapshot, n: number): void {
  const isOfOtherKind = snapshot.version !== null && otherKind(stream, snapshot.version) !== null;
  if (isOfOtherKind || isLagging(stream, snapshot)) return askAgain(turn, stream);
  if (snapshot.version === null && !isBelieved(turn, stream, snapshot)) return;
  const covered = coveredBy(stream, snapshot, n);
  if (!isNews(turn, snapshot) && !overlooks(turn, stream, snapshot, covered))
    return closeWithoutNews(turn, stream, snapshot, covered);
  if (!isTypedAnswer(snapshot)) return askAgain(turn, stream);
  stream.ask = null;
  stream.candidate = null;
  answered(turn, snapshot.stream, snapshot.asOf);
  adoptIfOlder(turn, snapshot);
  const contest = contestOf(turn.state, snapshot);
  if (contest !== null) return holdContested(turn, stream, snapshot, { n, reason: reasonOf(contest) });
  turn.state.notices = turn.state.notices.filter((notice) => notice.stream !== snapshot.stream);
  settleBy(turn, stream, snapshot, covered, n);
  askForHigher(stream, snapshot);
}

/** An answer that names another order's payment is a person's, once. */
function holdContested(
  turn: Turn,
  stream: StreamState,
  snapshot: TypedSnapshot,
  { n, reason }: { n: number; reason: string },
): void {
  if (stream.word?.type === snapshot.type && stream.word.fact === snapshot.fact) return;
  reviewAnswer(turn, stream, snapshot, { covered: [], n }, reason);
}

/** What lies above the answer was asked about in vain: it is asked about again. */
function askForHigher(stream: StreamState, { version }: Snapshot): void {
  if (version === null) return;
  stream.held = stream.held.map((held) =>
    held.version !== null && compareVersions(held.version, version) > 0 ? { ...held, ask: null } : held,
  );
}

/** S1. With events above the answer waiting, one that only repeats what is applied has not caught up either. */
function isLagging(stream: StreamState, snapshot: Snapshot): boolean {
  if (snapshot.version === null || stream.version === null) return false;
  const order = compareVersions(snapshot.version, stream.version);
  if (order !== 0) return order < 0;
  return stream.held.some(
    (held) =>
      held.version !== null &&
      compareVersions(held.version, snapshot.version as string) > 0 &&
      held.review === null,
  );
}

/** S2. Keeps the ask open while the answer is not believed. */
function isBelieved(turn: Turn, stream: StreamState, snapshot: Snapshot): boolean {
  if (knowsNewest(stream, snapshot)) return true;
  const { lagWindowMs } = turn.policy(snapshot.stream);
  const before = stream.candidate;
  const isSame = before?.type === snapshot.type && before.fact === snapshot.fact;
  const since = isSame ? before.since : turn.now;
  // The request must have been sent after the window, not merely be answered after it.
  if (isSame && snapshot.asOf - since >= lagWindowMs) return true;
  stream.candidate = { type: snapshot.type, fact: snapshot.fact, since };
  askLater(turn, stream, Math.max(0, since + lagWindowMs - turn.now));
  return false;
}

/** The answer says what the newest hint said, or lists it among what has happened. */
function knowsNewest({ newest }: StreamState, { type, fact, parts, lists = [] }: Snapshot): boolean {
  if (newest === null) return false;
  const { facts, types } = newest;
  const isListed = (hint: string) => hint === fact || parts.some((part) => part.fact === hint);
  if (facts !== undefined && facts.length > 0 && facts.every(isListed)) return true;
  if (types.length !== 1 || types[0] !== type) return false;
  // A second refund is of the same type as the first: only the list tells whether the answer has heard of it.
  return facts === undefined || !lists.includes(types[0]);
}

/** S3. */
function coveredBy(stream: StreamState, snapshot: Snapshot, n: number): HeldEvent[] {
  const { version } = snapshot;
  return stream.held
    .filter((held) =>
      version !== null && held.version !== null
        ? compareVersions(held.version, version) <= 0
        : held.ask !== null && held.ask <= n,
    )
    .sort(byVersion);
}

function byVersion(a: HeldEvent, b: HeldEvent): number {
  if (a.version === null || b.version === null) return 0;
  return compareVersions(a.version, b.version);
}

/** Tries an answer again that was held, now that the order has moved. True when it is held no more. */
export function retryAnswer(turn: Turn, key: string): boolean {
  const stream = turn.stream(key);
  if (stream.answer?.review !== null) return false;
  const { snapshot, ask = stream.asks } = stream.answer;
  settleBy(turn, stream, snapshot, coveredBy(stream, snapshot, ask), ask);
  return isTaken(stream);
}

const isTaken = (stream: StreamState) => stream.answer?.review !== null;

function settleBy(
  turn: Turn,
  stream: StreamState,
  snapshot: TypedSnapshot,
  covered: HeldEvent[],
  n: number,
): void {
  const news = { ...newsOfAnswer(snapshot), happenedAt: happenedAt(snapshot, covered) };
  const from = turn.state.status;
  const isOwn = turn.isOwn(snapshot.payment);
  const cell = cellOf(turn.machine, from, news.type, isOwn);
  // (1)
  if (isLastStep(stream, snapshot) && !(cell.kind === 'review' && isBeforePerson(stream, snapshot)))
    return confirm(turn, stream, snapshot, covered);
  // (2)
  if (cell.kind === 'step') {
    enter(turn, cell.status, news, 'step', 'by an answer');
    return close(turn, stream, snapshot, covered, { moved: true, from });
  }
  const isRepeated = repeatsWord(stream, snapshot);
  if (cell.kind === 'review') {
    if (isRepeated) return confirm(turn, stream, snapshot, covered);
    return reviewAnswer(turn, stream, snapshot, { covered, n }, cell.reason);
  }
  const path = isOwn ? pathTo(turn.machine, from, news.type, snapshot.payment !== null) : null;
  if (cell.kind !== 'absent' && speaks(turn, cell, news, isOwn, path !== null)) {
    if (cell.kind === 'stay') {
      turn.note('stayed', news, cell.reason);
      for (const effect of cell.effects) turn.request(effect, news, from);
    }
    return close(turn, stream, snapshot, covered, { moved: false, from });
  }
  // (3)
  if (leadsTo(turn.machine, news.type).has(from)) return confirm(turn, stream, snapshot, covered);
  if (cell.kind === 'absent' && turn.machine.unlisted === 'ignore')
    return close(turn, stream, snapshot, covered, { moved: false, from });
  // (4)
  if (path !== null && path.target !== from) {
    // When a status was passed nobody has said.
    for (const status of path.passed) pass(turn, status, { ...news, happenedAt: null });
    enter(turn, path.target, news, 'inferred', `passed ${path.passed.join(', ') || 'nothing'}`);
    return close(turn, stream, snapshot, covered, { moved: true, from });
  }
  // (5)
  if (isRepeated) return confirm(turn, stream, snapshot, covered);
  holdAnswer(turn, stream, snapshot, n);
}

/** A person is asked about it already: a step back called a step of the stream into question. */
const isBeforePerson = ({ answer, held }: StreamState, snapshot: TypedSnapshot): boolean =>
  (answer !== null && answer.review !== null && answer.snapshot.fact === snapshot.fact) ||
  held.some((one) => one.review !== null && isSameNews(one, snapshot));

function confirm(turn: Turn, stream: StreamState, snapshot: TypedSnapshot, covered: HeldEvent[]): void {
  turn.note('confirmed', newsOfAnswer(snapshot), null);
  close(turn, stream, snapshot, covered, { moved: false, from: turn.state.status });
}

/**
 * It is the stream's last word, which was settled as such: by an answer, at its turn in a sequence or by a person. Each
 * move of the order has judged it since; what that gave to a person still waits.
 */
function repeatsWord(stream: StreamState, snapshot: TypedSnapshot): boolean {
  const { word, fact, version, missing } = stream;
  if (stream.answer !== null || stream.held.some(({ review }) => review !== null)) return false;
  if (missing.length > 0 || fact !== snapshot.fact) return false;
  if (snapshot.version !== null && snapshot.version !== version) return false;
  return word?.type === snapshot.type && word.fact === fact;
}

/**
 * An ignore or stay speaks for an own answer only if another stream moved the order last, or the order is where
 * the type leads to. If not, one from `else` gives way, and any without a path is held.
 */
function speaks(turn: Turn, cell: ResolvedCell, news: News, isOwn: boolean, hasPath: boolean): boolean {
  if (!isOwn) return true;
  if (turn.state.movedBy !== null && turn.state.movedBy !== news.stream) return true;
  if (leadsTo(turn.machine, news.type).has(turn.state.status)) return true;
  return cell.kind !== 'absent' && !cell.fromElse && hasPath;
}

/** S4. Held until the order moves; the order's other streams are asked once for it. */
function holdAnswer(turn: Turn, stream: StreamState, snapshot: TypedSnapshot, ask: number): void {
  const before = stream.answer;
  if (
    before?.review === null &&
    before.snapshot.type === snapshot.type &&
    before.snapshot.fact === snapshot.fact
  ) {
    stream.answer = { ...before, snapshot, ask };
    return;
  }
  stream.answer = { snapshot, ask, since: turn.now, review: null };
  turn.note('held', newsOfAnswer(snapshot), 'the table has no way to what the provider says');
  for (const key of turn.streamKeys())
    if (key !== snapshot.stream && turn.policy(key).api) requestAsk(turn, turn.stream(key), 'unexplained');
}

/** The event that said the same waits for the person; where none did, the answer itself does. */
function reviewAnswer(
  turn: Turn,
  stream: StreamState,
  snapshot: TypedSnapshot,
  { covered, n }: { covered: HeldEvent[]; n: number },
  reason: string,
): void {
  standAt(stream, snapshot, covered);
  const told = toldBy(covered, snapshot);
  for (const held of covered) if (held !== told) supersedeHeld(turn, stream, snapshot, told, held);
  if (told?.review != null) return;
  const before = stream.answer;
  const isSame = before?.review === reason && before.snapshot.fact === snapshot.fact;
  if (!isSame) turn.note('review', newsOfAnswer(snapshot), reason);
  stream.answer = null;
  if (told !== undefined) holdForPerson(turn, stream, told, reason);
  else stream.answer = { snapshot, ask: n, since: isSame ? before.since : turn.now, review: reason };
}

interface Done {
  moved: boolean;
  from: string;
  /** A person's word, if it was one that closed the answer. */
  reason?: string;
}

/** A person closed what a held answer says, and with it all that the answer covers. */
export function closeAnswer(
  turn: Turn,
  stream: StreamState,
  { snapshot, ask = stream.asks }: HeldAnswer,
  done: Done,
): void {
  close(turn, stream, snapshot, coveredBy(stream, snapshot, ask), done);
}

/** The answer is taken: the stream stands at it, and what it covers gets its outcome. */
function close(
  turn: Turn,
  stream: StreamState,
  snapshot: TypedSnapshot,
  covered: HeldEvent[],
  done: Done,
): void {
  const news = newsOfAnswer(snapshot);
  standAt(stream, snapshot, covered);
  stream.answer = null;
  if (done.moved) stream.step = { type: news.type, fact: news.fact };
  const told = toldBy(covered, snapshot);
  setWord(stream, wordOf({ ...news, ref: told ?? null }, done.moved || isLastStep(stream, snapshot)));
  for (const held of covered) {
    if (held !== told) supersedeHeld(turn, stream, snapshot, told, held);
    else {
      release(stream, held);
      if (done.moved) turn.outcome(held, 'applied', done.reason ?? 'by an answer', done.from);
      else turn.outcome(held, 'ignored', done.reason ?? 'confirmed');
    }
  }
  for (const part of snapshot.parts) keepEffects(turn, newsOfPart(snapshot, part));
}

const isLastStep = (stream: StreamState, snapshot: Snapshot) =>
  stream.step?.type === snapshot.type && stream.step.fact === snapshot.fact;

/** An answer that names no version speaks for every version known when it was asked for. */
function standAt(stream: StreamState, snapshot: Snapshot, covered: HeldEvent[]): void {
  stream.by = 'answer';
  stream.fact = snapshot.fact;
  const known = covered.reduce((highest, held) => laterVersion(highest, held.version), stream.version);
  const version = snapshot.version ?? known;
  if (version === null) return;
  stream.version = laterVersion(stream.version, version);
  stream.answered = laterVersion(stream.answered, version);
  coverMissing(stream, version);
}

/** What an answer covers and does not repeat; a copy of what it does repeat is no news of its own. */
function supersedeHeld(
  turn: Turn,
  stream: StreamState,
  snapshot: Snapshot,
  told: HeldEvent | undefined,
  held: HeldEvent,
): void {
  release(stream, held);
  if (told?.version === held.version && told.fact === held.fact && held.review === null)
    return turn.outcome(held, 'stale', 'the same news came under another id');
  if (isTyped(held) && rowOf(turn.machine, held.type) !== undefined) {
    if (!denies(snapshot, held)) keepEffects(turn, newsOf(held));
    turn.outcome(held, 'superseded', 'an answer covers it');
  } else if (held.type === null && held.review === null) turn.outcome(held, 'archived', 'type not wanted');
  else turn.outcome(held, 'ignored', 'not_in_machine');
}

/** The event that said what the answer says: one that a person looks at already, or the latest of them. */
function toldBy(covered: HeldEvent[], snapshot: Snapshot): HeldEvent | undefined {
  const same = covered.filter((held) => isSameNews(held, snapshot));
  return same.find((held) => held.review !== null) ?? same.at(-1);
}

/** When what the answer says came to be: by the hint that said the same, or where the answer lists it. */
function happenedAt(snapshot: TypedSnapshot, covered: HeldEvent[]): string | null {
  const told = toldBy(covered, snapshot)?.claimedAt;
  return told ?? snapshot.parts.find((part) => part.fact === snapshot.fact)?.createdAt ?? null;
}

const isSameNews = (held: HeldEvent, snapshot: Snapshot) =>
  held.type === snapshot.type && held.fact === snapshot.fact;

export function newsOfAnswer(snapshot: TypedSnapshot): News {
  const { stream, type, version, payment, fact, facts } = snapshot;
  return { stream, type, version, payment, fact, facts, ref: null, claimedAt: null };
}
