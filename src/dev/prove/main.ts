/** `npm run prove`: its words and options; `prove.ts` is what it does. */
import { Command } from 'commander';
import { wholeNumber } from '../../cli/options.ts';
import { exitCodeOf, report } from '../../cli/report.ts';
import { writePage } from './page.ts';
import { objections } from './proof.ts';
import { prove } from './prove.ts';
import { describeProof, toJson } from './report.ts';

interface Flags {
  stories: number;
  seconds?: number;
  seed: number;
  events: number;
  json?: boolean;
  page?: string;
  directory: string;
}

const STORIES = 300;
/** One machine with two cores keeps up with about as many; more at once, and inorder is behind at the end. */
const STORIES_PER_SECOND = 5;
const FEWEST_SECONDS = 5;

async function run({ seconds, json = false, page, ...flags }: Flags): Promise<number> {
  const span = seconds ?? Math.max(FEWEST_SECONDS, Math.ceil(flags.stories / STORIES_PER_SECOND));
  const proof = await prove({ ...flags, seconds: span });
  if ('interrupted' in proof) return proof.interrupted;
  const lines = describeProof(proof);
  const say = json ? process.stderr : process.stdout;
  say.write(`\n${lines.join('\n')}\n`);
  if (page !== undefined) {
    await writePage(page, proof);
    say.write(`Written: ${page}\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify(toJson(proof))}\n`);
  return objections(proof).length === 0 ? 0 : 1;
}

const program = new Command('prove')
  .description('The same stories through inorder and through four handlers as people write them.')
  .option('--stories <n>', 'how many orders', wholeNumber(7, 100_000), STORIES)
  .option(
    '--seconds <n>',
    'over how long they begin (default: a second for each five)',
    wholeNumber(1, 86_400),
  )
  .option('--seed <n>', 'other stories and other troubles', wholeNumber(0, 4_294_967_295), 1)
  .option(
    '--events <n>',
    'in memory, beside: lives of so many events in every sequence',
    wholeNumber(1, 5),
    4,
  )
  .option('--json', 'the last line on stdout is the result as JSON')
  .option('--page <file>', 'write the result as a page')
  .option(
    '--directory <folder>',
    'where its files lie; a proof beside a proof needs another',
    '.inorder/prove',
  )
  .action(async (flags: Flags) => {
    process.exitCode = await run(flags);
  });

try {
  await program.parseAsync(process.argv);
} catch (thrown) {
  report(thrown);
  process.exitCode = exitCodeOf(thrown);
}
