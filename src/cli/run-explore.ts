/**
 * `machine check --explore`: the model checker's runs over one machine, told in words, or as one JSON line.
 *
 * Without versions that are contiguous and without an API no table is promised to be safe: what is found there is told,
 * and only counts when it was asked for by `--contract`.
 */
import { exploreMachine } from '../ordering/check/explore-machine.ts';
import type { MachineRun } from '../ordering/check/explore-machine.ts';
import { kindsOf } from '../ordering/check/kinds.ts';
import { linesOf } from '../ordering/check/tell.ts';
import type { Machine } from '../ordering/machine.ts';
import type { Contract } from '../ordering/state.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import { InorderError } from '../errors.ts';
import { count } from './count.ts';
import { print, printJson } from './print.ts';
import { progress } from './progress-line.ts';

export interface ExploreCommand {
  events?: number;
  contract?: Contract;
  streams?: string;
  seconds?: number;
  seed?: number;
  json?: boolean;
}

const SECONDS = 60;

/** The runs, and whether one that counts found an order that ends untrue while nobody is asked. */
export function runExplore(
  label: string,
  machine: Machine,
  command: ExploreCommand,
): { runs: MachineRun[]; isWrong: boolean } {
  const { events, contract, seconds = SECONDS, seed } = command;
  const line = progress();
  const started = Date.now();
  let shownAt = 0;
  const told = new Set<string>();
  const spent = () => (Date.now() - started) / 1_000;
  const runs = exploreMachine(machine, {
    ...(events === undefined ? {} : { events }),
    ...(contract === undefined ? {} : { contracts: [contract] }),
    ...(command.streams === undefined ? {} : { streams: [readStreams(machine, command.streams)] }),
    ...(seed === undefined ? {} : { seed }),
    budget: { now: Date.now, ms: seconds * 1_000 },
    onProgress: (run, { done }) => {
      if (done && command.json !== true) {
        line.clear();
        for (const each of linesOfRun(run, isCounted(run, contract), told)) print(each);
      } else if (!done && Date.now() - shownAt > 200) {
        shownAt = Date.now();
        line.show(`${titleOf(run)}: ${run.states} worlds, ${reachOf(run)}`);
      }
    },
  });
  line.clear();
  const isWrong = runs.some((run) => run.wrong > 0 && isCounted(run, contract));
  if (command.json === true)
    printJson({
      machine: label,
      runs: runs.map((run) => ({ ...run, counts: isCounted(run, contract) })),
      seconds: spent(),
    });
  else for (const each of summaryOf(label, runs, contract, spent())) print(each);
  return { runs, isWrong };
}

/** `payment,payment,shop`: a stream of each kind of object that the machine's types name; a shop tells of its order. */
function readStreams(machine: Machine, written: string): string[] {
  const names = written.split(',').map((name) => (name.trim() === 'shop' ? 'order' : name.trim()));
  const kinds = kindsOf(machine);
  for (const name of names)
    if (!kinds.includes(name) && !(name === 'all' && names.length === 1))
      throw new InorderError(
        'usage',
        `No type of '${machine.name}' speaks of '${name}'.${didYouMean(name, kinds)} ` +
          `There are: ${kinds.join(', ')}; or 'all' for one stream that tells everything.`,
      );
  return names;
}

/** What inorder promises for any table that holds by itself; the rest is told, and counts when it was asked for. */
const isCounted = ({ contract, api }: MachineRun, asked: Contract | undefined): boolean =>
  api || contract === 'sequence' || asked !== undefined;

const PROMISES: Record<Contract, string> = {
  sequence: 'numbers without gaps',
  monotonic: 'versions that only rise',
  unordered: 'no versions',
};

const titleOf = ({ contract, api, streams }: MachineRun): string =>
  `${contract} (${PROMISES[contract]}), the provider ${api ? 'can be asked' : 'cannot be asked'}, ` +
  (streams.length === 1 && streams[0] === 'all' ? 'one stream tells all' : `streams ${streams.join(', ')}`);

function reachOf({ complete, partly, sampled }: MachineRun): string {
  const whole = `every story of up to ${count(complete, 'event')}`;
  const share = partly > 0 ? `, ${Math.floor(100 * partly)} % of those of ${complete + 1}` : '';
  if (sampled.stories === 0) return `${whole}${share}`;
  return `${whole}${share}, and ${count(sampled.stories, 'longer one')} of up to ${sampled.events} by chance`;
}

/** `told`: the stories of the runs before, since most of them find the same one. */
function* linesOfRun(run: MachineRun, isPromised: boolean, told: Set<string>): Generator<string> {
  const { endings, wrong, review, asks, api, pairs, counterexample } = run;
  yield `${wrong === 0 ? 'ok   ' : isPromised ? 'WRONG' : 'wrong'}  ${titleOf(run)}`;
  yield `       looked at: ${reachOf(run)}; ${run.states} worlds, ${endings} endings`;
  yield `       a person is asked in ${percent(review, endings)} of the endings${
    api ? `, the provider ${(asks / Math.max(1, endings)).toFixed(1)} times in each` : ''
  }`;
  if (pairs.length > 0)
    yield `       whether one is asked depends on which comes first: ${pairs.map((pair) => pair.join(' and ')).join('; ')}`;
  if (counterexample === null) return;
  yield `       ends wrong with nobody asked in ${percent(wrong, endings)} of the endings${
    isPromised ? '' : refusalOf(run)
  }:`;
  const { summary, truth } = counterexample;
  const same = [summary, ...truth].join('\n');
  if (told.has(same)) yield `         ${summary} (told above)`;
  else for (const line of linesOf(counterexample)) yield `         ${line}`;
  told.add(same);
}

const refusalOf = ({ contract }: MachineRun): string =>
  contract === 'unordered'
    ? ' (refused by config check: give such a source an API key)'
    : ' (give such a source an API key, or numbers without gaps)';

function percent(part: number, whole: number): string {
  if (part === 0 || whole === 0) return 'none';
  const share = (100 * part) / whole;
  return share < 0.1 ? 'less than 0.1 %' : `${share.toFixed(1)} %`;
}

function* summaryOf(
  label: string,
  runs: MachineRun[],
  contract: Contract | undefined,
  seconds: number,
): Generator<string> {
  const wrong = runs.filter((run) => run.wrong > 0 && isCounted(run, contract));
  const endings = runs.reduce((sum, run) => sum + run.endings, 0);
  const how = `${endings} endings in ${seconds.toFixed(0)} s`;
  if (wrong.length === 0)
    yield `${label}: in none of what counts an order ends wrong with nobody asked (${how}).`;
  else
    yield `${label}: ${wrong.length} of ${count(runs.length, 'run')} ${wrong.length === 1 ? 'has' : 'have'} an order that ends wrong with nobody asked (${how}).`;
}
