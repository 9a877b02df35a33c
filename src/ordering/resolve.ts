/**
 * A person's word on what the table left to a person (R43, R54): checked against the table, journalled with who
 * and why, and followed by everything that had waited behind it.
 */
import { requestAsk } from './asking.ts';
import { newsOfDeadline } from './deadline.ts';
import { decideBy } from './decide.ts';
import { openFind } from './find.ts';
import { awaited, isSameRef, release } from './hold.ts';
import { takeTurn } from './judge.ts';
import type { Machine } from './machine.ts';
import { heard, settled, stepped } from './place.ts';
import { closeAnswer, newsOfAnswer } from './settle-answer.ts';
import type { Decision, EventRef, HeldAnswer, HeldEvent, OrderState, StreamState } from './state.ts';
import { cellOf, leadsTo } from './table.ts';
import { enter } from './transition.ts';
import { isTyped, newsOf, unheld } from './turn.ts';
import type { Turn } from './turn.ts';
import { addToVersion, compareVersions } from './version.ts';

export interface Resolution {
  /** null: what is said about the order itself (two writers, a deadline). */
  stream: string | null;
  /** The event meant; null: the answer under review, or the stream's notice. */
  event: EventRef | null;
  /** `actor: reason`, for the journal. */
  by: string;
  /** `apply`: to this status. `ignore`: without a change. `rebase`: the stream begins anew at the event's version. */
  as: { kind: 'apply'; status: string } | { kind: 'ignore' } | { kind: 'rebase' };
}

/** The decision, or in words why the person's word cannot be taken. */
export function resolve(
  machine: Machine,
  state: OrderState,
  resolution: Resolution,
  now: number,
): Decision | { refused: string } {
  if (resolution.stream === null) return resolveOrder(machine, state, resolution, now);
  const stream = state.streams[resolution.stream];
  if (stream === undefined) {
    const isNoted = state.notices.some((notice) => notice.stream === resolution.stream);
    if (isNoted) return takeNote(machine, state, resolution, now);
    return { refused: `the order has no stream ${resolution.stream}` };
  }
  const key = resolution.stream;
  const subject = subjectOf(state, stream, resolution);
  if (subject === null) return { refused: 'nothing of that stream waits for a person' };
  const refused = refusal(machine, state, subject, resolution);
  if (refused !== null) return { refused };
  return decideBy(machine, state, now, (turn) => carryOut(turn, key, resolution, subject));
}

type Subject =
  { kind: 'event'; held: HeldEvent } | { kind: 'answer'; answer: HeldAnswer } | { kind: 'notice' };

function subjectOf(state: OrderState, stream: StreamState, resolution: Resolution): Subject | null {
  const { event } = resolution;
  if (event !== null) {
    const held = stream.held.find((one) => isSameRef(one, event));
    return held === undefined ? null : { kind: 'event', held };
  }
  if (stream.answer !== null) return { kind: 'answer', answer: stream.answer };
  const hasNotice = state.notices.some((notice) => notice.stream === resolution.stream);
  return hasNotice ? { kind: 'notice' } : null;
}

function refusal(machine: Machine, state: OrderState, subject: Subject, { as }: Resolution): string | null {
  if (as.kind === 'rebase') return rebaseRefusal(machine, state, subject);
  if (subject.kind === 'event' && subject.held.behind)
    return 'it only waits for what comes before it: ask the provider, or begin the stream anew with it (rebase)';
  if (as.kind === 'ignore') return null;
  if (subject.kind === 'notice') return 'a notice can only be taken note of (ignore)';
  const type = subject.kind === 'event' ? subject.held.type : subject.answer.snapshot.type;
  if (type === null) return 'its type says nothing about the order: it can only be ignored';
  return applyRefusal(machine, type, as.status);
}

/** The stream goes on with this event, so the table must know what to do with it. */
function rebaseRefusal(machine: Machine, state: OrderState, subject: Subject): string | null {
  if (subject.kind !== 'event' || subject.held.version === null)
    return 'only an event with a version can be a new base';
  const { type, payment, review } = subject.held;
  if (review === null) return null;
  if (type === null) return 'its type says nothing about the order: it can only be ignored';
  const isOwn = payment === null || state.bearer === null || state.bearer === payment;
  const { kind } = cellOf(machine, state.status, type, isOwn);
  if (kind !== 'review' && kind !== 'absent') return null;
  return `the table does not say what ${type} means in ${state.status}: apply a status, or ignore it`;
}

/** What is about the order itself: a notice, or a deadline that nobody can be asked about. */
function resolveOrder(
  machine: Machine,
  state: OrderState,
  resolution: Resolution,
  now: number,
): Decision | { refused: string } {
  const { as, by } = resolution;
  const hasNotice = state.notices.some(({ stream }) => stream === null);
  const due = state.deadline?.phase === 'review' ? state.deadline : null;
  if (due === null || (hasNotice && as.kind !== 'apply')) return takeNote(machine, state, resolution, now);
  if (as.kind === 'rebase') return { refused: 'a deadline can be applied or ignored' };
  const refused = as.kind === 'apply' ? applyRefusal(machine, due.type, as.status) : null;
  if (refused !== null) return { refused };
  return decideBy(machine, state, now, (turn) => {
    turn.state.deadline = null;
    if (as.kind === 'apply') enter(turn, as.status, newsOfDeadline(due), 'resolved', by);
    else turn.note('resolved', newsOfDeadline(due), by);
  });
}

