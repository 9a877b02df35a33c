import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';

export function addMigrate(program: Command): void {
  const command = program
    .command('migrate')
    .description('Brings the tables of the database to this version.')
    .option('--dry-run', 'only say what would be applied')
    .action(async (options: JsonOption & { dryRun?: boolean }) => {
      const { print, printJson, say } = await import('../print.ts');
      const { withStore } = await import('../with-store.ts');
      const { migrate } = await import('../../store/migrate.ts');
      const dryRun = options.dryRun ?? false;
      const { applied } = await withStore((store) => migrate(store, { dryRun }));
      if (options.json) return printJson({ dryRun, applied });
      for (const name of applied) print(name);
      if (applied.length === 0) say('Nothing to do: the tables are those of this version.');
      else say(dryRun ? `${applied.length} to be applied.` : `${applied.length} applied.`);
    });
  examples(withJson(command), [
    ['inorder migrate --dry-run', 'what would be applied'],
    ['inorder migrate', 'apply it; safe to run again and from many places'],
  ]);
}
