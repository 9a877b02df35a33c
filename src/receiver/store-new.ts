/**
 * A group of which nobody has heard yet, stored without looking first (see commitNewEvents). null: it is none;
 * what is found only by storing it is an error (duplicate key), and `storeGroup` is the way.
 */
import type { EventToInsert } from '../store/events.ts';
import { commitNewEvents } from '../store/new-events.ts';
import type { Store } from '../store/store.ts';
import { findOrders } from './find-orders.ts';
import type { SaidLinks } from './find-orders.ts';
import { byKey, keyOf } from './store-group.ts';
import type { Accepted, StoredGroup } from './store-group.ts';

export async function storeNew(
  store: Store,
  group: readonly Accepted[],
  said: SaidLinks,
): Promise<StoredGroup | null> {
  if (new Set(group.map(({ event }) => keyOf(event))).size < group.length) return null;
  const { orderOf, links } = await findOrders(
    store,
    group.map(({ event }) => event),
    said,
  );
  const rows: EventToInsert[] = group.map(({ event, receipt }) => ({
    event,
    receipt,
    eventId: event.eventId,
    order: orderOf.get(event) ?? null,
    conflictOf: null,
  }));
  const sorted = [...rows].sort((a, b) => byKey(a.event, b.event));
  const seqs = await commitNewEvents(store, sorted, links);
  const seqOf = new Map(sorted.map(({ event }, index) => [event, seqs[index] as string]));
  return {
    fates: rows.map(({ event, order }) => ({
      kind: 'stored',
      seq: seqOf.get(event) as string,
      eventId: event.eventId,
      order,
      taken: event.outcome !== null,
      settled: event.outcome !== null,
    })),
    links,
  };
}
