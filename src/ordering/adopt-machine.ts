/**
 * A new version of the machine under an open order (R45): what was decided stays, a renamed status takes its new
 * name, what was held for want of a cell is judged anew, and the change is journalled.
 */
import { decideBy } from './decide.ts';
import type { Machine } from './machine.ts';
import type { Decision, OrderState } from './state.ts';

export function adoptMachine(machine: Machine, state: OrderState, now: number): Decision {
  return decideBy(machine, state, now, (turn) => {
    const from = turn.state.status;
    const before = turn.state.machineVersion;
    turn.state.machineVersion = machine.version;
    if (machine.statuses[from] === undefined) turn.state.status = machine.renamed[from] ?? from;
    turn.note('machine', {}, `version ${before} to ${machine.version}`, from);
    // Counts as a move of nobody: held events and last words see the new table.
    turn.moves.push({ stream: '', stepBack: false });
  });
}
