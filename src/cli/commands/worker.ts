import { Option } from 'commander';
import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig } from '../options.ts';
import type { ConfigOption } from '../options.ts';

interface WorkerCommandOptions extends ConfigOption {
  replaceMachines?: boolean;
}

export function addWorker(program: Command): void {
  const command = program
    .command('worker')
    .description('Decides orders, runs effects, asks providers, finds stuck work. Any number may run.')
    // `inorder dev` passes it while a table is being written; in production a changed table gets a new version.
    .addOption(new Option('--replace-machines').hideHelp())
    .action(async (options: WorkerCommandOptions) => {
      const { startFromFile } = await import('../start-from-file.ts');
      const { config, environment } = await startFromFile(options);
      const { runWorker } = await import('../../processes/worker.ts');
      await runWorker(config, environment, { replaceMachines: options.replaceMachines ?? false });
    });
  examples(withConfig(command), [
    ['MYSQL_URL=… TEMPORAL_ADDRESS=… inorder worker', 'works until it is stopped'],
  ]);
}
