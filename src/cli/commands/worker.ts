import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig } from '../options.ts';
import type { ConfigOption } from '../options.ts';

export function addWorker(program: Command): void {
  const command = program
    .command('worker')
    .description('Decides orders, runs effects, asks providers, finds stuck work. Any number may run.')
    .action(async (options: ConfigOption) => {
      const { startFromFile } = await import('../start-from-file.ts');
      const { config, environment } = await startFromFile(options);
      const { runWorker } = await import('../../processes/worker.ts');
      await runWorker(config, environment);
    });
  examples(withConfig(command), [
    ['MYSQL_URL=… TEMPORAL_ADDRESS=… inorder worker', 'works until it is stopped'],
  ]);
}
