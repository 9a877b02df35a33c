import { resolve } from 'node:path';
import type { Command } from 'commander';
import { EXIT } from '../report.ts';
import { examples } from '../examples.ts';
import { withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';

export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('Checks and shows the configuration.');

  const check = config
    .command('check')
    .description('Finds everything that would stop a start: variables, fields, names, machines.')
    .action(async (options: ConfigOption & JsonOption) => {
      const { print, printJson, say } = await import('../print.ts');
      const { loadEnvironmentWithoutStore } = await import('../../config/environment.ts');
      const { importConfig } = await import('../../config/load.ts');
      const { checkConfig } = await import('../../config/check.ts');
      const environment = loadEnvironmentWithoutStore(process.env);
      const file = resolve(options.config ?? environment.configFile);
      const checked = checkConfig(await importConfig(file), file, process.env);
      const problems = 'problems' in checked ? checked.problems : [];
      if (problems.length > 0) process.exitCode = EXIT.failed;
      if (options.json) return printJson({ file, ok: problems.length === 0, problems });
      if ('config' in checked) {
        const { sources, effects, machines } = checked.config;
        print(`${file}: ok`);
        print(`  ${machines.size} machines, ${sources.size} sources, ${effects.size} effects`);
        return;
      }
      for (const problem of problems) say(problem);
      say(`${problems.length} to mend in ${file}; docs/configuration.md lists every field.`);
    });
  examples(withJson(withConfig(check)), [['inorder config check', 'before a deployment']]);

  const show = config
    .command('show')
    .description('Prints the configuration and the environment with all defaults, without secrets.')
    .action(async (options: ConfigOption & JsonOption) => {
      const { print, printJson } = await import('../print.ts');
      const { loadEnvironmentWithoutStore } = await import('../../config/environment.ts');
      const { loadConfig } = await import('../../config/load.ts');
      const { showConfig, showEnvironment } = await import('../../config/show.ts');
      const environment = loadEnvironmentWithoutStore(process.env);
      const loaded = await loadConfig(options.config ?? environment.configFile);
      const shown = { ...showConfig(loaded), variables: showEnvironment(environment) };
      if (options.json) printJson(shown);
      else print(JSON.stringify(shown, null, 2));
    });
  examples(withJson(withConfig(show)), [['inorder config show', 'what is in force, defaults too']]);
}
