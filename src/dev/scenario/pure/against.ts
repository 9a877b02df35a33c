/** Which cells of a table stories touch, by playing them in memory. */
import type { Machine } from '../../../ordering/machine.ts';
import type { Story } from '../stage/stage.ts';
import { needsRealStack } from './needs-real-stack.ts';
import { observePure, preparePure } from './play-pure.ts';
import { cellsOf, recordingMachine } from './touched-cells.ts';
import type { CellName } from './touched-cells.ts';

export interface Against {
  /** Stories that were played, and those that need the real stack. */
  played: number;
  leftOut: string[];
  cells: CellName[];
  untouched: CellName[];
}

/** Only stories of this machine are played. */
export async function playAgainst(machine: Machine, stories: readonly Story[]): Promise<Against> {
  const cells = cellsOf(machine);
  const touched = new Set<CellName>();
  const found: Against = { played: 0, leftOut: [], cells, untouched: [] };
  for (const story of stories) {
    if (story.machine.name !== machine.name) continue;
    if (needsRealStack(story.scenario) !== null) {
      found.leftOut.push(story.file);
      continue;
    }
    for (const cell of await touchedBy(story)) touched.add(cell);
    found.played += 1;
  }
  found.untouched = cells.filter((cell) => !touched.has(cell));
  return found;
}

export async function touchedBy(story: Story): Promise<ReadonlySet<CellName>> {
  const prepared = preparePure(story);
  const { machine, touched } = recordingMachine(prepared.table);
  await observePure(prepared, { table: machine });
  return touched;
}
