import type { Command } from 'commander';
import type { GivenAnswers } from '../../init/answers.ts';
import type { Initialised } from '../../init/init.ts';
import { examples } from '../examples.ts';
import { choice, withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';

interface InitCommandOptions extends JsonOption, Partial<GivenAnswers> {
  apiKey: boolean;
  force?: boolean;
}

export function addInit(program: Command): void {
  const command = program
    .command('init [directory]')
    .description(
      'Writes a project of your own: configuration, table, .env. Asks three questions, or takes flags.',
    )
    // Named here as well as in src/init, which help does not load.
    .addOption(choice('--provider <name>', 'who sends', ['stripe', 'standard-webhooks', 'sandbox']))
    .option('--environment <name>', 'live, test, …; orders of different ones never meet')
    .option('--order-path <path...>', "dot paths to the order's id; the first that is there counts")
    .option(
      '--path <name=path...>',
      'standard-webhooks: where id, type, object, version, time are in the body',
    )
    .option('--no-api-key', 'the provider cannot be asked: a table that holds in any order of arrival')
    .option('--yes', 'take what is usual for whatever is not given')
    .option('--force', 'overwrite configuration and table; never .env')
    .action(async (directory: string | undefined, options: InitCommandOptions) => {
      const { printJson } = await import('../print.ts');
      const { loadEnvironmentWithoutStore } = await import('../../config/environment.ts');
      const { init } = await import('../../init/init.ts');
      const { withTerminal } = await import('../ask-at-terminal.ts');
      const { force = false, json = false, yes = false, ...given } = options;
      const initialised = await withTerminal((ask) =>
        init({
          directory: directory ?? '.',
          given: { ...given, yes },
          ask,
          force,
          publicUrl: loadEnvironmentWithoutStore(process.env).publicUrl,
          nowMs: Date.now(),
        }),
      );
      if (json) printJson(initialised);
      else await tell(initialised);
    });
  examples(withJson(command), [
    ['inorder init shop', 'asks, and writes into the folder shop'],
    ['inorder init --provider stripe --environment test --order-path metadata.order_id', 'asks nothing'],
  ]);
}

async function tell({ files, next }: Initialised): Promise<void> {
  const { colours, print, say } = await import('../print.ts');
  for (const { path, done } of files) say(`${done.padEnd(8)}  ${path}`);
  print('');
  print('Give the provider this address (in front of it INORDER_PUBLIC_URL, when it is set):');
  for (const url of next.urls) print(`  ${colours.bold(url)}`);
  print('');
  print('It should send:');
  for (const line of wrapped(next.events.join('  '), 96)) print(`  ${line}`);
  if (next.toFillIn.length > 0) {
    print('');
    print(`Fill in ${next.toFillIn.join(' and ')} in .env; until then \`inorder dev\` makes them up.`);
  }
  print('');
  print('Then:');
  for (const line of next.commands) print(`  ${colours.bold(line)}`);
  print(`Nobody sends yet? ${next.withoutProvider.join(', and beside it ')}`);
  print('After the first 20 events it says how many found no order, and which field to set.');
}

function wrapped(text: string, width: number): string[] {
  return (text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)`, 'g')) ?? []).map((line) => line.trimEnd());
}
