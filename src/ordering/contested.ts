/**
 * Objects and payments that belong to another order (R11): the order that was named first keeps them. What names
 * this order all the same is never followed here; a person sees it as a conflict.
 *
 * C1  Which they are is the store's knowledge: it is told with the first event or answer that names one, before
 *     anything was stored about it, and kept in the state from then on.
 * C2  Nobody is asked about another order's object, and no effect follows from another order's payment.
 */
import { objectOf, sourceOf } from './fresh-state.ts';
import type { OrderState } from './state.ts';

/** What an event, an answer or any news is about. */
export interface About {
  stream: string;
  payment: string | null;
}

export interface Contest {
  /** `payment:pi_1` */
  ref: string;
  /** The order it belongs to. */
  order: string;
}

/** The state with what the store says of other orders' objects, by `<source>/<ref>`. */
export function withContested(state: OrderState, found: Record<string, string> | undefined): OrderState {
  if (found === undefined || Object.keys(found).length === 0) return state;
  return { ...state, contested: { ...state.contested, ...found } };
}

/** null: nothing that it names is known to belong to another order. */
export function contestOf({ contested }: OrderState, { stream, payment }: About): Contest | null {
  if (contested === undefined) return null;
  // A payment is linked as the object of that name at the same source.
  const refs = [stream, ...(payment === null ? [] : [`${sourceOf(stream)}/payment:${payment}`])];
  for (const ref of refs) {
    const order = contested[ref];
    if (order !== undefined) return { ref: objectOf(ref), order };
  }
  return null;
}

export const isContested = ({ contested }: OrderState, stream: string): boolean =>
  contested?.[stream] !== undefined;

export const reasonOf = ({ ref, order }: Contest): string =>
  `${ref} belongs to order ${order}, which was named first`;
