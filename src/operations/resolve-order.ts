/**
 * A person's word on what waits for one. The workflow checks it against the table and refuses it if the order has
 * moved since the revision that is read here; nothing but the workflow changes an order.
 */
import { RESOLVE_UPDATE } from '../../workflows/messages.ts';
import type { ResolveRequest, UpdateResult } from '../../workflows/messages.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import type { EventRef, OrderKey, OrderState } from '../ordering/state.ts';
import { showOrder } from '../store/order-listing.ts';
import type { Queryable } from '../store/store.ts';
import { updateOrder } from '../temporal/update-order.ts';
import type { OrderClient } from '../temporal/update-order.ts';

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

/** The event's row number is the store's matter; a person knows its id. */
function subjectOf(
  state: OrderState,
  key: string | null,
  event: string | null,
): { event: EventRef | null } | { refused: string } {
  if (key === null)
    return event === null ? { event: null } : { refused: `say with --stream of which stream ${event} is` };
  const stream = state.streams[key];
  const isNoted = state.notices.some((notice) => notice.stream === key);
  if (stream === undefined && isNoted && event === null) return { event: null };
  if (stream === undefined)
    return { refused: `the order has no stream ${key}.${didYouMean(key, Object.keys(state.streams))}` };
  const reviewed = stream.held.filter(({ review }) => review !== null);
  if (event === null) {
    const isAboutStream = stream.answer !== null || isNoted;
    if (isAboutStream || reviewed.length === 0) return { event: null };
    const [only, ...others] = reviewed;
    if (only !== undefined && others.length === 0) return { event: refOf(only) };
    return { refused: `several events wait there; name one with --event: ${idsOf(reviewed)}` };
  }
  // Other news under the same id is another event; what waits for a person is meant first.
  const held = [...reviewed, ...stream.held].find((one) => one.event === event);
  if (held !== undefined) return { event: refOf(held) };
  const ids = stream.held.map((one) => one.event);
  return { refused: `event ${event} does not wait in ${key}.${didYouMean(event, ids)}` };
}

const refOf = ({ seq, source, event }: EventRef): EventRef => ({ seq, source, event });
const idsOf = (events: EventRef[]): string => events.map(({ event }) => event).join(', ');
