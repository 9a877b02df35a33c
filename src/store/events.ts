/**
 * The table `events`: what the door writes and what deciding an order reads and settles. Sweeping and listing have
 * files of their own.
 *
 * 1. (source, event id) is unique by the database's key, byte for byte (R7, R12); nothing is ever inserted with
 *    IGNORE, which would cut what does not fit.
 * 2. A row is settled once. Only the outcome `review` may become another one later.
 */
import { hash } from 'node:crypto';
import type { Facts, FinalOutcome, OrderEvent, OrderKey, Outcome } from '../ordering/state.ts';
import { clip } from './clip.ts';
import { toDatetime } from './instant.ts';
import type { Link } from './links.ts';
import { NOW } from './store.ts';
import type { Queryable, SqlValue, Statement } from './store.ts';

/** One parsed and normalised event of one authentic delivery, before it is stored. */
export interface NewEvent {
  source: string;
  environment: string;
  machine: string;
  mode: string | null;
  account: string | null;
  eventId: string;
  deliveryId: string | null;
  providerType: string;
  type: string | null;
  /** null: unlinked, unless a link says otherwise. */
  order: string | null;
  object: string;
  /** `<source>/<object>` */
  stream: string;
  payment: string | null;
  version: string | null;
  claimedAt: string | null;
  createdAt: string | null;
  /** Epoch ms, with a fraction. */
  receivedAtMs: number;
  headers: Record<string, string>;
  /** SHA-256 of the raw body. */
  fingerprint: Buffer;
  /** LISTED where nothing was signed. */
  secretId: string;
  adapterVersion: number;
  fact: string;
  facts: Facts;
  /** All objects it names, its own too. */
  refs: string[];
  body: Buffer;
  /** Settled at the door: archived, foreign, failed, ignored. */
  outcome: FinalOutcome | null;
  reason: string | null;
}

/**
 * Stands where the id of the confirming secret does, in events that no webhook brought: they were found in the
 * provider's list. No secret can be called so.
 */
export const LISTED = '(listed)';

/** A new event as it goes into the table. */
export interface EventToInsert {
  event: NewEvent;
  receipt: Buffer;
  eventId: string;
  order: string | null;
  conflictOf: string | null;
}

/** What the door needs to know of a row that is there already. */
export interface KnownEvent {
  seq: string;
  source: string;
  eventId: string;
  receipt: Buffer;
  object: string;
  version: string | null;
  fact: string;
  order: string | null;
  fingerprint: Buffer;
  isConflict: boolean;
  taken: boolean;
  settled: boolean;
}

export interface EventName {
  source: string;
  eventId: string;
}

const MAX_REASON_BYTES = 1_000;
const MAX_WORKER_BYTES = 128;

const INSERTED_COLUMNS = [
  'source, event_id, receipt, machine, environment, order_id, mode, account, delivery_id, provider_type, type',
  'object, payment, version, claimed_at, created_at, received_at, headers, facts, refs, fingerprint, secret_id',
  'adapter_version, fact, news, conflict_of, outcome, reason, taken_at, settled_at, wake_at',
].join(', ');

export const insertingEvents = (rows: readonly EventToInsert[]): Statement => ({
  sql: `INSERT INTO events (${INSERTED_COLUMNS}) VALUES ?`,
  params: [rows.map(insertedValues)],
});

export async function insertEvents(tx: Queryable, rows: readonly EventToInsert[]): Promise<void> {
  const { sql, params } = insertingEvents(rows);
  await tx.write(sql, params);
}

function insertedValues({ event, receipt, eventId, order, conflictOf }: EventToInsert): SqlValue[] {
  const isSettled = event.outcome !== null;
  const isUnlinked = !isSettled && order === null;
  return [
    event.source,
    eventId,
    receipt,
    event.machine,
    event.environment,
    order,
    event.mode,
    event.account,
    event.deliveryId,
    event.providerType,
    event.type,
    event.object,
    event.payment,
    event.version,
    event.claimedAt,
    event.createdAt,
    toDatetime(event.receivedAtMs),
    JSON.stringify(event.headers),
    JSON.stringify(event.facts),
    JSON.stringify(event.refs),
    event.fingerprint,
    event.secretId,
    event.adapterVersion,
    event.fact,
    newsOf(event.environment, event.stream, event.version, event.fact),
    conflictOf === null ? null : BigInt(conflictOf),
    isUnlinked ? 'unlinked' : event.outcome,
    clip(event.reason, MAX_REASON_BYTES),
    isSettled ? NOW : null,
    isSettled ? NOW : null,
    isSettled || isUnlinked ? null : NOW,
  ];
}

