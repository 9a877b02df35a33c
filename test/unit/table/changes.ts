/** Every change of one cell of a table: taken away, ignored, or to each other status. */
import type { Cell, Machine, SimpleCell } from '../../../src/ordering/machine.ts';

export interface TableChange {
  /** E.g. `order.cancelled in paid → shipped`, `payment.refunded in paid (other) ignored`. */
  name: string;
  type: string;
  /** null: the row's `else`. */
  status: string | null;
  table: Machine;
}

export function changesOf(machine: Machine): TableChange[] {
  return Object.entries(machine.on).flatMap(([type, row]) => {
    const change = (status: string | null, what: string, cells: Record<string, Cell>): TableChange => ({
      name: `${type} ${status === null ? 'else' : `in ${status}`}${what}`,
      type,
      status,
      table: { ...machine, on: { ...machine.on, [type]: cells } },
    });
    const removals = Object.keys(row).map((key) => {
      const { [key]: _removed, ...others } = row;
      return change(key === 'else' ? null : key, ' removed', others);
    });
    const others = Object.keys(machine.statuses).flatMap((status) => {
      const cell = row[status] ?? row['else'];
      return otherCells(machine, type, cell).map(([what, other]) =>
        change(status, what, { ...row, [status]: other }),
      );
    });
    return [...removals, ...others];
  });
}

/** What a cell could be instead, each with its words: as a whole, and one half of it at a time. */
function otherCells(machine: Machine, type: string, cell: Cell | undefined): [string, Cell][] {
  const isSplit = typeof cell === 'object' && 'own' in cell;
  const whole = isSplit ? [] : otherSimple(machine, cell);
  // An `order.*` event names no payment, and half a cell cannot be absent.
  if (cell === undefined || type.startsWith('order.')) return whole;
  const halves = isSplit ? cell : { own: cell, other: cell };
  const changed = (['own', 'other'] as const).flatMap((half) =>
    otherSimple(machine, halves[half]).map(([what, other]): [string, Cell] => [
      ` (${half})${what}`,
      { ...halves, [half]: other },
    ]),
  );
  return [...whole, ...changed];
}

function otherSimple(machine: Machine, cell: SimpleCell | undefined): [string, SimpleCell][] {
  const steps = Object.keys(machine.statuses)
    .filter((status) => status !== cell)
    .map((status): [string, SimpleCell] => [` → ${status}`, status]);
  const isIgnored = typeof cell === 'object' && 'ignore' in cell;
  return isIgnored ? steps : [[' ignored', { ignore: 'changed' }], ...steps];
}
