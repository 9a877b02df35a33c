/** Asks the provider now, on a person's word: about one stream, or about all of the order that can be asked. */
import { RECONCILE_UPDATE } from '../../workflows/messages.ts';
import type { ReconcileRequest, UpdateResult } from '../../workflows/messages.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import { sourceOf } from '../ordering/fresh-state.ts';
import type { OrderKey, OrderState } from '../ordering/state.ts';
import { showOrder } from '../store/order-listing.ts';
import type { Queryable } from '../store/store.ts';
import { updateOrder } from '../temporal/update-order.ts';
import type { OrderClient } from '../temporal/update-order.ts';

/** null: nothing was decided about such an order. The answer of the provider comes later, as its asks end. */
export async function reconcileOrder(
  deps: OrderClient & { db: Queryable },
  key: OrderKey,
  request: ReconcileRequest,
): Promise<UpdateResult | null> {
  const order = await showOrder(deps.db, key);
  if (order === null) return null;
  const { revision, status } = order;
  const refused = refusal(order.state, request.stream);
  if (refused !== null) return { revision, status, refused };
  return updateOrder(deps, key, RECONCILE_UPDATE, request);
}

/** The workflow asks whom it can and says nothing of the others: a person hears of them here. */
function refusal({ streams, sources }: OrderState, stream: string | null): string | null {
  if (stream === null) {
    const canAsk = Object.values(sources).some(({ api, find }) => api || find);
    return canAsk ? null : 'none of its sources has an API in the configuration';
  }
  if (streams[stream] === undefined)
    return `the order has no stream ${stream}.${didYouMean(stream, Object.keys(streams))}`;
  const source = sourceOf(stream);
  return sources[source]?.api === true ? null : `the source ${source} has no API in the configuration`;
}
