/**
 * Which cells of a table a story touches: a cell is touched when the core reads it to judge something in its status. A
 * table that writes down what is read of it, and is otherwise the same.
 */
import type { Cell, Machine } from '../../../ordering/machine.ts';
import { leadsTo, pathTo } from '../../../ordering/table.ts';

/** `<type> <status>`, with ` own` or ` other` where the cell is split. */
export type CellName = string;

const cellName = (type: string, status: string, whose?: 'own' | 'other'): CellName =>
  whose === undefined ? `${type} ${status}` : `${type} ${status} ${whose}`;

/** Every cell of a table, those that come from `else` and those that are absent too, in the table's order. */
export function cellsOf(machine: Machine): CellName[] {
  return Object.entries(machine.on).flatMap(([type, row]) =>
    Object.keys(machine.statuses).flatMap((status) => {
      const cell = row[status] ?? row['else'];
      return isSplit(cell)
        ? [cellName(type, status, 'own'), cellName(type, status, 'other')]
        : [cellName(type, status)];
    }),
  );
}

const isSplit = (cell: Cell | undefined): cell is Extract<Cell, { own: unknown }> =>
  typeof cell === 'object' && 'own' in cell;

/** The machine as it is, with a list of the cells that were read since. */
export function recordingMachine(machine: Machine): { machine: Machine; touched: Set<CellName> } {
  const touched = new Set<CellName>();
  let isRecording = false;
  const note = (name: CellName) => {
    if (isRecording) touched.add(name);
  };
  const on: Machine['on'] = {};
  for (const [type, row] of Object.entries(machine.on)) on[type] = recordingRow(machine, type, row, note);
  const recording = { ...machine, on };
  rememberPaths(recording);
  isRecording = true;
  return { machine: recording, touched };
}

/** What is derived from a whole table is derived now: reading it for that judges nothing. */
function rememberPaths(machine: Machine): void {
  for (const type of Object.keys(machine.on)) {
    leadsTo(machine, type);
    for (const status of Object.keys(machine.statuses))
      for (const overPayments of [true, false]) pathTo(machine, status, type, overPayments);
  }
}

function recordingRow(
  machine: Machine,
  type: string,
  row: Machine['on'][string],
  note: (name: CellName) => void,
): Machine['on'][string] {
  // A cell that is not written is looked for by its status first, then under `else`.
  let sought = '';
  const recorded = (cell: Cell | undefined, status: string): Cell | undefined => {
    if (isSplit(cell)) return recordingSplit(cell, (whose) => note(cellName(type, status, whose)));
    note(cellName(type, status));
    return cell;
  };
  return new Proxy(row, {
    get(target, name) {
      if (typeof name !== 'string') return Reflect.get(target, name) as unknown;
      if (name === 'else') return recorded(target['else'], sought);
      sought = name;
      return target[name] === undefined ? undefined : recorded(target[name], name);
    },
  });
}

/** Only the half that was read is touched. */
function recordingSplit(cell: Extract<Cell, { own: unknown }>, note: (whose: 'own' | 'other') => void): Cell {
  return new Proxy(cell, {
    get(target, whose) {
      if (whose === 'own' || whose === 'other') note(whose);
      return Reflect.get(target, whose) as unknown;
    },
  });
}
