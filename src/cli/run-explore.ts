/** `machine check --explore`: the model checker's runs over one machine, told in words or as one JSON line. */
import { exploreMachine } from '../ordering/check/explore-machine.ts';
import type { Machine } from '../ordering/machine.ts';
import { printJson } from './print.ts';

/** True when no run found an order that ends untrue while nobody is asked. */
export function runExplore(label: string, machine: Machine): boolean {
  const started = Date.now();
  const runs = exploreMachine(machine);
  printJson({ machine: label, runs, seconds: (Date.now() - started) / 1_000 });
  return runs.every(({ wrong }) => wrong === 0);
}
