/**
 * The list of commands. Each lives in a file of its own that declares its words and options; what it runs is
 * imported only when it runs, so that help is quick and never loads a database or Temporal.
 */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addConfigCommand } from './commands/config.ts';
import { addDemo } from './commands/demo.ts';
import { addDev } from './commands/dev.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEffects } from './commands/effects.ts';
import { addEvents } from './commands/events.ts';
import { addInit } from './commands/init.ts';
import { addMachine } from './commands/machine.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOrders } from './commands/orders.ts';
import { addReceiver } from './commands/receiver.ts';
import { addReconcile } from './commands/reconcile.ts';
import { addRestored } from './commands/restored.ts';
import { addScenario } from './commands/scenario.ts';
import { addSimulate } from './commands/simulate.ts';
import { addVerify } from './commands/verify.ts';
import { addWorker } from './commands/worker.ts';
import { examples } from './examples.ts';

export function createProgram(): Command {
  const program = new Command('inorder')
    .description('Makes webhooks safe to act on: receives, orders, de-duplicates and reconciles them.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('(--help shows examples and options)')
    .exitOverride();
  examples(program, [
    ['inorder demo', 'a storm of webhooks against a private stack'],
    ['inorder config check', 'is everything in order before a start?'],
    ['inorder orders show 1042', 'what happened to an order'],
  ]);
  addDemo(program);
  addInit(program);
  addDev(program);
  addReceiver(program);
  addWorker(program);
  addMigrate(program);
  addDoctor(program);
  addMachine(program);
  addConfigCommand(program);
  addOrders(program);
  addEvents(program);
  addEffects(program);
  addReconcile(program);
  addRestored(program);
  addVerify(program);
  addSimulate(program);
  addScenario(program);
  program.addHelpText('after', '\nExit status: 0 ok, 1 failed, 2 usage, 3 nothing matched.');
  return program;
}

function packageVersion(): string {
  // Two folders up from src/cli, three from dist/src/cli.
  const up = import.meta.url.endsWith('.ts') ? '../../package.json' : '../../../package.json';
  return (JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string }).version;
}
