/**
 * What one transaction of the door does with a group of deliveries: find what is known, insert what is new, keep
 * repeats and conflicts beside it, and learn which order each belongs to.
 *
 * 1. It may be run again after a commit of unknown fate: a delivery is known by its receipt, so what is then found
 *    is `stored` and not a repeat of itself.
 * 2. Rows are inserted in the order of their keys, so that groups of several processes do not deadlock.
 * 3. The same id with other news is a conflict: the first row stands, the other becomes an event of its own (R8).
 */
import { insertBodies } from '../store/bodies.ts';
import { insertDeliveries } from '../store/deliveries.ts';
import { insertEvents, LISTED, selectKnown } from '../store/events.ts';
import type { EventName, KnownEvent, NewEvent } from '../store/events.ts';
import { insertLinks, insertUnlinked } from '../store/links.ts';
import type { Link } from '../store/links.ts';
import { InorderError } from '../errors.ts';
import type { Queryable } from '../store/store.ts';
import { conflictId, isSameNews } from './conflict.ts';
import { findOrders } from './find-orders.ts';
import type { SaidLinks } from './find-orders.ts';

export interface Stored {
  /** `conflict` also for the repeat of one. */
  kind: 'stored' | 'known' | 'conflict';
  seq: string;
  /** As it is stored: that of a conflict differs from what the provider sent. */
  eventId: string;
  order: string | null;
  taken: boolean;
  settled: boolean;
}

/** One accepted event of one delivery. */
export interface Accepted {
  event: NewEvent;
  /** Unique to this delivery, in all processes; what makes storing it repeatable. */
  receipt: Buffer;
}

/** An accepted event under the id it is stored by. */
interface Named extends Accepted, EventName {
  isConflict: boolean;
}

export interface StoredGroup {
  /** In the order of the group. */
  fates: Stored[];
  /** Count as said once this is committed. */
  links: Link[];
}

export async function storeGroup(
  tx: Queryable,
  group: readonly Accepted[],
  said: SaidLinks,
): Promise<StoredGroup> {
  const rows: Rows = new Map();
  await readKnown(tx, rows, group.map(nameOf));
  const named = nameAll(group, rows);
  await readKnown(tx, rows, named.filter(isConflict));

  const added = firstOfEach(named.filter((one) => !rows.has(keyOf(one))));
  const { orderOf, links } = await findOrders(tx, added.map(eventOf), said);
  // What a conflict is a conflict of may be new itself, so its row comes first.
  await insertAdded(
    tx,
    rows,
    added.filter((one) => !isConflict(one)),
    orderOf,
  );
  await insertAdded(tx, rows, added.filter(isConflict), orderOf);

  const placed = named.map((one) => ({ one, row: rowOf(rows, one) }));
  await keepBytes(tx, placed);
  const unlinked = added.filter(({ event }) => event.outcome === null && !orderOf.has(event));
  await insertUnlinked(
    tx,
    unlinked.map((one) => ({ seq: BigInt(rowOf(rows, one).seq), source: one.source, refs: one.event.refs })),
  );
  // Last, because other receivers may be saying the same and wait until this is committed.
  await insertLinks(tx, links);
  return { fates: placed.map(fateOf), links };
}

type Rows = Map<string, KnownEvent>;

export const keyOf = ({ source, eventId }: EventName): string => JSON.stringify([source, eventId]);
const nameOf = ({ event }: Accepted): EventName => event;
const eventOf = ({ event }: Accepted): NewEvent => event;
const isConflict = (one: Named): boolean => one.isConflict;
const isFirst = (one: Accepted, row: KnownEvent): boolean => row.receipt.equals(one.receipt);

/** The first of an id, stored or in this group, gives its news; what differs from it is a conflict. */
function nameAll(group: readonly Accepted[], rows: ReadonlyMap<string, KnownEvent>): Named[] {
  const newsOfId = new Map<string, KnownEvent | NewEvent>(rows);
  return group.map((accepted) => {
    const { event } = accepted;
    const standing = newsOfId.get(keyOf(event));
    if (!standing) newsOfId.set(keyOf(event), event);
    const isConflict = standing !== undefined && !isSameNews(standing, event);
    const eventId = isConflict ? conflictId(event) : event.eventId;
    return { ...accepted, source: event.source, eventId, isConflict };
  });
}

async function readKnown(tx: Queryable, rows: Rows, names: readonly EventName[]): Promise<void> {
  for (const row of await selectKnown(tx, names)) rows.set(keyOf(row), row);
}

async function insertAdded(
  tx: Queryable,
  rows: Rows,
  added: readonly Named[],
  orderOf: ReadonlyMap<NewEvent, string>,
): Promise<void> {
  if (added.length === 0) return;
  await insertEvents(
    tx,
    [...added].sort(byKey).map((one) => ({
      event: one.event,
      receipt: one.receipt,
      eventId: one.eventId,
      order: orderOf.get(one.event) ?? null,
      conflictOf: one.isConflict ? rowOf(rows, one.event).seq : null,
    })),
  );
  // Not reckoned from the first inserted number: clusters hand out numbers in steps.
  await readKnown(tx, rows, added);
}

const fateOf = ({ one, row }: { one: Named; row: KnownEvent }): Stored => ({
  kind: one.isConflict ? 'conflict' : isFirst(one, row) ? 'stored' : 'known',
  seq: row.seq,
  eventId: row.eventId,
  order: row.order,
  taken: row.taken,
  settled: row.settled,
});

function firstOfEach(named: readonly Named[]): Named[] {
  const first = new Map<string, Named>();
  for (const one of named) if (!first.has(keyOf(one))) first.set(keyOf(one), one);
  return [...first.values()];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const byKey = (a: EventName, b: EventName): number =>
  compare(a.source, b.source) || compare(a.eventId, b.eventId);

function rowOf(rows: ReadonlyMap<string, KnownEvent>, name: EventName): KnownEvent {
  const row = rows.get(keyOf(name));
  if (!row) throw new InorderError('internal', 'A delivery was neither inserted nor found.');
  return row;
}

/** Bodies whose bytes are new, and a record of each delivery after the first. What was only listed again leaves none. */
async function keepBytes(tx: Queryable, placed: readonly { one: Named; row: KnownEvent }[]): Promise<void> {
  const repeats = placed.filter(({ one, row }) => !isFirst(one, row) && one.event.secretId !== LISTED);
  const withNewBytes = placed.filter(
    ({ one, row }) =>
      isFirst(one, row) || (one.event.secretId !== LISTED && !row.fingerprint.equals(one.event.fingerprint)),
  );
  await insertBodies(
    tx,
    withNewBytes.map(({ one, row }) => ({
      seq: BigInt(row.seq),
      receipt: one.receipt,
      body: one.event.body,
    })),
  );
  await insertDeliveries(
    tx,
    repeats.map(({ one, row }) => ({ ...one.event, seq: row.seq, receipt: one.receipt })),
  );
}
