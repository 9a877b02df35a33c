import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { choice, wholeNumber, withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';
import { EXIT } from '../report.ts';

interface SimulateCommandOptions extends ConfigOption, JsonOption {
  order?: string;
  count: number;
  rate?: number;
  story?: 'duplicate' | 'reordered' | 'late' | 'forged' | 'lost';
  to?: string;
  seed?: string;
  directory: string;
  yes?: boolean;
}

export function addSimulate(program: Command): void {
  const command = program
    .command('simulate <source> <type>')
    .description(
      "Sends signed webhooks in a provider's real shape: one of its types with what leads to it, or 'life', a whole order's.",
    )
    .option('--order <id>', "the order's id (default: a new one each time)")
    .option('--count <n>', 'so many orders', wholeNumber(1, 10_000), 1)
    .option(
      '--rate <n>',
      'deliveries per second (default: one order a step a second, several as fast as they are answered)',
      wholeNumber(1, 1_000),
    )
    .addOption(
      choice('--story <story>', 'as on a bad day', ['duplicate', 'reordered', 'late', 'forged', 'lost']),
    )
    .option('--to <url>', "a receiver's address (default: the one on this machine)")
    .option('--seed <text>', 'the same ids and the same chance again')
    .option('--directory <folder>', 'where an `inorder dev` that is up keeps its files', '.inorder/dev')
    .option('--yes', 'for another machine, or with --order for the environment live')
    .action(async (source: string, type: string, options: SimulateCommandOptions) => {
      const { runSimulate } = await import('../run-simulate.ts');
      const isRight = await runSimulate(source, type, options);
      if (!isRight) process.exitCode = EXIT.failed;
    });
  examples(withJson(withConfig(command), 'one JSON line for each delivery'), [
    ['inorder simulate stripe life', 'paid at the second try, refunded, disputed'],
    ['inorder simulate stripe charge.refunded --order 1042', 'a payment and its refund'],
    ['inorder simulate stripe life --story reordered', 'the same, shuffled'],
    ['inorder simulate shop order.created --count 100 --rate 20', 'some load'],
  ]);
}
