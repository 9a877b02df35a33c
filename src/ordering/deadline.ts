/**
 * A status's deadline (R35): when it fires, every stream and every source that can be searched is asked first;
 * only when all have answered and the order is still there does the deadline's type step.
 */
import { requestAsk } from './asking.ts';
import { gapSince } from './hold.ts';
import type { DeadlineState, StreamState } from './state.ts';
import { cellOf } from './table.ts';
import { enter } from './transition.ts';
import { INORDER } from './turn.ts';
import type { News, Turn } from './turn.ts';

/** Something that a fired deadline waits for has been answered; what was asked before it was due does not count. */
export function answered(turn: Turn, pending: string, asOf: number): void {
  const { deadline } = turn.state;
  if (deadline?.phase !== 'asking' || !deadline.pending.includes(pending) || asOf < deadline.at) return;
  turn.state.deadline = { ...deadline, pending: deadline.pending.filter((one) => one !== pending) };
}

/** A fired deadline waits for one more answer. */
export function awaitAnswer(turn: Turn, pending: string): void {
  const { deadline } = turn.state;
  if (deadline?.phase !== 'asking' || deadline.pending.includes(pending)) return;
  turn.state.deadline = { ...deadline, pending: [...deadline.pending, pending] };
}

/** Lets a fired deadline act once nothing is left to be answered. Runs last: an answer may have moved the order. */
export function actIfAnswered(turn: Turn): void {
  const { deadline } = turn.state;
  if (deadline?.phase !== 'asking') return;
  for (const key of deadline.pending)
    if (turn.state.streams[key]?.ask === null) requestAsk(turn, turn.stream(key), 'deadline');
  if (deadline.pending.length > 0) return;
  for (const key of turn.streamKeys()) askNewcomer(turn, key);
  if (turn.streamKeys().some((key) => isInDoubt(turn.state.streams[key]))) return;
  // What the provider lists here and another order has may be what the deadline waits for.
  if (turn.state.notices.some(({ kind, stream }) => kind === 'conflict' && stream !== null)) return;
  if (deadline.status !== turn.state.status) return;
  const news = newsOfDeadline(deadline);
  const cell = cellOf(turn.machine, turn.state.status, deadline.type, true);
  turn.state.deadline = null;
  if (cell.kind === 'step') enter(turn, cell.status, news, 'deadline', `${deadline.status} for too long`);
  else if (cell.kind === 'review' || cell.kind === 'absent')
    turn.state.deadline = { ...deadline, phase: 'review' };
  else turn.note('deadline', news, cell.reason);
}

/** A stream that was first heard of after the others had been asked is asked, too. */
function askNewcomer(turn: Turn, key: string): void {
  if (turn.state.streams[key]?.asks === 0 && turn.policy(key).api)
    requestAsk(turn, turn.stream(key), 'deadline');
}

/** Something of the stream is still to be said; it may be what the deadline waited for. */
function isInDoubt(stream: StreamState | undefined): boolean {
  if (stream === undefined) return false;
  return stream.ask !== null || stream.answer !== null || stream.held.length > 0 || gapSince(stream) !== null;
}

/** What inorder itself says when a deadline acts, or when a person acts on it. */
export function newsOfDeadline({ type, status, at }: Pick<DeadlineState, 'type' | 'status' | 'at'>): News {
  return {
    stream: `${INORDER}/deadline`,
    type,
    version: null,
    payment: null,
    fact: `${type}:${status}`,
    facts: {},
    ref: null,
    claimedAt: null,
    dueAt: new Date(at).toISOString(),
  };
}
