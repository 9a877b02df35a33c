/**
 * Which order each new event belongs to: the one it names, else the one that an object it names is linked to. And
 * which links that teaches.
 *
 * 1. An event that names its order costs no look-up: saying a link that stands already changes nothing.
 * 2. What this process has said and committed is not said again.
 */
import type { NewEvent } from '../store/events.ts';
import { refKey, selectLinks } from '../store/links.ts';
import type { Link } from '../store/links.ts';
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

  const telling = events.filter(tellsOfOrders);
  const named = new Map<string, string>();
  for (const event of telling) {
    if (event.order === null) continue;
    for (const { key } of refsOf(event)) if (!named.has(key)) named.set(key, event.order);
  }
  // Those that name their order first, so that the others of the same group find it.
  const unnamed = telling.filter(({ order }) => order === null);
  const standing = await selectLinks(tx, unnamed.flatMap(refsOf));
  for (const event of unnamed) {
    const keys = refsOf(event).map(({ key }) => key);
    const linked = keys.map((key) => standing.get(key)).find((order) => order !== undefined);
    const order = linked ?? keys.map((key) => named.get(key)).find((found) => found !== undefined);
    if (order !== undefined) orderOf.set(event, order);
  }

  const links = new Map<string, Link>();
  for (const event of telling) {
    const order = orderOf.get(event);
    if (order === undefined) continue;
    for (const { key, source, ref } of refsOf(event)) {
      if (said.get(key) !== order) links.set(JSON.stringify([key, order]), { source, ref, order });
    }
  }
  return { orderOf, links: [...links.values()].sort(byKey) };
}

/** What is not ours, or could not be read, teaches nothing. */
const tellsOfOrders = ({ outcome }: NewEvent): boolean => outcome !== 'foreign' && outcome !== 'failed';

const refsOf = ({ source, refs }: NewEvent) =>
  refs.map((ref) => ({ source, ref, key: refKey({ source, ref }) }));

const byKey = (a: Link, b: Link): number => {
  const [one, other] = [refKey(a), refKey(b)];
  return one < other ? -1 : one > other ? 1 : 0;
};
