/**
 * Which order each new event belongs to: the one it names, else the one that an object it names is linked to. And
 * which links that teaches.
 *
 * Only links read as committed are remembered: they never change, an inserted one may still lose to another
 * process's.
 */
import type { NewEvent } from '../store/events.ts';
import { refKey, selectLinks } from '../store/links.ts';
import type { Link } from '../store/links.ts';
import type { Queryable } from '../store/store.ts';

export interface LinkMemory {
  get(key: string): string | undefined;
  set(key: string, order: string): void;
}

export interface FoundOrders {
  orderOf: Map<NewEvent, string>;
  links: Link[];
  /** Events that name another order than the one their object is linked to. */
  contests: Link[];
}

export async function findOrders(
  tx: Queryable,
  events: readonly NewEvent[],
  memory: LinkMemory,
): Promise<FoundOrders> {
  const telling = events.filter(tellsOfOrders);
  const standing = await readLinks(tx, telling, memory);
  const orderOf = new Map<NewEvent, string>();
  const links = new Map<string, Link>();
  const contests: Link[] = [];

  for (const event of events) if (event.order !== null) orderOf.set(event, event.order);
  // Those that name their order first, so that the others of the same group find it.
  for (const event of [...telling].sort((a, b) => Number(a.order === null) - Number(b.order === null))) {
    const refs = event.refs.map((ref) => ({ source: event.source, ref }));
    const order =
      event.order ?? refs.map((ref) => standing.get(refKey(ref))).find((known) => known !== undefined);
    if (order === undefined) continue;
    orderOf.set(event, order);
    for (const ref of refs) {
      const key = refKey(ref);
      const linked = standing.get(key);
      if (linked === undefined) {
        standing.set(key, order);
        links.set(key, { ...ref, order });
      } else if (linked !== order) contests.push({ ...ref, order });
    }
  }
  return { orderOf, links: [...links.values()].sort(byKey), contests: contests.sort(byKey) };
}

/** What is not ours, or could not be read, teaches nothing. */
const tellsOfOrders = ({ outcome }: NewEvent): boolean => outcome !== 'foreign' && outcome !== 'failed';

async function readLinks(
  tx: Queryable,
  events: readonly NewEvent[],
  memory: LinkMemory,
): Promise<Map<string, string>> {
  const standing = new Map<string, string>();
  const unknown = new Map<string, { source: string; ref: string }>();
  for (const { source, refs } of events) {
    for (const ref of refs) {
      const key = refKey({ source, ref });
      const order = memory.get(key);
      if (order === undefined) unknown.set(key, { source, ref });
      else standing.set(key, order);
    }
  }
  for (const [key, order] of await selectLinks(tx, [...unknown.values()])) {
    memory.set(key, order);
    standing.set(key, order);
  }
  return standing;
}

const byKey = (a: Link, b: Link): number => (refKey(a) < refKey(b) ? -1 : 1);
