import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';
import { parseInstant } from '../time.ts';

interface ReconcileOptions extends ConfigOption, JsonOption {
  since: number;
  until?: number;
  dryRun?: boolean;
}

export function addReconcile(program: Command): void {
  const command = program
    .command('reconcile <source>')
    .description(
      "Reads what a source's provider lists of a time, and lets in what no webhook brought; a worker does the work.",
    )
    .requiredOption('--since <when>', "from this instant on, or so long ago ('26h')", parseInstant)
    .option('--until <when>', 'until then (default: now)', parseInstant)
    .option('--dry-run', 'store nothing, and count what would be found')
    .action(async (name: string, options: ReconcileOptions) => {
      const { since, until = Date.now(), dryRun = false } = options;
      const { runReconcile } = await import('../run-reconcile.ts');
      await runReconcile(name, { sinceMs: since, untilMs: until, isDryRun: dryRun }, options);
    });
  examples(withJson(withConfig(command), 'print the result as JSON'), [
    ['inorder reconcile stripe --since 26h --dry-run', 'what would be found'],
    ['inorder reconcile stripe --since 2026-11-30T08:00:00Z --until 2026-11-30T12:00:00Z', 'an outage'],
    ['inorder reconcile shop --since 1h --json', 'for a script'],
  ]);
}
