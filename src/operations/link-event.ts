/**
 * Gives an event whose order is not known to an order, on a person's word, and with it all objects it names. What
 * can be seen beforehand is refused here, so that no workflow is started for nothing; the order's workflow judges
 * it once more where the event is.
 */
import { LINK_UPDATE } from '../../workflows/messages.ts';
import type { LinkRequest, PersonsRequest, UpdateResult } from '../../workflows/messages.ts';
import { judgeLink } from '../dispatch/judge-link.ts';
import type { OrderKey } from '../ordering/state.ts';
import { listEvents, showEvent } from '../store/event-listing.ts';
import { selectOrdersInOtherCase } from '../store/known-names.ts';
import { showOrder } from '../store/order-listing.ts';
import type { Queryable } from '../store/store.ts';
import { updateOrder } from '../temporal/update-order.ts';
import type { OrderClient } from '../temporal/update-order.ts';

export interface LinkWord extends PersonsRequest {
  /** The event's row. */
  seq: string;
  order: OrderKey;
  /** The order may be one that nothing is known of. */
  isNew: boolean;
}

export async function linkEvent(
  deps: OrderClient & { db: Queryable },
  { seq, order, isNew, actor, reason }: LinkWord,
): Promise<UpdateResult> {
  const event = await showEvent(deps.db, seq);
  const found = event && {
    ...{ machine: event.machine, environment: event.environment, reason: event.reason },
    ...{ order: event.order?.id ?? null, settledAs: event.settledAt === null ? null : event.outcome },
  };
  const verdict = judgeLink({ event: found, links: [], order });
  const known = await showOrder(deps.db, order);
  const { revision, status } = known ?? { revision: 0, status: 'unknown' };
  const refuse = (refused: string): UpdateResult => ({ revision, status, refused });
  if (verdict.kind === 'refused') return refuse(verdict.reason);
  if (event === null) return refuse('the store has no such event');
  if (known === null && !isNew && !(await hasEvents(deps.db, order)))
    return refuse(await unknownOrder(deps.db, order));
  const { source, event: id, object } = event;
  const request: LinkRequest = {
    ...{ actor, reason, stream: `${source}/${object}` },
    event: { seq, source, event: id },
  };
  return await updateOrder(deps, order, LINK_UPDATE, request);
}

async function hasEvents(db: Queryable, { machine, environment, id }: OrderKey): Promise<boolean> {
  return (await listEvents(db, { machine, environment, order: id, limit: 1 })).length > 0;
}

/** A slip in an id would begin an order that nobody has. */
async function unknownOrder(db: Queryable, { machine, environment, id }: OrderKey): Promise<string> {
  const similar = await selectOrdersInOtherCase(db, id);
  const meant = similar.map((one) => `'${one.id}'`).join(' or ');
  const name = `${machine}/${environment}/${id}`;
  if (meant !== '') return `there is no order ${name}; did you mean ${meant}?`;
  return `nothing is known of an order ${name}; --new begins it`;
}
