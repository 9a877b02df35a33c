import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';
import { EXIT } from '../report.ts';

interface RunOptions extends ConfigOption, JsonOption {
  keep?: boolean;
}

export function addScenario(program: Command): void {
  const scenario = program
    .command('scenario')
    .description('Plays stories: what is told, and what must come of it.');
  const run = scenario
    .command('run <file...>')
    .description(
      'Plays stories (files, or folders of them) against the real thing and compares how they end.',
    )
    .option('--keep', 'leave the servers up afterwards, and say where to look')
    .action(async (files: string[], options: RunOptions) => {
      const { runScenarios } = await import('../run-scenarios.ts');
      const isRight = await runScenarios(files, options);
      if (!isRight) process.exitCode = EXIT.failed;
    });
  examples(withJson(withConfig(run), 'one JSON line for each story'), [
    ['inorder scenario run stories/', 'all stories of a folder'],
    ['inorder scenario run stories/late-refund.yaml --keep', 'one, to look around in afterwards'],
  ]);
}