/** Takes a notice off that stands for itself: there is nothing to apply. */
function takeNote(
  machine: Machine,
  state: OrderState,
  { stream: about, as, by }: Resolution,
  now: number,
): Decision | { refused: string } {
  if (!state.notices.some(({ stream }) => stream === about))
    return { refused: 'nothing of the order waits for a person' };
  if (as.kind !== 'ignore') return { refused: 'a notice can only be taken note of (ignore)' };
  return decideBy(machine, state, now, (turn) => {
    dropNotices(turn, about);
    turn.note('resolved', about === null ? {} : { stream: about }, by);
  });
}

function applyRefusal(machine: Machine, type: string, status: string): string | null {
  if (machine.statuses[status] === undefined) return `the machine has no status ${status}`;
  const allowed = leadsTo(machine, type);
  if (allowed.has(status)) return null;
  return `the table leads ${type} to ${[...allowed].join(', ') || 'no status'}, not to ${status}`;
}

function dropNotices(turn: Turn, stream: string | null): void {
  turn.state.notices = turn.state.notices.filter((notice) => notice.stream !== stream);
}

function carryOut(turn: Turn, key: string, resolution: Resolution, subject: Subject): void {
  const stream = turn.stream(key);
  dropNotices(turn, key);
  stream.resets = 0;
  switch (subject.kind) {
    case 'notice':
      return turn.note('resolved', { stream: key }, resolution.by);
    case 'answer':
      return resolveAnswer(turn, stream, subject.answer, resolution);
    case 'event':
      return resolveEvent(turn, stream, subject.held, resolution);
  }
}

function resolveAnswer(turn: Turn, stream: StreamState, answer: HeldAnswer, { as, by }: Resolution): void {
  const news = newsOfAnswer(answer.snapshot);
  const from = turn.state.status;
  if (as.kind === 'apply') enter(turn, as.status, news, 'resolved', by);
  else turn.note('resolved', news, by);
  closeAnswer(turn, stream, answer, { moved: as.kind === 'apply', from, reason: by });
}

function resolveEvent(turn: Turn, stream: StreamState, held: HeldEvent, { as, by }: Resolution): void {
  const from = turn.state.status;
  release(stream, held);
  if (as.kind === 'rebase') {
    turn.note('resolved', { stream: held.stream, ref: held, version: held.version }, by);
    rebase(stream, held.version as string);
    takeTurn(turn, stream, unheld(held));
    if (turn.policy(held.stream).api) requestAsk(turn, stream, 'person');
    return;
  }
  if (!isTyped(held)) {
    turn.note('resolved', { stream: held.stream, ref: held, version: held.version }, by);
    if (isReached(stream, held.version)) settled(stream, held);
    return turn.outcome(held, 'ignored', by);
  }
  const news = newsOf(held);
  if (as.kind === 'apply') enter(turn, as.status, news, 'resolved', by);
  else turn.note('resolved', news, by);
  // What lies beyond the next number leaves the stream where it is: the numbers before it still come.
  if (isReached(stream, held.version)) (as.kind === 'apply' ? stepped : heard)(stream, news);
  turn.outcome(held, as.kind === 'apply' ? 'applied' : 'ignored', by, from);
}

function isReached(stream: StreamState, version: string | null): boolean {
  if (stream.contract !== 'sequence' || stream.version === null || version === null) return true;
  return compareVersions(version, addToVersion(stream.version, 1)) <= 0;
}

/** The stream begins anew with the event of this version; the numbers passed are no gap any more. */
function rebase(stream: StreamState, version: string): void {
  const before = stream.version;
  const isSequence = stream.contract === 'sequence';
  const base = isSequence ? addToVersion(version, -1) : null;
  const isAhead = base !== null && before !== null && compareVersions(base, before) > 0;
  stream.missing = isAhead ? [...stream.missing, [addToVersion(before, 1), base]] : [];
  stream.missingSince = null;
  stream.version = base;
  stream.by = 'event';
  stream.fact = null;
  stream.answer = null;
  if (isAhead) return;
  stream.answered = null;
  stream.word = null;
}

/** Asks the provider now, on a person's word: one stream, or all that can be asked. */
export function reconcile(
  machine: Machine,
  state: OrderState,
  request: { stream: string | null; by: string },
  now: number,
): Decision {
  return decideBy(machine, state, now, (turn) => {
    const keys = request.stream === null ? turn.streamKeys() : [request.stream];
    for (const key of keys)
      if (turn.state.streams[key] !== undefined && turn.policy(key).api) {
        requestAsk(turn, turn.stream(key), 'person');
        turn.note('asked', { stream: key, version: awaited(turn.stream(key)) }, request.by);
      }
    if (request.stream !== null) return;
    for (const [source, policy] of Object.entries(turn.state.sources))
      if (policy.find) openFind(turn, source, 'person');
  });
}
