import { resolve } from 'node:path';
import { loadEnvironmentWithoutStore } from '../config/environment.ts';
import { importConfig } from '../config/load.ts';
import { InorderError } from '../errors.ts';
import { compileMachine } from '../ordering/compile-machine.ts';
import type { CompiledMachine } from '../ordering/compile-machine.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import type { MachineDefinition } from '../ordering/machine.ts';
import type { ConfigOption } from './options.ts';

export interface ReadMachine {
  label: string;
  compiled: CompiledMachine;
}

/** The machines of a configuration file and nothing else of it, so that no secret has to be there. */
export async function readMachineDefinitions(options: ConfigOption): Promise<MachineDefinition[]> {
  const file = resolve(options.config ?? loadEnvironmentWithoutStore(process.env).configFile);
  const { machines } = (await importConfig(file)) as { machines?: unknown };
  if (Array.isArray(machines) && machines.length > 0) return machines as MachineDefinition[];
  throw new InorderError(
    'config_invalid',
    `${file} lists no machines; write machines: [defineMachine({ … })]`,
  );
}

/** The same, checked: all, or the one of this name. */
export async function readMachines(options: ConfigOption, name: string | undefined): Promise<ReadMachine[]> {
  const machines = await readMachineDefinitions(options);
  const found = machines.map((definition, index) => ({
    label: labelOf(definition, index),
    compiled: compileMachine(definition),
  }));
  if (name === undefined) return found;
  const named = found.filter(({ label }) => label === name);
  if (named.length > 0) return named;
  const labels = found.map(({ label }) => label);
  throw new InorderError(
    'usage',
    `There is no machine '${name}'.${didYouMean(name, labels) || ` There are: ${labels.join(', ')}.`}`,
  );
}

function labelOf(definition: unknown, index: number): string {
  const name = (definition as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : `machines[${index}]`;
}
