/** Orders by a few filters, the latest changed first. */
import type { AttentionKind } from '../ordering/state.ts';
import * as listing from '../store/order-listing.ts';
import type { ListedOrder, OrderFilter } from '../store/order-listing.ts';
import type { Queryable } from '../store/store.ts';
import { toIso } from './to-iso.ts';

export interface OrderLine {
  machine: string;
  environment: string;
  id: string;
  status: string;
  bearer: string | null;
  attention: { kind: AttentionKind; stream: string | null; since: string; reason: string }[];
  revision: number;
  updatedAt: string;
}
export interface Listed<T> {
  items: T[];
  /** There are more than the limit let through. */
  hasMore: boolean;
}

export async function listOrders(db: Queryable, filter: OrderFilter): Promise<Listed<OrderLine>> {
  const rows = await listing.listOrders(db, { ...filter, limit: filter.limit + 1 });
  return { items: rows.slice(0, filter.limit).map(lineOf), hasMore: rows.length > filter.limit };
}

export const lineOf = ({ key, attention, ...order }: ListedOrder): OrderLine => ({
  machine: key.machine,
  environment: key.environment,
  id: key.id,
  status: order.status,
  bearer: order.bearer,
  attention: attention.map((entry) => ({ ...entry, since: toIso(entry.since) })),
  revision: order.revision,
  updatedAt: order.updatedAt,
});
