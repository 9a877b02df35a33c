/** One order's world for tests of `apply`: a store with the demo's machine, stored events, and decisions about them. */
import { randomUUID } from 'node:crypto';
import { createApply } from '../../../activities/apply.ts';
import type { ApplyInput, ApplyResult } from '../../../activities/order-activities.ts';
import { order as definition } from '../../../machines/order.ts';
import { machineDigest } from '../../../src/config/machine-digest.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import type {
  EffectRequest,
  EventOutcome,
  EventRef,
  OrderKey,
  Outcome,
} from '../../../src/ordering/state.ts';
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import type { NewEvent } from '../../../src/store/events.ts';
import { enterMachine } from '../../../src/store/machines.ts';
import type { Store, StoreOptions } from '../../../src/store/store.ts';
import { migratedStore } from '../store/migrated-store.ts';
import { newEvent } from '../store/new-event.ts';
import type { World } from '../setup.ts';

export const KEY: OrderKey = { machine: 'order', environment: 'live', id: '1042' };

export interface StoredEvent extends EventRef {
  given: NewEvent;
}

export interface OrderWorld {
  store: Store;
  world: World;
  machine: Machine;
  groupCommit: GroupCommit;
  apply: (input: ApplyInput) => Promise<ApplyResult>;
  /** Stores an event at the door. */
  receive(fields?: Partial<NewEvent>): Promise<StoredEvent>;
  /** All that `apply` may write, for comparing before and after. */
  dump(): Promise<Record<string, unknown[]>>;
}

export async function orderWorld(options: StoreOptions = {}): Promise<OrderWorld> {
  const { store, world } = await migratedStore(options);
  const machine = demoMachine();
  await enterMachine(store, { machine, digest: machineDigest(machine) });
  const groupCommit = new GroupCommit(store);
  world.defer(() => groupCommit.stop());
  return {
    store,
    world,
    machine,
    groupCommit,
    apply: createApply({ store, worker: 'worker-1' }),
    async receive(fields = {}) {
      const given = newEvent(fields);
      const [stored] = await groupCommit.add([given]);
      if (!stored) throw new Error('the door gave no fate');
      return { seq: stored.seq, source: given.source, event: stored.eventId, given };
    },
    async dump() {
      const tables = ['orders', 'events', 'journal', 'effects'];
      const rows = await Promise.all(tables.map((table) => store.query<object>(`SELECT * FROM ${table}`)));
      return Object.fromEntries(tables.map((table, index) => [table, rows[index] ?? []]));
    },
  };
}

function demoMachine(): Machine {
  const compiled = compileMachine(definition);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  return compiled.machine;
}

export interface DecisionFields {
  revision?: number;
  runId?: string;
  status?: string;
  outcome?: Outcome;
  dueAt?: number | null;
  effects?: EffectRequest[];
}

/** A decision that gives every event the same outcome. */
export function decisionAbout(
  machine: Machine,
  events: readonly StoredEvent[],
  {
    revision = 0,
    runId = 'run-1',
    status = 'paid',
    outcome = 'applied',
    dueAt = null,
    effects = [],
  }: DecisionFields = {},
): ApplyInput {
  const state = { ...freshState(machine, KEY), status };
  return {
    key: KEY,
    revision,
    runId,
    state,
    outcomes: events.map((event) => outcomeOf(event, outcome, status)),
    journal: events.map((event) => ({
      kind: 'step',
      stream: event.given.stream,
      type: event.given.type,
      version: event.given.version,
      from: 'new',
      to: status,
      reason: null,
      cause: refOf(event),
    })),
    effects,
    news: events.map((event) => ({
      ref: refOf(event),
      stream: event.given.stream,
      version: event.given.version,
      fact: event.given.fact,
    })),
    dueAt,
    machineVersion: machine.version,
  };
}

export const refOf = ({ seq, source, event }: EventRef): EventRef => ({ seq, source, event });

export const outcomeOf = (event: EventRef, outcome: Outcome, to = 'paid'): EventOutcome => ({
  ref: refOf(event),
  outcome,
  reason: `because ${outcome}`,
  from: 'new',
  to,
});

export const fulfilment = (fields: Partial<EffectRequest> = {}): EffectRequest => ({
  name: 'fulfil',
  once: 'order',
  status: 'paid',
  previous: 'new',
  cause: {
    source: 'shop',
    event: 'evt_1',
    type: 'payment.captured',
    object: 'payment:pi_1',
    version: '1',
    claimedAt: null,
  },
  facts: {},
  mode: 'run',
  ...fields,
});

export const newRun = (): string => randomUUID();