/** Finds the same versioned news under any id; the columns themselves are compared as well. */
function newsOf(environment: string, stream: string, version: string | null, fact: string): Buffer | null {
  if (version === null) return null;
  return hash('sha256', JSON.stringify([environment, stream, version, fact]), 'buffer').subarray(0, 8);
}

export async function selectKnown(tx: Queryable, names: readonly EventName[]): Promise<KnownEvent[]> {
  if (names.length === 0) return [];
  const idsBySource = new Map<string, string[]>();
  for (const { source, eventId } of names) {
    const ids = idsBySource.get(source);
    if (ids) ids.push(eventId);
    else idsBySource.set(source, [eventId]);
  }
  // Not (source, event_id) IN ((…), …): not every server uses the key for that.
  const conditions = [...idsBySource].map(() => '(source = ? AND event_id IN (?))').join(' OR ');
  const rows = await tx.query<Record<string, unknown>>(
    `SELECT seq, source, event_id, receipt, object, version, fact, order_id, fingerprint,
            conflict_of, taken_at, settled_at
       FROM events WHERE ${conditions}`,
    [...idsBySource].flat(),
  );
  return rows.map((row) => ({
    seq: row['seq'] as string,
    source: row['source'] as string,
    eventId: row['event_id'] as string,
    receipt: row['receipt'] as Buffer,
    object: row['object'] as string,
    version: row['version'] as string | null,
    fact: row['fact'] as string,
    order: row['order_id'] as string | null,
    fingerprint: row['fingerprint'] as Buffer,
    isConflict: row['conflict_of'] !== null,
    taken: row['taken_at'] !== null,
    settled: row['settled_at'] !== null,
  }));
}

/** Fails at once, as after a lock wait, while another session is writing this event. */
export async function refuseIfLocked(tx: Queryable, { source, eventId }: EventName): Promise<void> {
  await tx.query('SELECT seq FROM events WHERE source = ? AND event_id = ? FOR UPDATE NOWAIT', [
    source,
    eventId,
  ]);
}

/** The columns an OrderEvent is made of. */
export const ORDER_EVENT_COLUMNS =
  'seq, source, event_id, object, type, payment, version, claimed_at, created_at, fact, facts, conflict_of';
export interface OrderEventRow {
  seq: string;
  source: string;
  event_id: string;
  object: string;
  type: string | null;
  payment: string | null;
  version: string | null;
  claimed_at: string | null;
  created_at: string | null;
  fact: string;
  facts: Buffer;
  conflict_of: string | null;
}

export function toOrderEvent(row: OrderEventRow): OrderEvent {
  return {
    seq: row.seq,
    source: row.source,
    event: row.event_id,
    stream: `${row.source}/${row.object}`,
    type: row.type,
    payment: row.payment,
    version: row.version,
    claimedAt: row.claimed_at,
    ...(row.created_at === null ? {} : { createdAt: row.created_at }),
    fact: row.fact,
    facts: JSON.parse(row.facts.toString('utf8')) as Facts,
    ...(row.conflict_of === null ? {} : { conflict: true }),
  };
}

export async function selectUntakenOfOrder(
  db: Queryable,
  key: OrderKey,
  limit: number,
  afterSeq = '0',
): Promise<OrderEvent[]> {
  const rows = await db.query<OrderEventRow>(
    `SELECT ${ORDER_EVENT_COLUMNS} FROM events
      WHERE order_id = ? AND machine = ? AND environment = ? AND taken_at IS NULL AND seq > ?
      ORDER BY seq LIMIT ?`,
    [key.id, key.machine, key.environment, BigInt(afterSeq), limit],
  );
  return rows.map(toOrderEvent);
}

/** What `apply` looks at before it writes. */
export interface LockedEvent {
  seq: string;
  source: string;
  event: string;
  machine: string;
  environment: string;
  order: string | null;
  /** The orders that its object and its payment are linked to. */
  links: Link[];
  isOfOrder: boolean;
  outcome: Outcome | null;
  reason: string | null;
  settled: boolean;
}

