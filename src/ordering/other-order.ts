/**
 * The provider says that an object of this order is another one's by now: somebody has changed the id it names. The
 * first order keeps it (contested.ts), nothing is settled by such an answer, and a person sees a conflict at once. It
 * goes by itself when the provider names this order again.
 */
import { objectOf } from './fresh-state.ts';
import type { Answer } from './state.ts';
import type { Turn } from './turn.ts';

export function noteOther(turn: Turn, { stream, order }: Extract<Answer, { kind: 'other' }>): void {
  const reason = `the provider says that ${objectOf(stream)} is order ${order}'s, and this order was named first`;
  if (turn.state.notices.some((notice) => notice.stream === stream && notice.reason === reason)) return;
  turn.note('alert', { stream }, reason);
  turn.state.notices = [...turn.state.notices, { kind: 'conflict', stream, since: turn.now, reason }];
}
