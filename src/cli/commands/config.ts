import type { Command } from 'commander';
import { count } from '../count.ts';
import { EXIT } from '../report.ts';
import { examples } from '../examples.ts';
import { withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';

export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('Checks and shows the configuration.');

  const check = config
    .command('check')
    .description('Finds everything that would stop a start: environment, variables, fields, names, machines.')
    .action(async (options: ConfigOption & JsonOption) => {
      const { print, printJson, say } = await import('../print.ts');
      const { readEnvironment } = await import('../../config/environment.ts');
      const { checkConfigFile } = await import('../../config/load.ts');
      const { sharedOrders } = await import('../../config/show.ts');
      const { unsaidTypes } = await import('../../config/unsaid-types.ts');
      const { configFileOf } = await import('../config-file.ts');
      const file = configFileOf(options);
      const read = readEnvironment(process.env);
      const checked = await checkConfigFile(file);
      const ofEnvironment = 'problems' in read ? read.problems : [];
      const ofFile = 'problems' in checked ? checked.problems : [];
      const problems = [...ofEnvironment, ...ofFile];
      if (problems.length > 0) process.exitCode = EXIT.failed;
      const orders = 'config' in checked ? sharedOrders(checked.config) : [];
      const notes = 'config' in checked ? unsaidTypes(checked.config) : [];
      if (options.json) return printJson({ file, ok: problems.length === 0, problems, notes, orders });
      if ('config' in checked) {
        const { sources, effects, machines } = checked.config;
        print(`${file}: ok`);
        print(
          `  ${count(machines.size, 'machine')}, ${count(sources.size, 'source')}, ${count(effects.size, 'effect')}`,
        );
        // Two that should tell of the same orders and do not are seen here, and nowhere sooner.
        for (const shared of orders) print(`  orders of ${shared.orders} from ${shared.sources.join(', ')}`);
        for (const note of notes) print(`  note: ${note}`);
      }
      if (ofEnvironment.length === 0) print('environment: ok');
      for (const problem of ofEnvironment) say(`environment: ${problem}`);
      for (const problem of ofFile) say(problem);
      if (ofEnvironment.length > 0) say(`${ofEnvironment.length} to mend in the environment.`);
      if (ofFile.length > 0) say(`${ofFile.length} to mend in ${file}.`);
      if (problems.length > 0) say('docs/configuration.md lists every field and variable.');
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
      const loaded = await loadConfig(options.config ?? environment.configFile, process.env, {
        skipsProofs: true,
      });
      const shown = { ...showConfig(loaded), variables: showEnvironment(environment) };
      if (options.json) printJson(shown);
      else print(JSON.stringify(shown, null, 2));
    });
  examples(withJson(withConfig(show)), [['inorder config show', 'what is in force, defaults too']]);
}
