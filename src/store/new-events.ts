/**
 * Events that are new, with bodies and links, as one packet: what nearly all groups of the door are.
 *
 * 1. It does not look first. An id that is stored already fails all of it with a duplicate key, and nothing counts.
 * 2. Numbers are reckoned from the first one: those of one INSERT of known length follow each other, in the steps
 *    of its session, in each `innodb_autoinc_lock_mode` of MySQL and MariaDB, with other writers beside it. This
 *    holds because no row brings its own number and nothing updates on a duplicate key. In a cluster the steps are
 *    the server's to choose, so it is asked in the same transaction.
 */
import { insertingBodies } from './bodies.ts';
import { insertingEvents } from './events.ts';
import type { EventToInsert } from './events.ts';
import { insertingLinks, insertingUnlinked } from './links.ts';
import type { Link, UnlinkedEvent } from './links.ts';
import type { Expression, Statement, Store } from './store.ts';

/** Their numbers, in the order of `rows`. */
export async function commitNewEvents(
  store: Store,
  rows: readonly EventToInsert[],
  links: readonly Link[],
): Promise<string[]> {
  const bodies = rows.map(({ event, receipt }, index) => ({
    seq: numberOf(index),
    receipt,
    body: event.body,
  }));
  const unlinked: UnlinkedEvent[] = [];
  for (const [index, { event, order }] of rows.entries()) {
    if (event.outcome !== null || order !== null || event.refs.length === 0) continue;
    unlinked.push({ seq: numberOf(index), source: event.source, refs: event.refs });
  }
  const statements: Statement[] = [insertingEvents(rows), insertingBodies(bodies)];
  if (unlinked.length > 0) statements.push(insertingUnlinked(unlinked));
  // Last, because other receivers may be saying the same and wait until this is committed.
  if (links.length > 0) statements.push(insertingLinks(links));
  const [numbers] = await store.commit<{ first: string; step: string }>([
    ...statements,
    { sql: 'SELECT LAST_INSERT_ID() AS first, @@auto_increment_increment AS step', params: [] },
  ]);
  const first = BigInt(numbers?.first ?? 0);
  const step = BigInt(numbers?.step ?? 1);
  return rows.map((_, index) => String(first + BigInt(index) * step));
}

const numberOf = (index: number): Expression => ({
  toSqlString: () => `LAST_INSERT_ID() + ${String(index)} * @@auto_increment_increment`,
});
