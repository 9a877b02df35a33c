/** Events by a few filters, the latest stored first. */
import * as listing from '../store/event-listing.ts';
import type { EventFilter, ListedEvent } from '../store/event-listing.ts';
import type { Queryable } from '../store/store.ts';
import type { Listed } from './list-orders.ts';

/** `order` is the id; machine and environment stand beside it, for events without an order too. */
export type EventLine = Omit<ListedEvent, 'order'> & { order: string | null };

export async function listEvents(db: Queryable, filter: EventFilter): Promise<Listed<EventLine>> {
  const rows = await listing.listEvents(db, { ...filter, limit: filter.limit + 1 });
  const items = rows.slice(0, filter.limit).map((event) => ({ ...event, order: event.order?.id ?? null }));
  return { items, hasMore: rows.length > filter.limit };
}
