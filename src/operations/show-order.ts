/** What is known of an order and what it waits for: the shape of `GET /api/v1/orders/{machine}/{environment}/{id}`. */
import { objectOf, sourceOf } from '../ordering/fresh-state.ts';
import type { Contract, HeldReason, OrderKey, OrderState } from '../ordering/state.ts';
import * as listing from '../store/order-listing.ts';
import { selectMachine } from '../store/machines.ts';
import type { Queryable } from '../store/store.ts';
import { lineOf } from './list-orders.ts';
import type { OrderLine } from './list-orders.ts';
import { toIso } from './to-iso.ts';
import { waitsFor } from './waits-for.ts';
import { whatToDo } from './what-to-do.ts';
import type { Remedy } from './what-to-do.ts';

export interface OrderView extends Omit<OrderLine, 'attention'> {
  attention: (OrderLine['attention'][number] & Remedy)[];
  streams: StreamView[];
  effects: { name: string; key: string; state: string; attempts: number; error: string | null }[];
}
export interface StreamView {
  source: string;
  object: string;
  contract: Contract;
  version: string | null;
  missing: [string, string][];
  held: HeldView[];
}
export interface HeldView {
  event: string;
  type: string | null;
  version: string | null;
  since: string;
  reason: HeldReason;
  waitsFor: string;
}

/** null: nothing was decided about such an order. */
export async function showOrder(db: Queryable, key: OrderKey): Promise<OrderView | null> {
  const order = await listing.showOrder(db, key);
  if (order === null) return null;
  const effects = await listing.listEffectsOfOrder(db, key);
  const { updatedAt, revision, attention, ...line } = lineOf(order);
  const { state } = order;
  const machine = attention.length === 0 ? null : await selectMachine(db, key.machine, state.machineVersion);
  return {
    ...line,
    // The column and the state are written as one; the state's is what the commands are about.
    attention: state.attention.map((one) => ({
      ...one,
      since: toIso(one.since),
      ...whatToDo(state, machine, one),
    })),
    revision,
    streams: showStreams(order.state),
    effects: effects.map(({ name, key: effectKey, state, attempts, error }) => ({
      name,
      key: effectKey,
      state,
      attempts,
      error,
    })),
    updatedAt,
  };
}

function showStreams(state: OrderState): StreamView[] {
  return Object.entries(state.streams).map(([key, stream]) => ({
    source: sourceOf(key),
    object: objectOf(key),
    contract: stream.contract,
    version: stream.version,
    missing: stream.missing,
    held: stream.held.map((held) => ({
      event: held.event,
      type: held.type,
      version: held.version,
      since: toIso(held.since),
      reason: held.reason,
      waitsFor: waitsFor(stream, held),
    })),
  }));
}
