/**
 * An order with effects in a database of its own, and a worker's activity to run them with. Time passes when a test
 * says so: `age` moves every instant of every effect into the past.
 */
import type { OpenEffect, RunEffectInput, RunEffectResult } from '../../../activities/order-activities.ts';
import { createRunEffect } from '../../../activities/run-effect.ts';
import type { RunEffectDependencies } from '../../../activities/run-effect.ts';
import type { Config, EffectHandler } from '../../../src/config/resolved.ts';
import type { EffectState } from '../../../src/effects/row.ts';
import { createLog } from '../../../src/log.ts';
import type { EffectPolicy, Machine } from '../../../src/ordering/machine.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import type { EffectRequest, OrderState } from '../../../src/ordering/state.ts';
import { insertEffects, selectOpenEffects } from '../../../src/store/effects.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { insertOrder, lockOrder, updateOrder } from '../../../src/store/orders.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { World } from '../setup.ts';
import { KEY, configWith, machineWith } from './order-with-effects.ts';

export interface StoredEffect {
  state: EffectState;
  attempts: number;
  failures: number;
  error: string | null;
  isUnknown: boolean;
  nextAttemptAt: string | null;
  body: Buffer;
}

export interface EffectWorld {
  mysqlUrl: string;
  store: Store;
  machine: Machine;
  config: Config;
  defer: World['defer'];
  /** What `apply` does: the order moves, and asks for effects, in one transaction. */
  decide(status: string, requests: EffectRequest[], change?: (state: OrderState) => void): Promise<void>;
  open: () => Promise<OpenEffect[]>;
  row(name?: string): Promise<StoredEffect>;
  age(ms: number): Promise<void>;
  /** A worker's activity; parts of the worker may differ from the usual ones. */
  runEffect(overrides?: Partial<RunEffectDependencies>): (input: RunEffectInput) => Promise<RunEffectResult>;
  /** One attempt of the effect of that name that was open last. */
  run(overrides?: Partial<RunEffectDependencies>, name?: string): Promise<RunEffectResult>;
}

export async function effectWorld(
  { mysqlUrl, defer }: World,
  handlers: Record<string, EffectHandler>,
  policies: Record<string, EffectPolicy> = { fulfil: { once: 'order', whenPassed: 'run' } },
): Promise<EffectWorld> {
  const store = openStore(mysqlUrl, { connections: 8 });
  defer(() => store.close());
  await migrate(store);
  const machine = machineWith(policies);
  const config = configWith(machine, handlers);
  const log = createLog('silent', 'test');
  const ids = new Map<string, { id: string; key: string }>();

  const open = async () => {
    const effects = await selectOpenEffects(store, KEY, machine, {});
    for (const { id, key, name } of effects) ids.set(name, { id, key });
    return effects;
  };

  const runEffect = (overrides: Partial<RunEffectDependencies> = {}) =>
    createRunEffect({
      store,
      config,
      log,
      now: Date.now,
      random: () => 0,
      at: () => Promise.resolve(),
      ...overrides,
    });

  return {
    mysqlUrl,
    store,
    machine,
    config,
    defer,
    open,
    async decide(status, requests, change) {
      await store.transaction(async (tx) => {
        const stored = await lockOrder(tx, KEY);
        const state = { ...(stored?.state ?? freshState(machine, KEY)), status };
        change?.(state);
        const revision = (stored?.revision ?? 0) + 1;
        const order = {
          key: KEY,
          state,
          revision,
          runId: 'run',
          decision: Buffer.alloc(32, revision),
          machineVersion: 1,
          dueAtMs: null,
        };
        await (stored === null ? insertOrder(tx, order) : updateOrder(tx, order));
        await insertEffects(tx, KEY, revision, requests);
      });
      await open();
    },
    async row(name = 'fulfil') {
      const [row] = await store.query<{
        state: EffectState;
        attempts: number;
        failures: number;
        error: string | null;
        unknown_since: string | null;
        next_attempt_at: string | null;
        body: Buffer;
      }>('SELECT * FROM effects WHERE name = ? ORDER BY id LIMIT 1', [name]);
      if (row === undefined) throw new Error(`no effect ${name}`);
      const { state, attempts, failures, error, body } = row;
      const isUnknown = row.unknown_since !== null;
      return { state, attempts, failures, error, isUnknown, nextAttemptAt: row.next_attempt_at, body };
    },
    async age(ms) {
      const columns = ['unknown_since', 'last_attempt_at', 'lease_until', 'next_attempt_at'];
      const past = columns.map((name) => `${name} = TIMESTAMPADD(MICROSECOND, ?, ${name})`);
      await store.write(
        `UPDATE effects SET ${past.join(', ')}`,
        columns.map(() => -ms * 1_000),
      );
    },
    runEffect,
    async run(overrides = {}, name = 'fulfil') {
      const effect = ids.get(name);
      if (effect === undefined) throw new Error(`no effect ${name} was ever open`);
      return await runEffect(overrides)(effect);
    },
  };
}
