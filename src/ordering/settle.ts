/** The pure core's entry for what providers answer: about one stream, or which objects an order has. */
import { decideBy } from './decide.ts';
import { takeFind } from './find.ts';
import type { FindAnswer } from './find.ts';
import type { Machine } from './machine.ts';
import { takeAnswer } from './settle-answer.ts';
import type { Answer, Decision, OrderState } from './state.ts';

/** Settles what an answer covers. `n` is the number of the ask it answers. */
export function settle(
  machine: Machine,
  state: OrderState,
  answer: Answer,
  n: number,
  now: number,
): Decision {
  return decideBy(machine, state, now, (turn) => {
    takeAnswer(turn, answer, n);
  });
}

/** Takes what a search for the order's objects found. */
export function settleFind(
  machine: Machine,
  state: OrderState,
  answer: FindAnswer,
  n: number,
  now: number,
): Decision {
  return decideBy(machine, state, now, (turn) => {
    takeFind(turn, answer, n);
  });
}