export async function lockEvents(
  tx: Queryable,
  key: OrderKey,
  seqs: readonly string[],
): Promise<LockedEvent[]> {
  if (seqs.length === 0) return [];
  const rows = await tx.query<{
    seq: string;
    source: string;
    event_id: string;
    machine: string;
    environment: string;
    order_id: string | null;
    outcome: Outcome | null;
    reason: string | null;
    settled_at: string | null;
    object: string;
    payment: string | null;
    order_of_object: string | null;
    order_of_payment: string | null;
  }>(
    // The look-ups by primary key ride along: a round of their own would cost more than they do.
    `SELECT seq, source, event_id, machine, environment, order_id, outcome, reason, settled_at, object, payment,
            (SELECT order_id FROM links
              WHERE links.source = events.source AND links.ref = events.object) AS order_of_object,
            (SELECT order_id FROM links
              WHERE links.source = events.source
                AND links.ref = CONCAT('payment:', events.payment)) AS order_of_payment
       FROM events WHERE seq IN (?) ORDER BY seq FOR UPDATE`,
    [seqs.map(BigInt)],
  );
  return rows.map((row) => ({
    seq: row.seq,
    source: row.source,
    event: row.event_id,
    machine: row.machine,
    environment: row.environment,
    order: row.order_id,
    links: [
      ...(row.order_of_object === null
        ? []
        : [{ source: row.source, ref: row.object, order: row.order_of_object }]),
      ...(row.order_of_payment === null
        ? []
        : [{ source: row.source, ref: `payment:${row.payment}`, order: row.order_of_payment }]),
    ],
    isOfOrder: row.order_id === key.id && row.machine === key.machine && row.environment === key.environment,
    outcome: row.outcome,
    reason: row.reason,
    settled: row.settled_at !== null,
  }));
}

/** Versioned news of an order, by which a settled twin is looked for. */
export interface News {
  seq: string;
  stream: string;
  version: string;
  fact: string;
}

/** The `seq`s of those whose news this order has settled under another id. */
export async function selectTwins(tx: Queryable, key: OrderKey, news: readonly News[]): Promise<Set<string>> {
  if (news.length === 0) return new Set();
  const digests = news.map(({ stream, version, fact }) => newsOf(key.environment, stream, version, fact));
  const rows = await tx.query<{ source: string; object: string; version: string; fact: string; seq: string }>(
    `SELECT seq, source, object, version, fact FROM events
      WHERE news IN (?) AND order_id = ? AND machine = ? AND environment = ? AND settled_at IS NOT NULL
        AND outcome IN ('applied', 'ignored', 'stale', 'superseded', 'review')`,
    [digests, key.id, key.machine, key.environment],
  );
  const batch = new Set(news.map(({ seq }) => seq));
  const settled = new Set(
    rows
      .filter(({ seq }) => !batch.has(seq))
      .map((row) => JSON.stringify([`${row.source}/${row.object}`, row.version, row.fact])),
  );
  return new Set(
    news
      .filter(({ stream, version, fact }) => settled.has(JSON.stringify([stream, version, fact])))
      .map(({ seq }) => seq),
  );
}

export interface OutcomeToWrite {
  seq: string;
  outcome: Outcome;
  reason: string | null;
  from: string;
  to: string;
}

/** One statement for the whole batch. A held event is taken; every other outcome settles. */
export async function writeOutcomes(
  tx: Queryable,
  outcomes: readonly OutcomeToWrite[],
  { revision, worker, machineVersion }: { revision: number; worker: string; machineVersion: number },
): Promise<void> {
  if (outcomes.length === 0) return;
  const per = (pick: (outcome: OutcomeToWrite) => SqlValue): SqlValue[] =>
    outcomes.flatMap((outcome) => [BigInt(outcome.seq), pick(outcome)]);
  const cases = (column: string): string =>
    `${column} = CASE seq ${outcomes.map(() => 'WHEN ? THEN ?').join(' ')} END`;
  const settled = outcomes.filter(({ outcome }) => outcome !== 'held').map(({ seq }) => BigInt(seq));
  const seqs = outcomes.map(({ seq }) => BigInt(seq));
  await tx.write(
    `UPDATE events
        SET ${cases('outcome')}, ${cases('reason')}, ${cases('status_from')}, ${cases('status_to')},
            revision = ?, worker = ?, machine_version = ?, wake_at = NULL,
            taken_at = COALESCE(taken_at, UTC_TIMESTAMP(6)),
            settled_at = ${settled.length === 0 ? 'NULL' : 'IF(seq IN (?), UTC_TIMESTAMP(6), NULL)'}
      WHERE seq IN (?)`,
    [
      ...per(({ outcome }) => outcome),
      ...per(({ reason }) => clip(reason, MAX_REASON_BYTES)),
      ...per(({ from }) => from),
      ...per(({ to }) => to),
      revision,
      clip(worker, MAX_WORKER_BYTES),
      machineVersion,
      ...(settled.length === 0 ? [] : [settled]),
      seqs,
    ],
  );
}
