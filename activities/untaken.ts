/** What is stored for an order and was not judged yet: read before a deadline or a gap acts. */
import type { OrderEvent } from '../src/ordering/state.ts';
import { selectUntakenOfOrder } from '../src/store/events.ts';
import type { Store } from '../src/store/store.ts';
import type { UntakenInput } from './order-activities.ts';

export interface UntakenDeps {
  store: Store;
}

export function createUntaken({ store }: UntakenDeps): (input: UntakenInput) => Promise<OrderEvent[]> {
  return ({ key, limit, afterSeq }) => selectUntakenOfOrder(store, key, limit, afterSeq);
}
