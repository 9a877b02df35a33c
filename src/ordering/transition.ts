/** Moving an order: entering a status with its effects and its deadline, or passing one unseen. */
import { contestOf } from './contested.ts';
import { leadsTo } from './table.ts';
import type { JournalKind } from './state.ts';
import type { News, Turn } from './turn.ts';

/** A payment that came to nothing carries no order: the next one is its own, not a second one. */
export const BEARS_NOTHING: ReadonlySet<string> = new Set(['payment.failed', 'payment.cancelled']);

/** Enters a status because of some news; naming the present status is a step too. */
export function enter(
  turn: Turn,
  status: string,
  news: News,
  kind: JournalKind,
  reason: string | null,
): void {
  const { state, machine } = turn;
  const from = state.status;
  state.status = status;
  state.movedBy = news.stream;
  if (news.payment !== null) state.bearer = BEARS_NOTHING.has(news.type) ? null : news.payment;
  if (from !== status) {
    const deadline = machine.statuses[status]?.deadline;
    state.deadline =
      deadline === undefined
        ? null
        : {
            status,
            type: deadline.type,
            at: turn.now + deadline.afterMs,
            unasked: deadline.unasked,
            phase: 'waiting',
            pending: [],
          };
  }
  turn.moves.push({ stream: news.stream, stepBack: machine.stepsBack.includes(news.type) });
  turn.note(kind, news, reason, from);
  for (const effect of machine.statuses[status]?.effects ?? []) turn.request(effect, news, from);
}

/** A status that was passed without being seen: its effects run as their policy says. */
export function pass(turn: Turn, status: string, news: News): void {
  for (const effect of turn.machine.statuses[status]?.effects ?? [])
    if (turn.machine.effects[effect]?.whenPassed === 'run') turn.request(effect, news, status);
}

/**
 * The effects a superseded event keeps: of the statuses its type leads to, those that are counted by the event or
 * one of its facts. A refund is booked even when a later answer arrived before it.
 */
export function keepEffects(turn: Turn, news: News): void {
  // Another order's payment: its effects are that order's.
  if (contestOf(turn.state, news) !== null) return;
  for (const status of leadsTo(turn.machine, news.type))
    for (const effect of turn.machine.statuses[status]?.effects ?? []) {
      const once = turn.machine.effects[effect]?.once;
      if (once !== undefined && once !== 'order') turn.request(effect, news, turn.state.status);
    }
}
