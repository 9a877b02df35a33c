/** What people see of `events`: lists, one event with its deliveries and bytes, an order's timeline. */
import type { Facts, OrderKey, Outcome } from '../ordering/state.ts';
import { selectBodies } from './bodies.ts';
import { selectDeliveries } from './deliveries.ts';
import type { StoredDelivery } from './deliveries.ts';
import { toDatetime } from './instant.ts';
import { LISTED } from './events.ts';
import type { Queryable } from './store.ts';
import { equals, where } from './where.ts';

export interface EventFilter {
  machine?: string;
  environment?: string;
  order?: string;
  source?: string;
  type?: string;
  /** `waiting`: of an order, and not taken yet. */
  outcome?: Outcome | 'waiting';
  receivedFromMs?: number;
  receivedUntilMs?: number;
  /** Older ones than this, for the next page. */
  beforeSeq?: string;
  limit: number;
}

/** What brought an event first. */
export type FoundBy = 'webhook' | 'listing';

export interface ListedEvent {
  seq: string;
  source: string;
  event: string;
  /** null: not linked to an order. */
  order: OrderKey | null;
  machine: string;
  environment: string;
  object: string;
  payment: string | null;
  providerType: string;
  type: string | null;
  version: string | null;
  claimedAt: string | null;
  receivedAt: string;
  /** How many webhooks brought it; none, where it was only found in the provider's list. */
  deliveries: number;
  /** null: stored, and not taken by its workflow yet. */
  outcome: Outcome | null;
  reason: string | null;
  from: string | null;
  to: string | null;
  revision: number | null;
  takenAt: string | null;
  settledAt: string | null;
  /** null: no webhook brought it, it was found in the provider's list. */
  secretId: string | null;
  foundBy: FoundBy;
  worker: string | null;
  machineVersion: number | null;
  conflictOf: string | null;
}

const LISTED_COLUMNS = `
  seq, source, event_id, machine, environment, order_id, object, payment, provider_type, type, version, claimed_at,
  received_at, outcome, reason, status_from, status_to, revision, taken_at, settled_at, secret_id, worker,
  machine_version, conflict_of,
  1 + (SELECT COUNT(*) FROM deliveries WHERE deliveries.seq = events.seq) AS deliveries`;

interface ListedRow {
  seq: string;
  source: string;
  event_id: string;
  machine: string;
  environment: string;
  order_id: string | null;
  object: string;
  payment: string | null;
  provider_type: string;
  type: string | null;
  version: string | null;
  claimed_at: string | null;
  received_at: string;
  outcome: Outcome | null;
  reason: string | null;
  status_from: string | null;
  status_to: string | null;
  revision: string | null;
  taken_at: string | null;
  settled_at: string | null;
  secret_id: string;
  worker: string | null;
  machine_version: number | null;
  conflict_of: string | null;
  deliveries: string;
}

const foundBy = (secretId: string): Pick<ListedEvent, 'secretId' | 'foundBy'> =>
  secretId === LISTED ? { secretId: null, foundBy: 'listing' } : { secretId, foundBy: 'webhook' };

const toListed = (row: ListedRow): ListedEvent => ({
  seq: row.seq,
  source: row.source,
  event: row.event_id,
  order:
    row.order_id === null ? null : { machine: row.machine, environment: row.environment, id: row.order_id },
  machine: row.machine,
  environment: row.environment,
  object: row.object,
  payment: row.payment,
  providerType: row.provider_type,
  type: row.type,
  version: row.version,
  claimedAt: row.claimed_at,
  receivedAt: row.received_at,
  deliveries: Number(row.deliveries) - (row.secret_id === LISTED ? 1 : 0),
  outcome: row.outcome,
  reason: row.reason,
  from: row.status_from,
  to: row.status_to,
  revision: row.revision === null ? null : Number(row.revision),
  takenAt: row.taken_at,
  settledAt: row.settled_at,
  ...foundBy(row.secret_id),
  worker: row.worker,
  machineVersion: row.machine_version,
  conflictOf: row.conflict_of,
});

