/**
 * Compares all that is stored with itself, while everything goes on running: orders, a page at a time, each in a
 * snapshot of its own; then events with what stands beside them; then rows whose other half is gone. Nothing is
 * written or locked, and what is kept between two pages does not grow with the database.
 */
import { machineDigest } from '../config/machine-digest.ts';
import type { Machine } from '../ordering/machine.ts';
import type { OrderKey } from '../ordering/state.ts';
import {
  selectEffectsToCompare,
  selectEntriesToCompare,
  selectEventsToCompare,
  selectMachines,
  selectOrdersToCompare,
} from '../store/integrity-orders.ts';
import {
  selectBrokenCursors,
  selectHighestId,
  selectLinksToCompare,
  selectStoredBeside,
  selectWithoutEvent,
  selectWithoutOrder,
} from '../store/integrity-rows.ts';
import type { LinkToCompare, StoredBeside } from '../store/integrity-rows.ts';
import { inSnapshot } from '../store/snapshot.ts';
import type { Queryable, Store } from '../store/store.ts';
import { compareEffect } from './compare-effect.ts';
import { compareEvent } from './compare-event.ts';
import { compareLinks, compareStored, taughtBy } from './compare-stored.ts';
import { BACKUP, nameOfOrder } from './finding.ts';
import type { Tell } from './finding.ts';
import { OrderAccount } from './order-account.ts';

export interface CheckedStore {
  orders: number;
  entries: number;
  events: number;
  effects: number;
  findings: number;
}

export interface CheckStoreOptions {
  /** Each finding as it is found; they are not collected. */
  onFinding: Tell;
  onProgress?: (sofar: CheckedStore) => void;
  /** Orders of one snapshot. */
  page?: number;
  /** Rows read at once. */
  rows?: number;
}

export async function checkStore(store: Store, options: CheckStoreOptions): Promise<CheckedStore> {
  const { page = 200, rows = 2_000, onProgress = () => {} } = options;
  const sums: CheckedStore = { orders: 0, entries: 0, events: 0, effects: 0, findings: 0 };
  const tell: Tell = (finding) => {
    sums.findings += 1;
    options.onFinding(finding);
  };
  const look = { tell, sums, rows };
  const told = new Set<string>();
  for (let after: OrderKey | null = null; ;) {
    const from: OrderKey | null = after;
    after = await inSnapshot(store, async (db) => {
      // Read with each page: a version that was entered meanwhile may have decided already.
      const machines = await readMachines(db, told, tell);
      return checkOrders(db, from, page, { ...look, machines });
    });
    onProgress(sums);
    if (after === null) break;
  }
  for (let after: string | null = '0'; after !== null;) {
    const from: string = after;
    after = await inSnapshot(store, (db) => checkEvents(db, from, look));
    onProgress(sums);
  }
  for (const table of ['journal', 'effects'] as const) {
    const highest = await selectHighestId(store, table);
    for (let after = 0n; after < highest; after += RANGE) {
      const lost = await selectWithoutOrder(store, table, after, after + RANGE);
      for (const { key, total } of lost)
        tell({
          about: 'order',
          of: nameOfOrder(key),
          seen: `it is not there, and ${total} rows of ${table} speak of it`,
          fix: BACKUP,
        });
    }
  }
  for (const { source, seen } of await selectBrokenCursors(store))
    tell({
      about: 'cursor',
      of: source,
      seen,
      fix: `read its list again by hand: \`inorder reconcile ${source} --since …\``,
    });
  return sums;
}

/** Rows of journal and effects that are looked at with one statement. */
const RANGE = 20_000n;

interface Look {
  tell: Tell;
  sums: CheckedStore;
  rows: number;
}

interface Machines {
  at: (name: string, version: number) => Machine | undefined;
  of: (name: string) => Machine[];
}

