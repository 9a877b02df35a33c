import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig } from '../options.ts';
import type { ConfigOption } from '../options.ts';

export function addReceiver(program: Command): void {
  const command = program
    .command('receiver')
    .description('Receives webhooks: checks, stores and answers them. Any number may run.')
    .action(async (options: ConfigOption) => {
      const { startFromFile } = await import('../start-from-file.ts');
      const { config, environment } = await startFromFile(options, { skipsProofs: true });
      const { runReceiver } = await import('../../processes/receiver.ts');
      await runReceiver(config, environment);
    });
  examples(withConfig(command), [['MYSQL_URL=… inorder receiver', 'listens on INORDER_PORT (8080)']]);
}
