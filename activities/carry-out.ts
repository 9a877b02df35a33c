/**
 * Carries out what a person ordered about rows that the core does not see, inside the transaction of `apply`: the
 * row is locked, judged and written together with the decision that journals it, or nothing is (R54).
 */
import { judgeLink } from '../src/dispatch/judge-link.ts';
import { judgePerson } from '../src/effects/judge-person.ts';
import type { Machine } from '../src/ordering/machine.ts';
import { DONE } from '../src/ordering/persons-order.ts';
import type { OrderKey, PersonsOrder } from '../src/ordering/state.ts';
import { lockEffectByKey, writePersonsWord } from '../src/store/effects.ts';
import { lockEvents } from '../src/store/events.ts';
import { linkEvent, lockUnlinkedRefs, selectLinks } from '../src/store/links.ts';
import type { Queryable } from '../src/store/store.ts';

export interface OrderAt {
  key: OrderKey;
  status: string;
  machine: Machine;
}

export type CarriedOut =
  | { kind: 'done' }
  /** It was so already: nothing is written. */
  | { kind: 'same' }
  | { kind: 'refused'; reason: string };

/** The caller holds the order's row. */
export async function carryOut(tx: Queryable, person: PersonsOrder, order: OrderAt): Promise<CarriedOut> {
  return person.kind === 'effect' ? await onEffect(tx, person, order) : await onEvent(tx, person, order);
}

async function onEffect(
  tx: Queryable,
  { key, action, seen, by }: Extract<PersonsOrder, { kind: 'effect' }>,
  { key: order, status, machine }: OrderAt,
): Promise<CarriedOut> {
  const row = await lockEffectByKey(tx, key);
  const isOfOrder =
    row?.machine === order.machine && row.environment === order.environment && row.order === order.id;
  if (row === null || !isOfOrder) return { kind: 'refused', reason: `the order has no effect ${key}` };
  const policy = machine.effects[row.name];
  const verdict = judgePerson({ row, action, seen, status, policy });
  if (verdict.kind !== 'change') return verdict;
  await writePersonsWord(tx, row, {
    state: verdict.state,
    isNotDone: verdict.isNotDone,
    // What ended by a person's word says so: no receiver has answered.
    error: action === 'retry' ? null : `${DONE[action]} by ${by}`,
  });
  return { kind: 'done' };
}

async function onEvent(
  tx: Queryable,
  { event: ref }: Extract<PersonsOrder, { kind: 'link' }>,
  { key: order }: OrderAt,
): Promise<CarriedOut> {
  const { seq, source } = ref;
  const [locked] = await lockEvents(tx, order, [seq]);
  const found = locked?.source === source && locked.event === ref.event ? locked : null;
  const refs = await lockUnlinkedRefs(tx, { seq, source });
  const standing = await selectLinks(tx, refs);
  const verdict = judgeLink({
    event: found === null ? null : { ...found, settledAs: found.settled ? found.outcome : null },
    links: [...standing].map(([key, linked]) => ({ ref: refName(key), order: linked })),
    order,
  });
  if (verdict.kind !== 'link') return verdict;
  const isOurs = await linkEvent(tx, { seq, source, order: order.id });
  return isOurs
    ? { kind: 'done' }
    : { kind: 'refused', reason: 'another order was given to it at this moment' };
}

const refName = (key: string): string => (JSON.parse(key) as [string, string])[1];
