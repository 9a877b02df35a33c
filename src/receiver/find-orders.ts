/**
 * Which order each new event belongs to: the one it names, else the one that an object it names is linked to. And
 * which links that teaches.
 *
 * 1. An event that names its order costs no look-up: saying a link that stands already changes nothing.
 * 2. What this process has said and committed is not said again.
 */
import type { NewEvent } from '../store/events.ts';
import { refKey, selectLinks } from '../store/links.ts';
import type { Link, Ref } from '../store/links.ts';
import type { Queryable } from '../store/store.ts';

/** The links that were said last, by `refKey`. */
export interface SaidLinks {
  get(key: string): string | undefined;
  set(key: string, order: string): void;
}

export interface FoundOrders {
  orderOf: Map<NewEvent, string>;
  /** To be said; in the order of their keys, the order in which rows are locked. */
  links: Link[];
}

export async function findOrders(
  tx: Queryable,
  events: readonly NewEvent[],
  said: SaidLinks,
): Promise<FoundOrders> {
  const orderOf = new Map<NewEvent, string>();
  for (const event of events) if (event.order !== null) orderOf.set(event, event.order);

  const telling = events.filter(tellsOfOrders).map((event) => ({ event, refs: refsOf(event) }));
  const unnamed = telling.filter(({ event }) => event.order === null);
  if (unnamed.length > 0) {
    // Those that name their order first, so that the others of the same group find it.
    const named = new Map<string, string>();
    for (const { event, refs } of telling) {
      if (event.order === null) continue;
      for (const { key } of refs) if (!named.has(key)) named.set(key, event.order);
    }
    const standing = await selectLinks(
      tx,
      unnamed.flatMap(({ refs }) => refs),
    );
    for (const { event, refs } of unnamed) {
      const linked = firstFound(refs, standing) ?? firstFound(refs, named);
      if (linked !== undefined) orderOf.set(event, linked);
    }
  }

  const links = new Map<string, KeyedLink>();
  for (const { event, refs } of telling) {
    const order = orderOf.get(event);
    if (order === undefined) continue;
    for (const { key, source, ref } of refs) {
      if (said.get(key) !== order) links.set(JSON.stringify([key, order]), { key, source, ref, order });
    }
  }
  return { orderOf, links: [...links.values()].sort(byKey) };
}

/** What is not ours, or could not be read, teaches nothing. */
const tellsOfOrders = ({ outcome }: NewEvent): boolean => outcome !== 'foreign' && outcome !== 'failed';

interface KeyedRef extends Ref {
  key: string;
}
interface KeyedLink extends Link {
  key: string;
}

const refsOf = ({ source, refs }: NewEvent): KeyedRef[] =>
  refs.map((ref) => ({ source, ref, key: refKey({ source, ref }) }));

function firstFound(refs: readonly KeyedRef[], orders: ReadonlyMap<string, string>): string | undefined {
  for (const { key } of refs) {
    const order = orders.get(key);
    if (order !== undefined) return order;
  }
  return undefined;
}

const byKey = (a: KeyedLink, b: KeyedLink): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
