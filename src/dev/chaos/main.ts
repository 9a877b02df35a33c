/** `npm run chaos`: its options, and how it ends. Exit status 1 if anything was lost, wrong, doubled or missing. */
import { join, relative, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { count } from '../../cli/count.ts';
import { wholeNumber } from '../../cli/options.ts';
import { InorderError } from '../../errors.ts';
import { catchInterrupt } from '../interrupt.ts';
import { dropOwnVariables } from '../own-variables.ts';
import { Progress } from '../progress.ts';
import { ownDirectory } from '../services/owned-directory.ts';
import { describeFault, FAULT_KINDS, type FaultKind } from './fault.ts';
import { planFaults } from './plan.ts';
import { playChaos } from './play.ts';
import { describe, isRight, toJson } from './report.ts';
import { commandOf, type ChaosRun } from './run.ts';
import { shrink } from './shrink.ts';

interface Options {
  minutes: number;
  seed: number;
  orders?: number;
  only?: FaultKind[];
  plan?: boolean;
  json?: boolean;
  shrink: number;
  directory: string;
}

const ORDERS_PER_MINUTE = 60;
const SHRINK_MINUTES = 10;

const program = new Command('chaos')
  .description(
    'Kills, freezes, cuts and fills up everything under a storm of signed webhooks, and counts what came out.',
  )
  .option('--minutes <n>', 'how long faults fall', minutes, 1)
  .option('--seed <n>', 'another storm and other faults', wholeNumber(0, 4_294_967_295), 1)
  .option('--orders <n>', `how many orders (default: ${ORDERS_PER_MINUTE} a minute)`, wholeNumber(1, 100_000))
  .option('--only <kinds>', `faults of these kinds alone: ${FAULT_KINDS.join(', ')}`, kindsIn)
  .option(
    '--shrink <minutes>',
    'of a failing run: how long shorter ones are tried',
    wholeNumber(0, 1_440),
    SHRINK_MINUTES,
  )
  .option('--plan', 'print which fault falls when, and do nothing')
  .option('--json', 'the last line on stdout is the result as JSON')
  .option('--directory <folder>', 'where its files lie; a run beside a run needs another', '.inorder/chaos')
  .action(async (options: Options) => {
    process.exitCode = await run(options);
  });

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${InorderError.from(error).message}\n`);
  process.exitCode = 1;
}

async function run(options: Options): Promise<number> {
  const wanted: ChaosRun = {
    seed: options.seed,
    minutes: options.minutes,
    orders: options.orders ?? Math.ceil(options.minutes * ORDERS_PER_MINUTE),
    only: options.only ?? null,
  };
  if (options.plan === true) {
    const plan = planFaults({ ...wanted, durationMs: wanted.minutes * 60_000 });
    for (const fault of plan) {
      process.stdout.write(`${(fault.atMs / 1_000).toFixed(1).padStart(7)} s  ${describeFault(fault)}\n`);
    }
    return 0;
  }
  dropOwnVariables(process.env);
  const progress = new Progress();
  const interrupt = catchInterrupt(() => progress.say('stopping …'));
  const directory = resolve(options.directory);
  const owned = await ownDirectory(directory, 'start this run with --directory and another folder');
  try {
    progress.say(
      `Chaos of seed ${wanted.seed}: ${wanted.minutes} min, ${count(wanted.orders, 'order')}; ` +
        'two receivers, two workers, a database and a Temporal of its own.',
    );
    const outcome = await playChaos(wanted, { directory, progress, signal: interrupt.signal });
    const say = (line: string) =>
      options.json === true ? progress.say(line) : process.stdout.write(`${line}\n`);
    for (const line of ['', ...describe(outcome)]) say(line);
    if (!isRight(outcome)) {
      for (const line of ['', `Again: ${commandOf(wanted)}`, `Its logs are in ${relative('', directory)}/.`])
        say(line);
      const shortest = await shrink(wanted, {
        limitMs: options.shrink * 60_000,
        // Apart, so that the logs of this run stay.
        fails: (run) =>
          fails(run, { directory: join(directory, 'shorter'), progress, signal: interrupt.signal }),
        onTry: (run) => progress.say(`Shorter? ${commandOf(run)}`),
      });
      if (shortest !== wanted) say(`The shortest run that failed, too: ${commandOf(shortest)}`);
    }
    if (options.json === true) process.stdout.write(`${JSON.stringify(toJson(outcome))}\n`);
    return isRight(outcome) ? 0 : 1;
  } catch (error) {
    if (interrupt.status !== null) return interrupt.status;
    progress.say(`Again: ${commandOf(wanted)}`);
    throw error;
  } finally {
    await owned.release();
    interrupt.release();
  }
}

/** One that cannot be played to its end proves nothing. */
async function fails(wanted: ChaosRun, options: Parameters<typeof playChaos>[1]): Promise<boolean> {
  try {
    return !isRight(await playChaos(wanted, options));
  } catch (error) {
    if (options.signal.aborted) throw error;
    options.progress.say(`  not played: ${InorderError.from(error).message}`);
    return false;
  }
}

function minutes(text: string): number {
  const value = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 1_440) return value;
  throw new InvalidArgumentError('It must be a number of minutes, such as 20 or 0.5.');
}

function kindsIn(text: string): FaultKind[] {
  return text.split(',').map((name) => {
    const kind = FAULT_KINDS.find((known) => known === name.trim());
    if (kind === undefined)
      throw new InvalidArgumentError(`There is no fault '${name}'; there are ${FAULT_KINDS.join(', ')}.`);
    return kind;
  });
}
