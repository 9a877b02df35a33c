import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withJson, wholeNumber } from '../options.ts';
import type { JsonOption } from '../options.ts';

interface DemoCommandOptions extends JsonOption {
  exit?: boolean;
  orders: number;
  seed: number;
  kill?: boolean;
  directory: string;
}

export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .description('Sends a storm of shuffled, repeated, lost and forged webhooks, and shows what came out.')
    .option('--exit', 'end when the storm is over; status 1 if an order differs from the truth')
    .option('--orders <n>', 'how many orders', wholeNumber(1, 100_000), 300)
    .option('--seed <n>', 'another storm', wholeNumber(0, 4_294_967_295), 1)
    .option('--kill', 'kill receiver and worker three times each while something is unsettled')
    .option(
      '--directory <folder>',
      'where its files lie; a demo beside a demo needs another',
      '.inorder/demo',
    )
    .action(async (options: DemoCommandOptions) => {
      const { runDemo } = await import('../../dev/demo.ts');
      const { exit = false, kill = false, json = false, orders, seed, directory } = options;
      process.exitCode = await runDemo({ exit, kill, json, orders, seed, directory });
    });
  examples(withJson(command, 'the last line on stdout is the result as JSON'), [
    ['inorder demo', 'watch it, then look around; Ctrl-C ends it'],
    ['inorder demo --exit --orders 300 --kill', 'as a check'],
  ]);
}
