/** A machine, handlers and a wish for an effect, as a config and a decision would give them. */
import type { Config, EffectHandler } from '../../../src/config/resolved.ts';
import type { EffectPolicy, Machine } from '../../../src/ordering/machine.ts';
import type { EffectRequest } from '../../../src/ordering/state.ts';

export const KEY = { machine: 'order', environment: 'live', id: '10/42 é' };
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export function machineWith(effects: Record<string, EffectPolicy>): Machine {
  const names = ['new', 'paid', 'shipped', 'cancelled'];
  return {
    name: KEY.machine,
    version: 1,
    initial: 'new',
    statuses: Object.fromEntries(names.map((name) => [name, { effects: [] }])),
    effects,
    on: {},
    late: {},
    ahead: [],
    stepsBack: [],
    unlisted: 'ask',
    renamed: { settled: 'paid' },
  };
}

export const handlerDefaults = {
  timeoutMs: 5_000,
  keyTtlMs: 86_400_000,
  retry: { maxAttempts: 5, firstDelayMs: 1_000, maxDelayMs: 60_000 },
  confirm: null,
};
export const httpHandler = (
  url: string,
  overrides: Partial<Extract<EffectHandler, { kind: 'http' }>> = {},
): EffectHandler => ({
  ...handlerDefaults,
  kind: 'http',
  name: 'fulfil',
  url,
  secret: SECRET,
  allowPrivate: true,
  ...overrides,
});
export const functionHandler = (
  run: Extract<EffectHandler, { kind: 'function' }>['run'],
  overrides: Partial<Extract<EffectHandler, { kind: 'function' }>> = {},
): EffectHandler => ({ ...handlerDefaults, kind: 'function', name: 'fulfil', run, ...overrides });

export function configWith(machine: Machine, effects: Record<string, EffectHandler>): Config {
  return {
    file: '/nowhere/inorder.config.ts',
    machines: new Map([[machine.name, { definition: machine as never, machine, digest: 'none' }]]),
    sources: new Map(),
    effects: new Map(Object.entries(effects)),
    notify: null,
    redeliverAfterMs: 60_000,
    closeAfterMs: 60_000,
    maxEventsPerRun: 5_000,
  };
}

export const request = (overrides: Partial<EffectRequest> = {}): EffectRequest => ({
  name: 'fulfil',
  once: 'order',
  status: 'paid',
  previous: 'new',
  cause: {
    source: 'shop',
    event: 'evt_1',
    type: 'payment.captured',
    object: 'payment:pi_1',
    version: '12345678901234567890',
    claimedAt: '2026-11-30T10:00:00Z',
  },
  facts: { amount: '1250', currency: 'EUR' },
  mode: 'run',
  ...overrides,
});
