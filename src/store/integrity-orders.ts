/**
 * Orders with all that was written about them, in pages, for comparing one with the other. Each function reads what
 * follows the place where it stopped the last time, so that an order of any size is read in bounded memory.
 */
import type { JournalKind, OrderKey, Outcome } from '../ordering/state.ts';
import type { EffectState } from '../effects/row.ts';
import type { Machine } from '../ordering/machine.ts';
import type { Queryable } from './store.ts';

export interface OrderToCompare {
  key: OrderKey;
  status: string;
  bearer: string | null;
  revision: number;
  machineVersion: number | null;
  state: Buffer;
  attention: Buffer;
  attentionKinds: string;
  attentionSinceMs: number | null;
  dueAtMs: number | null;
  isWoken: boolean;
}

const MILLIS = (column: string): string =>
  `TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', ${column}) DIV 1000`;
const millis = (text: string | null): number | null => (text === null ? null : Number(text));

/** In the order of their keys, after this one; null: from the first. */
export async function selectOrdersToCompare(
  db: Queryable,
  after: OrderKey | null,
  limit: number,
): Promise<OrderToCompare[]> {
  const behind = `WHERE order_id >= ?
        AND (order_id > ? OR machine > ? OR (machine = ? AND environment > ?))`;
  const rows = await db.query<{
    machine: string;
    environment: string;
    order_id: string;
    status: string;
    bearer: string | null;
    revision: string;
    machine_version: number | null;
    state: Buffer;
    attention: Buffer;
    attention_kinds: string;
    since_ms: string | null;
    due_ms: string | null;
    is_woken: number;
  }>(
    `SELECT machine, environment, order_id, status, bearer, revision, machine_version, state, attention,
            attention_kinds, ${MILLIS('attention_since')} AS since_ms, ${MILLIS('due_at')} AS due_ms,
            wake_at IS NOT NULL AS is_woken
       FROM orders ${after === null ? '' : behind}
      ORDER BY order_id, machine, environment LIMIT ?`,
    after === null ? [limit] : [after.id, after.id, after.machine, after.machine, after.environment, limit],
  );
  return rows.map((row) => ({
    key: { machine: row.machine, environment: row.environment, id: row.order_id },
    status: row.status,
    bearer: row.bearer,
    revision: Number(row.revision),
    machineVersion: row.machine_version,
    state: row.state,
    attention: row.attention,
    attentionKinds: row.attention_kinds,
    attentionSinceMs: millis(row.since_ms),
    dueAtMs: millis(row.due_ms),
    isWoken: row.is_woken === 1,
  }));
}

/** The event that an entry of the journal names, as it is stored now. */
export interface CauseToCompare {
  seq: string;
  source: string;
  event: string;
  /** null: the store has no such event. */
  stored: {
    isSame: boolean;
    isOfOrder: boolean;
    outcome: Outcome | null;
    revision: number | null;
    payment: string | null;
    fact: string;
    facts: Buffer;
  } | null;
}

export interface EntryToCompare {
  id: string;
  key: OrderKey;
  revision: number;
  kind: JournalKind;
  stream: string | null;
  type: string | null;
  from: string;
  to: string;
  machineVersion: number | null;
  cause: CauseToCompare | null;
}

/** Of these orders, in the order of writing. */
export async function selectEntriesToCompare(
  db: Queryable,
  orders: readonly string[],
  after: string,
  limit: number,
): Promise<EntryToCompare[]> {
  const rows = await db.query<{
    id: string;
    machine: string;
    environment: string;
    order_id: string;
    revision: string;
    kind: JournalKind;
    stream: string | null;
    type: string | null;
    status_from: string;
    status_to: string;
    machine_version: number | null;
    cause_seq: string | null;
    cause_source: string | null;
    cause_event: string | null;
    event_order: string | null;
    event_machine: string | null;
    event_environment: string | null;
    event_source: string | null;
    event_id: string | null;
    outcome: Outcome | null;
    event_revision: string | null;
    payment: string | null;
    fact: string | null;
    facts: Buffer | null;
  }>(
    `SELECT journal.id, journal.machine, journal.environment, journal.order_id, journal.revision, journal.kind,
            journal.stream, journal.type, journal.status_from, journal.status_to, journal.machine_version,
            cause_seq, cause_source, cause_event,
            events.order_id AS event_order, events.machine AS event_machine,
            events.environment AS event_environment, events.source AS event_source, events.event_id,
            events.outcome, events.revision AS event_revision, events.payment, events.fact, events.facts
       FROM journal FORCE INDEX (journal_of_order) LEFT JOIN events ON events.seq = journal.cause_seq
      WHERE journal.order_id IN (?) AND journal.id > ? ORDER BY journal.id LIMIT ?`,
    [orders, BigInt(after), limit],
  );
  return rows.map((row) => ({
    id: row.id,
    key: { machine: row.machine, environment: row.environment, id: row.order_id },
    revision: Number(row.revision),
    kind: row.kind,
    stream: row.stream,
    type: row.type,
    from: row.status_from,
    to: row.status_to,
    machineVersion: row.machine_version,
    cause:
      row.cause_seq === null || row.cause_source === null || row.cause_event === null
        ? null
        : {
            seq: row.cause_seq,
            source: row.cause_source,
            event: row.cause_event,
            stored:
              row.event_id === null || row.fact === null || row.facts === null
                ? null
                : {
                    isSame: row.event_source === row.cause_source && row.event_id === row.cause_event,
                    isOfOrder:
                      row.event_order === row.order_id &&
                      row.event_machine === row.machine &&
                      row.event_environment === row.environment,
                    outcome: row.outcome,
                    revision: millis(row.event_revision),
                    payment: row.payment,
                    fact: row.fact,
                    facts: row.facts,
                  },
          },
  }));
}

