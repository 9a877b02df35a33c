import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig, withJson, withPerson } from '../options.ts';
import type { RestoredOptions } from '../run-restored.ts';
import { parseInstant } from '../time.ts';

export function addRestored(program: Command): void {
  const command = program
    .command('restored')
    .description(
      'Says which time was lost when the database was brought back from a backup: effects go on, orders ask, what may have been done is given to a person.',
    )
    .requiredOption('--from <when>', 'of when the backup is, or so long ago', parseInstant)
    .requiredOption('--to <when>', 'until when the old database ran', parseInstant)
    .option('--dry-run', 'change nothing, and say what would follow')
    .option('--yes', 'do not ask')
    .action(async (options: RestoredOptions) => {
      const { runRestored } = await import('../run-restored.ts');
      await runRestored(options);
    });
  examples(withJson(withPerson(withConfig(command)), 'print the result as JSON'), [
    [
      'inorder restored --from 2026-12-01T02:00:00Z --to 2026-12-01T09:30:00Z --reason "disk lost" --dry-run',
      'what would follow',
    ],
    ['inorder restored --from 8h --to 30m --reason "disk lost" --yes', 'without a terminal'],
  ]);
}
