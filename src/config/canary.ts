/**
 * The canary: an order of nobody, through a source of its own, by which `inorder doctor` sees the whole way of a
 * webhook work. Its machine, its environment and its source have names that no configuration may use, its machine
 * has no effects, and what it leaves behind is taken away again: it never mixes with real orders.
 */
import { defineMachine, ignore } from '../ordering/machine.ts';
import { sandbox } from '../providers/sandbox.ts';
import { InorderError } from '../errors.ts';
import { checkConfig } from './check.ts';
import type { Config, ConfiguredMachine, Source } from './resolved.ts';

/** Of the source; the name of what inorder itself does. */
export const CANARY_SOURCE = 'inorder';
const ENVIRONMENT = 'inorder-doctor';
const MACHINE = 'inorder-canary';

const machine = defineMachine({
  name: MACHINE,
  version: 1,
  initial: 'new',
  statuses: { new: {}, seen: {} },
  effects: {},
  on: { 'order.created': { new: 'seen', else: ignore('seen before') } },
});

/** Its rows come and go: that some are missing proves nothing. */
export const isCanary = ({ environment }: { environment: string }): boolean => environment === ENVIRONMENT;

export interface Canary {
  source: Source;
  machine: ConfiguredMachine;
}

export function createCanary(secret: string): Canary {
  const checked = checkConfig(
    {
      machines: [machine],
      effects: {},
      sources: {
        canary: {
          provider: sandbox.name,
          environment: ENVIRONMENT,
          machine: MACHINE,
          secrets: [{ id: 'canary', value: secret }],
          unknownTypes: 'reject',
        },
      },
    },
    '',
    {},
  );
  const source = 'config' in checked ? checked.config.sources.get('canary') : undefined;
  const entered = 'config' in checked ? checked.config.machines.get(MACHINE) : undefined;
  if (!source || !entered) throw new InorderError('internal', 'the canary does not hold');
  return {
    source: { ...source, name: CANARY_SOURCE, settings: { ...source.settings, name: CANARY_SOURCE } },
    machine: entered,
  };
}

/** A configuration that takes the canary beside its own sources. */
export function withCanary(config: Config, secret: string): Config {
  const { source, machine: entered } = createCanary(secret);
  return {
    ...config,
    machines: new Map([...config.machines, [entered.machine.name, entered]]),
    sources: new Map([...config.sources, [source.name, source]]),
  };
}
