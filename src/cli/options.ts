/** Options that several commands share, declared and read in one way. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

export interface ConfigOption {
  config?: string;
}
export interface JsonOption {
  json?: boolean;
}

export interface PersonOption {
  actor?: string;
  reason: string;
}

export const withConfig = (command: Command): Command =>
  command.addOption(
    new Option('-c, --config <file>', 'configuration file (default: INORDER_CONFIG or inorder.config.ts)'),
  );

export const withJson = (command: Command, what = 'print JSON on stdout'): Command =>
  command.option('--json', what);

/** Whoever decides says who and why: both are journalled. */
export const withPerson = (command: Command): Command =>
  command
    .requiredOption('--reason <text>', 'why; it is journalled')
    .option('--actor <name>', 'who decides (default: the user of this system)');

export const choice = (flags: string, description: string, choices: string[], byDefault?: string): Option => {
  const option = new Option(flags, description).choices(choices);
  return byDefault === undefined ? option : option.default(byDefault);
};

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}
