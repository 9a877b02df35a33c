import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig } from '../options.ts';
import type { ConfigOption } from '../options.ts';

interface DevCommandOptions extends ConfigOption {
  directory: string;
  fresh?: boolean;
  standIn?: boolean;
}

export function addDev(program: Command): void {
  const command = program
    .command('dev')
    .description('Runs receiver and worker with your configuration and private services, for development.')
    .option('--directory <folder>', 'where its data and logs lie', '.inorder/dev')
    .option('--fresh', 'begin with an empty database and an empty Temporal; only private ones are emptied')
    .option('--stand-in', "play the providers' APIs, too: no account is needed, and no real API is asked")
    .action(async ({ config, directory, fresh = false, standIn = false }: DevCommandOptions) => {
      const { runDev } = await import('../../dev/dev.ts');
      process.exitCode = await runDev({ configFile: config ?? null, directory, fresh, standIn });
    });
  examples(withConfig(command), [
    ['inorder dev', 'uses MYSQL_URL and TEMPORAL_ADDRESS when they are set'],
    ['inorder dev --stand-in', 'without an account of a provider; then: inorder simulate'],
  ]);
}
