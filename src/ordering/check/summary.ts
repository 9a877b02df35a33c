import type { Cell, Machine } from '../machine.ts';

export interface MachineSummary {
  version: number;
  statuses: number;
  types: number;
  effects: number;
  unlisted: Machine['unlisted'];
  /** Every (status, type) is one cell; a split one counts as split whatever its halves are. */
  cells: Record<'step' | 'ignore' | 'stay' | 'review' | 'split' | 'unlisted', number>;
}

export function summarise(machine: Machine): MachineSummary {
  const cells = { step: 0, ignore: 0, stay: 0, review: 0, split: 0, unlisted: 0 };
  for (const row of Object.values(machine.on)) {
    for (const status of Object.keys(machine.statuses)) cells[kindOf(row[status] ?? row['else'])] += 1;
  }
  return {
    version: machine.version,
    statuses: Object.keys(machine.statuses).length,
    types: Object.keys(machine.on).length,
    effects: Object.keys(machine.effects).length,
    unlisted: machine.unlisted,
    cells,
  };
}

function kindOf(cell: Cell | undefined): keyof MachineSummary['cells'] {
  if (cell === undefined) return 'unlisted';
  if (typeof cell === 'string') return 'step';
  if ('own' in cell) return 'split';
  if ('ignore' in cell) return 'ignore';
  return 'review' in cell ? 'review' : 'stay';
}