/** Newest first, by the order in which they were stored. */
export async function listEvents(db: Queryable, filter: EventFilter): Promise<ListedEvent[]> {
  const { sql, params } = where([
    equals('order_id', filter.order),
    equals('machine', filter.machine),
    equals('environment', filter.environment),
    equals('source', filter.source),
    equals('type', filter.type),
    filter.outcome === 'waiting' ? ['wake_at IS NOT NULL'] : equals('outcome', filter.outcome),
    filter.receivedFromMs === undefined ? null : ['received_at >= ?', toDatetime(filter.receivedFromMs)],
    filter.receivedUntilMs === undefined ? null : ['received_at < ?', toDatetime(filter.receivedUntilMs)],
    filter.beforeSeq === undefined ? null : ['seq < ?', BigInt(filter.beforeSeq)],
  ]);
  const rows = await db.query<ListedRow>(
    `SELECT ${LISTED_COLUMNS} FROM events ${sql} ORDER BY seq DESC LIMIT ?`,
    [...params, filter.limit],
  );
  return rows.map(toListed);
}

/** An order's events as they arrived. */
export async function selectTimeline(
  db: Queryable,
  key: OrderKey,
  { limit }: { limit: number },
): Promise<ListedEvent[]> {
  const rows = await db.query<ListedRow>(
    `SELECT ${LISTED_COLUMNS} FROM events WHERE order_id = ? AND machine = ? AND environment = ?
      ORDER BY received_at, seq LIMIT ?`,
    [key.id, key.machine, key.environment, limit],
  );
  return rows.map(toListed);
}

export interface ShownEvent extends ListedEvent {
  mode: string | null;
  account: string | null;
  createdAt: string | null;
  fact: string;
  facts: Facts;
  refs: string[];
  adapterVersion: number;
  attempts: number;
  lastAttemptAt: string | null;
  error: string | null;
  /** All of them, the first included, each with its bytes where they differ from the first one's. */
  allDeliveries: (StoredDelivery & { body: Buffer | null })[];
}

/** The events of this id; several when more than one source uses it. */
export async function showEvents(
  db: Queryable,
  { source, event }: { source?: string; event: string },
): Promise<ShownEvent[]> {
  const sources = source === undefined ? await selectSources(db) : [source];
  if (sources.length === 0) return [];
  const rows = await db.query<{ seq: string }>(
    'SELECT seq FROM events WHERE source IN (?) AND event_id = ? ORDER BY seq',
    [sources, event],
  );
  const shown: ShownEvent[] = [];
  for (const { seq } of rows) {
    const one = await showEvent(db, seq);
    if (one) shown.push(one);
  }
  return shown;
}

/** The key begins with the source; naming them all keeps the search on it. */
async function selectSources(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ source: string }>('SELECT DISTINCT source FROM events');
  return rows.map(({ source }) => source);
}

export async function showEvent(db: Queryable, seq: string): Promise<ShownEvent | null> {
  const [row] = await db.query<
    ListedRow & {
      mode: string | null;
      account: string | null;
      created_at: string | null;
      fact: string;
      facts: Buffer;
      refs: Buffer;
      adapter_version: number;
      attempts: number;
      last_attempt_at: string | null;
      error: string | null;
      receipt: Buffer;
      delivery_id: string | null;
      headers: Buffer;
      fingerprint: Buffer;
    }
  >(
    `SELECT ${LISTED_COLUMNS}, mode, account, created_at, fact, facts, refs, adapter_version, attempts,
            last_attempt_at, error, receipt, delivery_id, headers, fingerprint
       FROM events WHERE seq = ?`,
    [BigInt(seq)],
  );
  if (!row) return null;
  const bodies = await selectBodies(db, seq);
  const first: StoredDelivery = {
    receipt: row.receipt.toString('hex'),
    receivedAt: row.received_at,
    deliveryId: row.delivery_id,
    headers: JSON.parse(row.headers.toString('utf8')) as Record<string, string>,
    fingerprint: row.fingerprint.toString('hex'),
    secretId: foundBy(row.secret_id).secretId,
  };
  const all = [first, ...(await selectDeliveries(db, seq))];
  return {
    ...toListed(row),
    mode: row.mode,
    account: row.account,
    createdAt: row.created_at,
    fact: row.fact,
    facts: JSON.parse(row.facts.toString('utf8')) as Facts,
    refs: JSON.parse(row.refs.toString('utf8')) as string[],
    adapterVersion: row.adapter_version,
    attempts: row.attempts,
    lastAttemptAt: row.last_attempt_at,
    error: row.error,
    allDeliveries: all.map((delivery) => ({ ...delivery, body: bodies.get(delivery.receipt) ?? null })),
  };
}
