/**
 * Two runs that both write one order: the store let one of them win each time, so nothing is lost, but it should
 * not happen (a Temporal server restored beside a running one, a run that was thought dead). A person has to look.
 */
import { decideBy } from './decide.ts';
import type { Machine } from './machine.ts';
import type { Decision, OrderState } from './state.ts';

export function noteTwoWriters(machine: Machine, state: OrderState, otherRun: string, now: number): Decision {
  return decideBy(machine, state, now, (turn) => {
    const reason = `two runs write this order; the other one is ${otherRun}`;
    const isKnown = turn.state.notices.some(({ kind, stream }) => kind === 'conflict' && stream === null);
    turn.note('alert', {}, reason);
    if (isKnown) return;
    turn.state.notices = [...turn.state.notices, { kind: 'conflict', stream: null, since: now, reason }];
  });
}
