/**
 * A person's word on what the table left to a person (R43, R54): checked against the table, journalled with who
 * and why, and followed by everything that had waited behind it.
 */
import { decideBy } from './decide.ts';
import { awaited, release } from './hold.ts';
import { requestAsk } from './asking.ts';
import { openFind } from './find.ts';
import type { Machine } from './machine.ts';
import { heard, stepped } from './place.ts';
import { closeAnswer, newsOfAnswer } from './settle-answer.ts';
import type { Decision, EventRef, HeldEvent, OrderState, Snapshot, StreamState } from './state.ts';
import { leadsTo } from './table.ts';
import { enter } from './transition.ts';
import { isTyped, newsOf } from './turn.ts';
import type { News, Turn } from './turn.ts';
import { addToVersion } from './version.ts';

export interface Resolution {
  stream: string;
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
  const stream = state.streams[resolution.stream];
  if (stream === undefined) return { refused: `the order has no stream ${resolution.stream}` };
  const subject = subjectOf(state, stream, resolution);
  if (subject === null) return { refused: 'nothing of that stream waits for a person' };
  const refused = refusal(machine, state, subject, resolution);
  if (refused !== null) return { refused };
  return decideBy(machine, state, now, (turn) => carryOut(turn, resolution, subject));
}

type Subject =
  | { kind: 'event'; held: HeldEvent; news: News }
  | { kind: 'answer'; snapshot: Snapshot; news: News }
  | { kind: 'notice' };

function subjectOf(state: OrderState, stream: StreamState, resolution: Resolution): Subject | null {
  const { event } = resolution;
  if (event === null) {
    if (stream.answer !== null) {
      const { snapshot } = stream.answer;
      return { kind: 'answer', snapshot, news: newsOfAnswer(snapshot) };
    }
    const hasNotice = state.notices.some((notice) => notice.stream === resolution.stream);
    return hasNotice ? { kind: 'notice' } : null;
  }
  const held = stream.held.find(
    (one) => one.seq === event.seq && one.source === event.source && one.event === event.event,
  );
  return held !== undefined && isTyped(held) ? { kind: 'event', held, news: newsOf(held) } : null;
}

function refusal(machine: Machine, state: OrderState, subject: Subject, { as }: Resolution): string | null {
  if (as.kind === 'ignore') return null;
  if (as.kind === 'rebase')
    return subject.kind === 'event' && subject.held.version !== null
      ? null
      : 'only an event with a version can be a new base';
  if (subject.kind === 'notice') return 'a notice can only be taken note of (ignore)';
  if (machine.statuses[as.status] === undefined) return `the machine has no status ${as.status}`;
  const allowed = leadsTo(machine, subject.news.type);
  if (as.status === state.status || allowed.has(as.status)) return null;
  return `the table leads ${subject.news.type} to ${[...allowed].join(', ') || 'no status'}, not to ${as.status}`;
}

function carryOut(turn: Turn, resolution: Resolution, subject: Subject): void {
  const stream = turn.stream(resolution.stream);
  const { as, by } = resolution;
  const from = turn.state.status;
  turn.state.notices = turn.state.notices.filter((notice) => notice.stream !== resolution.stream);
  stream.resets = 0;
  if (subject.kind === 'notice') return turn.note('resolved', { stream: resolution.stream }, by);
  if (as.kind === 'apply') enter(turn, as.status, subject.news, 'resolved', by);
  else turn.note('resolved', subject.news, by);
  const moved = as.kind === 'apply';
  if (subject.kind === 'answer')
    return closeAnswer(turn, stream, subject.snapshot, { moved, from, reason: by });
  release(stream, subject.held);
  if (as.kind === 'rebase' && subject.news.version !== null) rebase(stream, subject.news.version);
  const settle = moved ? stepped : heard;
  settle(stream, advancing(stream, subject.news));
  turn.outcome(subject.held, moved ? 'applied' : 'ignored', by, from);
}

/** A resolved event below the stream's version does not take the version back. */
function advancing(stream: StreamState, news: News): News {
  const next =
    stream.contract === 'sequence' && stream.version !== null ? addToVersion(stream.version, 1) : null;
  const isNext = next === null || next === news.version;
  return isNext ? news : { ...news, version: null };
}

function rebase(stream: StreamState, version: string): void {
  stream.version = addToVersion(version, -1);
  stream.by = 'event';
  stream.fact = null;
  stream.answered = null;
  stream.missing = [];
  stream.missingSince = null;
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
