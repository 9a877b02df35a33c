/** When an order has to be looked at again by itself: one instant, the earliest of all. */
import { UNKNOWN_SOURCE, sourceOf } from './fresh-state.ts';
import { gapSince } from './hold.ts';
import type { HeldAnswer, OpenAsk, OrderState, StreamState } from './state.ts';

/** Epoch ms of the earliest thing that is due, or null when nothing is. */
export function dueAt(state: OrderState): number | null {
  let due = Infinity;
  const at = (instant: number | null) => {
    if (instant !== null && instant < due) due = instant;
  };
  for (const key in state.streams) {
    const stream = state.streams[key] as StreamState;
    const policy = state.sources[sourceOf(key)] ?? UNKNOWN_SOURCE;
    const gap = stream.gapExpired ? null : gapSince(stream);
    if (gap !== null) at(gap + policy.gapTimeoutMs);
    at(dueOfAsk(stream.ask, policy.askDeadlineMs));
    at(reviewDueAt(stream, policy.askDeadlineMs));
  }
  for (const source in state.finds)
    at(dueOfAsk(state.finds[source] ?? null, (state.sources[source] ?? UNKNOWN_SOURCE).askDeadlineMs));
  if (state.deadline?.phase === 'waiting') at(state.deadline.at);
  return due === Infinity ? null : due;
}

function dueOfAsk(ask: OpenAsk | null, askDeadlineMs: number): number | null {
  if (ask === null) return null;
  const late = ask.late ? Infinity : ask.since + askDeadlineMs;
  return Math.min(ask.retryAt ?? Infinity, late) === Infinity
    ? null
    : Math.min(ask.retryAt ?? Infinity, late);
}

/** The table has no way to the answer, and no person was asked yet. */
export function isUnexplained(answer: HeldAnswer): boolean {
  return answer.review === null && answer.late !== true;
}

/** When what waits for a move is given to a person. */
export function reviewDueAt(stream: StreamState, askDeadlineMs: number): number | null {
  let due = Infinity;
  for (const held of stream.held)
    if (held.reason === 'unlisted' && !held.behind) due = Math.min(due, held.since + askDeadlineMs);
  if (stream.answer !== null && isUnexplained(stream.answer))
    due = Math.min(due, stream.answer.since + askDeadlineMs);
  return due === Infinity ? null : due;
}

/** A question to a provider is under way. */
export function isAsking(state: OrderState): boolean {
  const isUnderWay = (ask: OpenAsk | null) => ask?.retryAt === null;
  return (
    Object.values(state.streams).some(({ ask }) => isUnderWay(ask)) ||
    Object.values(state.finds).some(isUnderWay)
  );
}
