/** What the store knows of an order, for a run that does not continue another one. */
import { selectOpenEffects } from '../src/store/effects.ts';
import { selectOrder } from '../src/store/orders.ts';
import { planOf } from '../src/ordering/plan.ts';
import type { Store } from '../src/store/store.ts';
import { createKnownMachines } from './known-machines.ts';
import type { LoadInput, LoadResult, RunSettings } from './order-activities.ts';

export interface LoadDeps {
  store: Store;
  settings: RunSettings;
}

export function createLoad({
  store,
  settings: { closeAfterMs, maxEventsPerRun },
}: LoadDeps): (input: LoadInput) => Promise<LoadResult> {
  // Named one by one: what is returned enters Temporal's history.
  const settings: RunSettings = { closeAfterMs, maxEventsPerRun };
  const machines = createKnownMachines();
  return async ({ key }) => {
    const version = await machines.newestVersion(store, key.machine);
    const machine = await machines.at(store, key.machine, version);
    const order = await selectOrder(store, key);
    if (!order) return { machine, state: null, revision: 0, effects: [], plan: null, settings };
    const effects = await selectOpenEffects(store, key, machine, order.state.troubles);
    const { state, revision } = order;
    return { machine, state, revision, effects, plan: planOf(state), settings };
  };
}
