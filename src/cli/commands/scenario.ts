import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';
import { EXIT } from '../report.ts';

interface RunOptions extends ConfigOption, JsonOption {
  keep?: boolean;
  pure?: boolean;
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
    .option('--pure', 'in memory and in virtual time: no servers, no crashes, milliseconds for each')
    .action(async (files: string[], options: RunOptions) => {
      if (options.pure === true) {
        const { runPure } = await import('../run-pure.ts');
        if (!(await runPure(files, options))) process.exitCode = EXIT.failed;
        return;
      }
      const { runScenarios } = await import('../run-scenarios.ts');
      process.exitCode = await runScenarios(files, options);
    });
  const schema = scenario
    .command('schema')
    .description('Prints the format of a story as JSON Schema, by which editors complete and explain it.')
    .action(async () => {
      const { storyJsonSchema } = await import('../../dev/scenario/format/json-schema.ts');
      const { print } = await import('../print.ts');
      print(JSON.stringify(storyJsonSchema(), null, 2));
    });
  examples(schema, [['inorder scenario schema > scenario.schema.json', 'beside your stories']]);
  examples(withJson(withConfig(run), 'one JSON line for each story'), [
    ['inorder scenario run stories/', 'all stories of a folder'],
    ['inorder scenario run stories/ --pure', 'the same in memory, within a second'],
    ['inorder scenario run stories/late-refund.yaml --keep', 'one, to look around in afterwards'],
  ]);
}
