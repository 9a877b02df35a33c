/**
 * A person's word on what waits for one. The workflow checks it against the table and refuses it if the order has
 * moved since the revision that is read here; nothing but the workflow changes an order.
 */
import { RESOLVE_UPDATE } from '../../workflows/messages.ts';
import type { ResolveRequest, UpdateResult } from '../../workflows/messages.ts';
import type { OrderKey } from '../ordering/state.ts';
import { showOrder } from '../store/order-listing.ts';
import type { Queryable } from '../store/store.ts';
import { updateOrder } from '../temporal/update-order.ts';
import type { OrderClient } from '../temporal/update-order.ts';
import { subjectOf } from './subject-of.ts';

export interface PersonsWord {
  /** null: what is said about the order itself. */
  stream: string | null;
  /** An event's id; null: the answer or notice that waits there, or the only event that does. */
  event: string | null;
  resolution: ResolveRequest['resolution'];
  actor: string;
  reason: string;
}

/** null: nothing was decided about such an order. */
export async function resolveOrder(
  deps: OrderClient & { db: Queryable },
  key: OrderKey,
  { stream, event, ...word }: PersonsWord,
): Promise<UpdateResult | null> {
  const order = await showOrder(deps.db, key);
  if (order === null) return null;
  const { revision, status } = order;
  const subject = subjectOf(order.state, stream, event);
  if ('refused' in subject) return { revision, status, refused: subject.refused };
  const request: ResolveRequest = { ...word, revision, stream, event: subject.event };
  return updateOrder(deps, key, RESOLVE_UPDATE, request);
}
