/** What the model checker found, as story files: each fails on the table as it is, and passes once that is mended. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storyOfCounterexample } from '../dev/scenario/from-counterexample.ts';
import type { MachineRun } from '../ordering/check/explore-machine.ts';
import { makeFolder } from '../make-folder.ts';
import type { Machine } from '../ordering/machine.ts';
import { say } from './print.ts';

export async function saveCounterexamples(
  machine: Machine,
  runs: readonly MachineRun[],
  folder: string,
): Promise<void> {
  makeFolder(folder);
  for (const { contract, api, streams, counterexample } of runs) {
    if (counterexample === null) continue;
    const name = [machine.name, contract, api ? 'asked' : 'alone', ...streams].join('-');
    const file = join(folder, `${name}.yaml`);
    await writeFile(file, storyOfCounterexample(counterexample, machine));
    say(`written: ${file}`);
  }
}