async function readMachines(db: Queryable, told: Set<string>, tell: Tell): Promise<Machines> {
  const stored = await selectMachines(db);
  for (const { name, version, digest, machine } of stored) {
    const of = `${name} version ${version}`;
    const isSame = machineDigest(machine) === digest && machine.name === name && machine.version === version;
    if (isSame || told.has(of)) continue;
    told.add(of);
    tell({
      about: 'machine',
      of,
      seen: 'its table is not the one that was entered: the digest differs',
      fix: BACKUP,
    });
  }
  return {
    at: (name, version) => stored.find((one) => one.name === name && one.version === version)?.machine,
    of: (name) => stored.filter((one) => one.name === name).map(({ machine }) => machine),
  };
}

/** One page of orders; the key of its last one, null after the last page. */
async function checkOrders(
  db: Queryable,
  after: OrderKey | null,
  page: number,
  { tell, sums, rows, machines }: Look & { machines: Machines },
): Promise<OrderKey | null> {
  const orders = await selectOrdersToCompare(db, after, page);
  if (orders.length === 0) return null;
  const ids = [...new Set(orders.map(({ key }) => key.id))];
  const accounts = new Map(
    orders.map((row) => [nameOfOrder(row.key), new OrderAccount(row, machines.at, tell)]),
  );
  // Orders of other pages that share an id are looked at with theirs.
  const accountOf = (key: OrderKey) => accounts.get(nameOfOrder(key));
  await inPages(
    rows,
    (from) => selectEntriesToCompare(db, ids, from, rows),
    (entry) => {
      accountOf(entry.key)?.fold(entry);
      sums.entries += accountOf(entry.key) === undefined ? 0 : 1;
      return entry.id;
    },
  );
  for (const account of accounts.values()) account.endOfJournal();
  await inPages(
    rows,
    (from) => selectEventsToCompare(db, ids, from, rows),
    (event) => {
      const account = accountOf(event.key);
      if (account !== undefined) compareEvent(account, event);
      return event.seq;
    },
  );
  await inPages(
    rows,
    (from) => selectEffectsToCompare(db, ids, from, rows),
    (effect) => {
      const account = accountOf(effect.key);
      if (account !== undefined) compareEffect(account, effect, machines.of(effect.key.machine));
      sums.effects += account === undefined ? 0 : 1;
      return effect.id;
    },
  );
  for (const account of accounts.values()) account.end();
  sums.orders += orders.length;
  return orders.length < page ? null : (orders.at(-1)?.key ?? null);
}

async function inPages<Row>(
  size: number,
  read: (after: string) => Promise<Row[]>,
  look: (row: Row) => string,
): Promise<void> {
  for (let after = '0'; ;) {
    const page = await read(after);
    for (const row of page) after = look(row);
    if (page.length < size) return;
  }
}

/** One page of events with what stands beside them; the number of its last one, null after the last page. */
async function checkEvents(db: Queryable, after: string, { tell, sums, rows }: Look): Promise<string | null> {
  const events = await selectStoredBeside(db, after, rows);
  const links = await linksOf(db, events);
  for (const event of events) {
    compareStored(event, tell);
    compareLinks(event, links, tell);
  }
  sums.events += events.length;
  const last = events.length < rows ? null : (events.at(-1)?.seq ?? null);
  for (const { table, seq, total } of await selectWithoutEvent(db, after, last))
    tell({
      about: table === 'bodies' ? 'body' : table === 'unlinked' ? 'link' : 'delivery',
      of: `event ${seq}`,
      seen: `${total} rows of ${table} belong to ${table === 'unlinked' ? 'no event that waits for its order' : 'no delivery of an event'}`,
      fix: BACKUP,
    });
  return last;
}

async function linksOf(db: Queryable, events: readonly StoredBeside[]): Promise<Map<string, LinkToCompare>> {
  const bySource = new Map<string, Set<string>>();
  for (const event of events) {
    const refs = bySource.get(event.source) ?? new Set<string>();
    bySource.set(event.source, refs);
    for (const ref of taughtBy(event)) refs.add(ref);
  }
  const links = new Map<string, LinkToCompare>();
  for (const [source, refs] of bySource) {
    if (refs.size === 0) continue;
    for (const link of await selectLinksToCompare(db, source, [...refs]))
      links.set(`${source} ${link.ref}`, link);
  }
  return links;
}
