/**
 * Whether a person may give a stored event to an order (R54). Pure: everything it goes by was read in the
 * transaction that carries it out. The first order of an event and of each object stands; nothing moves from one
 * order to another.
 */
import type { OrderKey } from '../ordering/state.ts';

export interface LinkContext {
  /** null: the store has no such event. */
  event: {
    machine: string;
    environment: string;
    order: string | null;
    /** Set when the event is settled. */
    settledAs: string | null;
    reason: string | null;
  } | null;
  /** Orders that objects of the event belong to. */
  links: { ref: string; order: string }[];
  order: OrderKey;
}

/** `same`: it belongs to that order already. */
export type LinkVerdict = { kind: 'refused'; reason: string } | { kind: 'same' } | { kind: 'link' };

export function judgeLink({ event, links, order }: LinkContext): LinkVerdict {
  if (event === null) return refused('the store has no such event');
  const isSameScope = event.machine === order.machine && event.environment === order.environment;
  if (!isSameScope) {
    const scope = `${event.machine}/${event.environment}`;
    return refused(`its source feeds orders of ${scope}, not of ${order.machine}/${order.environment}`);
  }
  if (event.order === order.id) return { kind: 'same' };
  if (event.order !== null) return refused(`it belongs to order ${event.order} already, and stays there`);
  if (event.settledAs !== null) {
    const why = event.reason === null ? '' : ` (${event.reason})`;
    return refused(`it is settled as ${event.settledAs}${why}: it belongs to no order`);
  }
  const other = links.find((link) => link.order !== order.id);
  if (other === undefined) return { kind: 'link' };
  return refused(`its object ${other.ref} belongs to order ${other.order}, where it is linked by itself`);
}

const refused = (reason: string): LinkVerdict => ({ kind: 'refused', reason });
