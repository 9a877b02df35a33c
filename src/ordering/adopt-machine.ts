/**
 * A new version of the machine under an open order (R45): what was decided stays, a renamed status takes its new
 * name, what was held for want of a cell is judged anew, and the change is journalled.
 *
 * A worker enters no version without the statuses in which orders stand; an order that came into one at that very
 * moment, by the version before, is a person's.
 */
import { decideBy } from './decide.ts';
import type { Machine } from './machine.ts';
import type { Attention, Decision, OrderState } from './state.ts';

export function adoptMachine(machine: Machine, state: OrderState, now: number): Decision {
  return decideBy(machine, state, now, (turn) => {
    const from = turn.state.status;
    const before = turn.state.machineVersion;
    turn.state.machineVersion = machine.version;
    if (machine.statuses[from] === undefined) turn.state.status = machine.renamed[from] ?? from;
    turn.state.notices = withStatusNotice(machine, turn.state, now);
    turn.note('machine', {}, `version ${before} to ${machine.version}`, from);
    // Counts as a move of nobody: held events and last words see the new table.
    turn.moves.push({ stream: '', stepBack: false });
  });
}

const UNKNOWN_STATUS = /^version \d+ of the machine has no status /;

/** Goes with the next version that knows the status. */
function withStatusNotice(machine: Machine, { status, notices }: OrderState, now: number): Attention[] {
  const others = notices.filter(({ reason }) => !UNKNOWN_STATUS.test(reason));
  if (machine.statuses[status] !== undefined) return others;
  const reason = `version ${machine.version} of the machine has no status ${status}, in which this order stands: enter a version that has it, or that says what it is called now`;
  return [...others, { kind: 'review', stream: null, since: now, reason }];
}
