/** One event with its deliveries; never its body, which belongs to the people it is about. */
import * as listing from '../store/event-listing.ts';
import type { ShownEvent } from '../store/event-listing.ts';
import type { Queryable } from '../store/store.ts';

export interface DeliveryView {
  receivedAt: string;
  deliveryId: string | null;
  /** null: not a delivery, but a look into the provider's list. */
  secretId: string | null;
  /** SHA-256 of the raw body. */
  fingerprint: string;
  headers: Record<string, string>;
}
export type EventView = Omit<ShownEvent, 'order' | 'deliveries' | 'allDeliveries'> & {
  order: string | null;
  deliveries: DeliveryView[];
};

/** Every event of this id: without a source each source may have one of its own. */
export async function showEvents(
  db: Queryable,
  name: { source?: string; event: string },
): Promise<EventView[]> {
  const events = await listing.showEvents(db, name);
  return events.map(({ allDeliveries, ...event }) => ({
    ...event,
    order: event.order?.id ?? null,
    deliveries: allDeliveries.map(({ receivedAt, deliveryId, secretId, fingerprint, headers }) => ({
      receivedAt,
      deliveryId,
      secretId,
      fingerprint,
      headers,
    })),
  }));
}
