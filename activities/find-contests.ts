/**
 * Whether a decision is about an object or a payment that belongs to another order (R11). Looked up inside the
 * transaction of `apply`, where the link of every event that could say so has been committed.
 *
 * 1. Events bring their links with them when they are locked.
 * 2. What only the provider named (an object it listed, a payment in its answer) is linked to this order here,
 *    unless it is linked already: the first link stands. That costs statements, but only when something is new.
 */
import { objectOf, sourceOf } from '../src/ordering/fresh-state.ts';
import type { OrderState, StreamState } from '../src/ordering/state.ts';
import type { LockedEvent } from '../src/store/events.ts';
import { insertLinks, refKey, selectLinks } from '../src/store/links.ts';
import type { Link, Ref } from '../src/store/links.ts';
import type { Queryable } from '../src/store/store.ts';
import type { ApplyInput } from './order-activities.ts';

/** Orders by `<source>/<ref>`: all that the decision did not know yet. */
export async function findContests(
  tx: Queryable,
  { key, state }: Pick<ApplyInput, 'key' | 'state'>,
  { stored, locked }: { stored: OrderState | null; locked: readonly LockedEvent[] },
): Promise<Record<string, string>> {
  const links = locked.flatMap((event) => event.links);
  const told = toldByProvider(state, stored, links);
  if (told.length > 0) links.push(...(await linked(tx, told, key.id)));
  const unknown = links.filter(
    ({ source, ref, order }) => order !== key.id && state.contested?.[`${source}/${ref}`] !== order,
  );
  return Object.fromEntries(unknown.map(({ source, ref, order }) => [`${source}/${ref}`, order]));
}

async function linked(tx: Queryable, refs: readonly Ref[], order: string): Promise<Link[]> {
  await insertLinks(
    tx,
    refs.map((ref) => ({ ...ref, order })),
  );
  const standing = await selectLinks(tx, refs);
  return refs.map((ref) => ({ ...ref, order: standing.get(refKey(ref)) ?? order }));
}

/** Objects and payments of the decided state that neither the stored one nor an event of the batch names. */
export function toldByProvider(state: OrderState, stored: OrderState | null, links: readonly Link[]): Ref[] {
  const known = new Set(links.map(({ source, ref }) => `${source}/${ref}`));
  const before = stored?.streams ?? {};
  const found = new Map<string, Ref>();
  const add = (source: string, ref: string) => {
    const name = `${source}/${ref}`;
    if (before[name] !== undefined || known.has(name) || state.contested?.[name] !== undefined) return;
    found.set(name, { source, ref });
  };
  for (const [name, stream] of Object.entries(state.streams)) {
    const source = sourceOf(name);
    add(source, objectOf(name));
    const payment = paymentOf(stream);
    const paymentBefore = before[name] === undefined ? null : paymentOf(before[name]);
    if (payment !== null && payment !== paymentBefore) add(source, `payment:${payment}`);
  }
  return [...found.values()].sort((a, b) => (refKey(a) < refKey(b) ? -1 : 1));
}

const paymentOf = ({ answer, word }: StreamState): string | null =>
  answer?.snapshot.payment ?? word?.payment ?? null;
