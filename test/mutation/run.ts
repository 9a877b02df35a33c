/**
 * Changes src/ordering place by place and runs the core's tests on each change. A change that no test notices fails
 * the run, unless survivors.yaml says why it harms nobody. Not part of `npm test`: it takes half an hour of a core.
 *
 *     npm run mutation                                      the whole core
 *     npm run mutation -- --mutate src/ordering/place.ts    files, or lines: …/place.ts:20-40
 *
 * src/ordering/check is left out: it is the judge, not what is judged.
 */
import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { mutate } from './mutate.ts';
import type { Result } from './mutate.ts';
import { compareWith, readSurvivors } from './survivors.ts';

/** A property of 1,500 runs is tried with as few as tell most; what that does not tell is judged by all of them. */
const FEW_RUNS = 0.03;

const root = process.cwd();
// Stryker's processes load this directory's files as they are.
process.env['NODE_OPTIONS'] = '--import tsx';

const { mutate: wanted } = new Command('npm run mutation --')
  .option('--mutate <files...>', 'files of src/ordering')
  .parse()
  .opts<{ mutate?: string[] }>();
const core = readdirSync(`${root}/src/ordering`).filter((name) => name.endsWith('.ts'));
const places = wanted ?? core.map((name) => `src/ordering/${name}`);
const isWhole = places.every((place) => place.endsWith('.ts'));
const list = readSurvivors(`${root}/test/mutation/survivors.yaml`);

const results = await mutate(root, places, FEW_RUNS);
const doubtful = compareWith(list, results).unexplained;
if (doubtful.length > 0) {
  console.log(
    `${doubtful.length} changes that a few runs of the properties did not notice: now with all runs.`,
  );
  const again = await mutate(
    root,
    doubtful.map(({ range }) => range),
    1,
  );
  for (const result of doubtful) {
    const now = again.find((one) => one.range === result.range && one.change === result.change);
    if (now?.isNoticed === true) Object.assign(result, { isNoticed: true, status: now.status });
  }
}

for (const file of new Set(results.map((one) => one.file))) console.log(summaryOf(file));
const { unexplained, needless } = compareWith(list, results);
for (const { place, change } of unexplained) console.log(`no test notices: ${place}  ${change}`);
// Of a part of a file nobody can say that something is not there any more.
if (isWhole)
  for (const { file, change } of needless)
    console.log(`listed in survivors.yaml, and noticed (or gone): ${file}  ${change}`);
if (unexplained.length > 0) process.exitCode = 1;

function summaryOf(file: string): string {
  const of = (status: Result['status']) =>
    results.filter((one) => one.file === file && one.status === status).length;
  const total = results.filter((one) => one.file === file).length;
  return `${file}: ${total} changes, ${of('Killed')} noticed, ${of('Timeout')} without an end, ${of('Survived')} not noticed, ${of('NoCoverage')} never run`;
}
