import type { Command } from 'commander';
import { count } from '../count.ts';
import { EXIT } from '../report.ts';
import { examples } from '../examples.ts';
import type { ExploreCommand } from '../run-explore.ts';
import { choice, wholeNumber, withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';
import { addMachineDraw } from './machine-draw.ts';

interface CheckOptions extends ConfigOption, JsonOption, ExploreCommand {
  explore?: boolean;
  against?: string[];
  out?: string;
}

export function addMachine(program: Command): void {
  const machine = program.command('machine').description('Checks and draws the transition table.');

  const check = machine
    .command('check [name]')
    .description('Checks the machines of the configuration; needs no secrets and no database.')
    .option('--against <file...>', 'tell which cells no story of these files or folders has touched')
    .option('--explore', 'look for stories that the table ends wrong while nobody is asked')
    .option('--events <n>', 'the longest stories to look at (default: 6)', wholeNumber(1, 12))
    .addOption(
      choice('--contract <contract>', 'what the versions promise (default: each)', [
        'sequence',
        'monotonic',
        'unordered',
      ]),
    )
    .option(
      '--streams <kinds>',
      "who tells, as payment,payment,shop; or 'all' for one stream (default: each way)",
    )
    .option('--out <dir>', 'write what it finds as stories for `inorder scenario run`')
    .option('--seconds <n>', 'how long to look (default: 60)', wholeNumber(1, 86_400))
    .option('--seed <n>', 'which longer stories are drawn (default: 1)', wholeNumber(0, 4_294_967_295))
    .action(async (name: string | undefined, options: CheckOptions) => {
      const { print, printJson, say } = await import('../print.ts');
      const { InorderError } = await import('../../errors.ts');
      const { readMachines } = await import('../read-machines.ts');
      const { summarise } = await import('../../ordering/check/summary.ts');
      const { explore, events, contract, streams, seconds, seed, out } = options;
      if (
        explore !== true &&
        [events, contract, streams, seconds, seed, out].some((given) => given !== undefined)
      )
        throw new InorderError(
          'usage',
          '--events, --contract, --streams, --seconds, --seed and --out go with --explore.',
        );
      const found = await readMachines(options, name);
      const isWrong = found.some(({ compiled }) => 'problems' in compiled);
      if (isWrong) process.exitCode = EXIT.failed;
      for (const { label, compiled } of found) {
        if ('problems' in compiled) {
          if (options.json) printJson({ machine: label, problems: compiled.problems });
          else for (const problem of compiled.problems) say(`${label}: ${problem}`);
          continue;
        }
        if (options.explore === true) {
          const { runExplore } = await import('../run-explore.ts');
          const { runs, isWrong: isFound } = runExplore(label, compiled.machine, options);
          if (isFound) process.exitCode = EXIT.failed;
          if (out !== undefined) {
            const { saveCounterexamples } = await import('../save-counterexamples.ts');
            await saveCounterexamples(compiled.machine, runs, out);
          }
          continue;
        }
        if (options.against !== undefined) {
          const { runAgainst } = await import('../run-against.ts');
          if (!(await runAgainst(compiled.machine, options.against, options))) process.exitCode = EXIT.failed;
          continue;
        }
        const summary = summarise(compiled.machine);
        if (options.json) {
          printJson({ machine: label, problems: [], ...summary });
          continue;
        }
        const { cells } = summary;
        print(`${label} version ${summary.version}: ok`);
        print(
          `  ${count(summary.statuses, 'status', 'statuses')}, ${count(summary.types, 'type')}, ${count(summary.effects, 'effect')}`,
        );
        print(
          `  cells: ${count(cells.step, 'step')}, ${cells.ignore} ignored, ${cells.stay} stay, ${cells.review} to a person, ` +
            `${cells.split} split in own and other, ${cells.unlisted} not listed (${summary.unlisted ?? 'none'})`,
        );
      }
      if (isWrong && !options.json) say('Refused. docs/machine.md explains each rule.');
    });
  examples(withJson(withConfig(check)), [
    ['inorder machine check', 'every machine of the configuration'],
    ['inorder machine check order --json', 'one of them, one JSON line each'],
    ['inorder machine check order --against stories/', 'what the stories of a folder leave untried'],
    ['inorder machine check order --explore', 'can it end wrong? A minute of every story, in every order'],
  ]);

  addMachineDraw(machine);
}