export interface EventToCompare {
  seq: string;
  key: OrderKey;
  source: string;
  event: string;
  stream: string;
  version: string | null;
  outcome: Outcome | null;
  from: string | null;
  to: string | null;
  revision: number | null;
  machineVersion: number | null;
  isTaken: boolean;
  isSettled: boolean;
  isWoken: boolean;
}

export async function selectEventsToCompare(
  db: Queryable,
  orders: readonly string[],
  after: string,
  limit: number,
): Promise<EventToCompare[]> {
  const rows = await db.query<{
    seq: string;
    machine: string;
    environment: string;
    order_id: string;
    source: string;
    event_id: string;
    object: string;
    version: string | null;
    outcome: Outcome | null;
    status_from: string | null;
    status_to: string | null;
    revision: string | null;
    machine_version: number | null;
    is_taken: number;
    is_settled: number;
    is_woken: number;
  }>(
    `SELECT seq, machine, environment, order_id, source, event_id, object, version, outcome, status_from,
            status_to, revision, machine_version, taken_at IS NOT NULL AS is_taken,
            settled_at IS NOT NULL AS is_settled, wake_at IS NOT NULL AS is_woken
       FROM events FORCE INDEX (events_of_order) WHERE order_id IN (?) AND seq > ? ORDER BY seq LIMIT ?`,
    [orders, BigInt(after), limit],
  );
  return rows.map((row) => ({
    seq: row.seq,
    key: { machine: row.machine, environment: row.environment, id: row.order_id },
    source: row.source,
    event: row.event_id,
    stream: `${row.source}/${row.object}`,
    version: row.version,
    outcome: row.outcome,
    from: row.status_from,
    to: row.status_to,
    revision: millis(row.revision),
    machineVersion: row.machine_version,
    isTaken: row.is_taken === 1,
    isSettled: row.is_settled === 1,
    isWoken: row.is_woken === 1,
  }));
}

export interface EffectToCompare {
  id: string;
  key: OrderKey;
  effectKey: string;
  name: string;
  revision: number;
  state: EffectState;
  body: Buffer;
  hasLease: boolean;
  hasNextAttempt: boolean;
  /** Since its last change. */
  ageMs: number;
}

export async function selectEffectsToCompare(
  db: Queryable,
  orders: readonly string[],
  after: string,
  limit: number,
): Promise<EffectToCompare[]> {
  const rows = await db.query<{
    id: string;
    machine: string;
    environment: string;
    order_id: string;
    effect_key: string;
    name: string;
    revision: string;
    state: EffectState;
    body: Buffer;
    has_lease: number;
    has_next: number;
    age_micros: string;
  }>(
    `SELECT id, machine, environment, order_id, effect_key, name, revision, state, body,
            lease_until IS NOT NULL AS has_lease, next_attempt_at IS NOT NULL AS has_next,
            TIMESTAMPDIFF(MICROSECOND, updated_at, UTC_TIMESTAMP(6)) AS age_micros
       FROM effects FORCE INDEX (effects_of_order) WHERE order_id IN (?) AND id > ? ORDER BY id LIMIT ?`,
    [orders, BigInt(after), limit],
  );
  return rows.map((row) => ({
    id: row.id,
    key: { machine: row.machine, environment: row.environment, id: row.order_id },
    effectKey: row.effect_key,
    name: row.name,
    revision: Number(row.revision),
    state: row.state,
    body: row.body,
    hasLease: row.has_lease === 1,
    hasNextAttempt: row.has_next === 1,
    ageMs: Number(row.age_micros) / 1_000,
  }));
}

export interface StoredMachine {
  name: string;
  version: number;
  digest: string;
  machine: Machine;
}

export async function selectMachines(db: Queryable): Promise<StoredMachine[]> {
  const rows = await db.query<{ name: string; version: number; digest: string; data: Buffer }>(
    'SELECT name, version, digest, data FROM machines ORDER BY name, version',
  );
  return rows.map(({ data, ...row }) => ({
    ...row,
    machine: JSON.parse(data.toString('utf8')) as Machine,
  }));
}
