/** Which cells of a table no story has touched, in words or as a JSON line. */
import { relative } from 'node:path';
import { playAgainst } from '../dev/scenario/pure/against.ts';
import { readStories } from '../dev/scenario/read-stories.ts';
import type { Machine } from '../ordering/machine.ts';
import { count } from './count.ts';
import type { ConfigOption, JsonOption } from './options.ts';
import { print, printJson, say } from './print.ts';
import { readMachineDefinitions } from './read-machines.ts';

/** Whether all stories could be read, and at least one of this machine was played. */
export async function runAgainst(
  machine: Machine,
  files: string[],
  options: ConfigOption & JsonOption,
): Promise<boolean> {
  const found = await readStories(files, { machines: () => readMachineDefinitions(options) });
  const stories = found.flatMap((one) => ('problems' in one ? [] : [one.story]));
  for (const one of found)
    if ('problems' in one)
      for (const { line, column, message } of one.problems)
        say(`${relative('', one.file)}:${line}:${column}  ${message}`);
  const { played, leftOut, cells, untouched } = await playAgainst(machine, stories);
  for (const file of leftOut) say(`${relative('', file)}: left out, it needs the real stack`);
  const isRight = stories.length === found.length && played > 0;
  if (options.json) {
    printJson({
      machine: machine.name,
      stories: played,
      leftOut: leftOut.length,
      cells: cells.length,
      untouched: untouched.map(partsOf),
    });
    return isRight;
  }
  const touched = cells.length - untouched.length;
  print(`${machine.name}: ${count(played, 'story', 'stories')} touch ${touched} of ${cells.length} cells`);
  for (const line of untouchedLines(cells, untouched)) print(`  ${line}`);
  return isRight;
}

function partsOf(cell: string): { type: string; status: string; payment: string | null } {
  const [type = '', status = '', payment = null] = cell.split(' ');
  return { type, status, payment };
}

/** A line for each type. Where most of its cells are untouched, those that are not are fewer words. */
export function untouchedLines(cells: readonly string[], untouched: readonly string[]): string[] {
  const all = byType(cells);
  return [...byType(untouched)].map(([type, names]) => {
    const touched = (all.get(type) ?? []).filter((name) => !names.includes(name));
    if (touched.length === 0) return `${type}: all ${count(names.length, 'cell')}`;
    const isShorter = names.length > 3 && touched.length < names.length / 2;
    return `${type}: ${isShorter ? `all but ${touched.join(', ')}` : names.join(', ')}`;
  });
}

/** `paid (other)`: of a second payment. */
function byType(cells: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { type, status, payment } of cells.map(partsOf)) {
    const name = payment === null ? status : `${status} (${payment})`;
    found.set(type, [...(found.get(type) ?? []), name]);
  }
  return found;
}
