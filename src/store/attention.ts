/**
 * The tables `attention_changes` and `attention_calls`: what people are to be told about orders that need them, and
 * how far that is.
 *
 * 1. A change is written in the transaction of its decision, and deleted in the one that puts it into a call: it is
 *    told of exactly once, whatever dies in between.
 * 2. A kind and source have one open call at most. Its key and bytes stand until it has succeeded.
 * 3. All times are by the database's clock.
 */
import type { AttentionChange } from '../notify/changes.ts';
import type { AttentionKind, OrderKey } from '../ordering/state.ts';
import { clip } from './clip.ts';
import type { Queryable, SqlValue, Store } from './store.ts';

const MAX_REASON_BYTES = 500;
/** More of them wait for the next call: a transaction has to stay small. */
const MAX_CHANGES_PER_CALL = 5_000;

export interface OrderAt {
  status: string;
  revision: number;
}

export async function insertAttentionChanges(
  tx: Queryable,
  key: OrderKey,
  { status, revision }: OrderAt,
  changes: readonly AttentionChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ kind, source, hasEnded, reason }): SqlValue[] => [
    kind,
    source,
    hasEnded ? 1 : 0,
    key.machine,
    key.environment,
    key.id,
    status,
    revision,
    clip(reason, MAX_REASON_BYTES),
  ]);
  await tx.write(
    `INSERT INTO attention_changes
       (kind, source, has_ended, machine, environment, order_id, status, revision, reason) VALUES ?`,
    [rows],
  );
}

/** What the calls of one kind are about. */
export interface Subject {
  kind: AttentionKind;
  source: string;
}

/** An order's attention that changed, as it is told of. */
export interface StoredChange extends AttentionChange, OrderAt {
  key: OrderKey;
}

/** Those with changes, no open call, and none that succeeded within the window. */
export async function selectSubjectsToTell(db: Queryable, windowMs: number): Promise<Subject[]> {
  return await db.query<{ kind: AttentionKind; source: string }>(
    `SELECT changed.kind, changed.source
       FROM (SELECT kind, source FROM attention_changes GROUP BY kind, source) changed
       LEFT JOIN attention_calls ON attention_calls.kind = changed.kind AND attention_calls.source = changed.source
      WHERE attention_calls.kind IS NULL OR ${IS_READY}`,
    [micros(windowMs)],
  );
}

const IS_READY = `(attention_calls.body IS NULL
  AND (told_at IS NULL OR told_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND))`;

/** false: another worker was first. */
export async function openCall(
  store: Store,
  subject: Subject,
  windowMs: number,
  make: (changes: readonly StoredChange[]) => { id: string; body: Buffer },
): Promise<boolean> {
  const of = [subject.kind, subject.source];
  return store.transaction(async (tx) => {
    await tx.write(
      'INSERT INTO attention_calls (kind, source) VALUES (?) ON DUPLICATE KEY UPDATE kind = VALUES(kind)',
      [of],
    );
    const ready = await tx.query(
      `SELECT 1 FROM attention_calls WHERE kind = ? AND source = ? AND ${IS_READY} FOR UPDATE`,
      [...of, micros(windowMs)],
    );
    if (ready.length === 0) return false;
    const { ids, changes } = await lockChanges(tx, subject);
    if (changes.length === 0) return false;
    const { id, body } = make(changes);
    await tx.write(
      `UPDATE attention_calls
          SET call_id = ?, body = ?, attempts = 0, failures = 0, next_attempt_at = UTC_TIMESTAMP(6), error = NULL
        WHERE kind = ? AND source = ?`,
      [id, body, ...of],
    );
    await tx.write('DELETE FROM attention_changes WHERE id IN (?)', [ids.map(BigInt)]);
    return true;
  });
}

/** Rows of decisions that are still being committed are not seen, and wait for the next call. */
async function lockChanges(
  tx: Queryable,
  { kind, source }: Subject,
): Promise<{ ids: string[]; changes: StoredChange[] }> {
  const rows = await tx.query<{
    id: string;
    has_ended: number;
    machine: string;
    environment: string;
    order_id: string;
    status: string;
    revision: string;
    reason: string;
  }>(
    `SELECT id, has_ended, machine, environment, order_id, status, revision, reason FROM attention_changes
      WHERE kind = ? AND source = ? ORDER BY id LIMIT ${MAX_CHANGES_PER_CALL} FOR UPDATE SKIP LOCKED`,
    [kind, source],
  );
  const changes = rows.map((row) => ({
    kind,
    source,
    hasEnded: row.has_ended === 1,
    reason: row.reason,
    key: { machine: row.machine, environment: row.environment, id: row.order_id },
    status: row.status,
    revision: Number(row.revision),
  }));
  return { ids: rows.map(({ id }) => id), changes };
}

/** A call for one attempt. */
export interface ClaimedCall extends Subject {
  id: string;
  body: Buffer;
  attempt: number;
  /** Before this attempt. */
  failures: number;
}

/** A claim is due again after the lease: a worker that dies leaves nothing behind. */
export async function claimCalls(store: Store, leaseMs: number, limit: number): Promise<ClaimedCall[]> {
  return store.transaction(async (tx) => {
    const rows = await tx.query<{
      kind: AttentionKind;
      source: string;
      call_id: string;
      body: Buffer;
      attempts: number;
      failures: number;
    }>(
      `SELECT kind, source, call_id, body, attempts, failures FROM attention_calls
        WHERE next_attempt_at <= UTC_TIMESTAMP(6) ORDER BY next_attempt_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      [limit],
    );
    const claimed: ClaimedCall[] = [];
    for (const { kind, source, call_id: id, body, attempts, failures } of rows) {
      await tx.write(
        `UPDATE attention_calls
            SET attempts = attempts + 1, next_attempt_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
          WHERE kind = ? AND source = ?`,
        [micros(leaseMs), kind, source],
      );
      claimed.push({ kind, source, id, body, attempt: attempts + 1, failures });
    }
    return claimed;
  });
}

export async function endCall(db: Queryable, { kind, source, id }: ClaimedCall): Promise<void> {
  await db.write(
    `UPDATE attention_calls SET body = NULL, next_attempt_at = NULL, told_at = UTC_TIMESTAMP(6), error = NULL
      WHERE kind = ? AND source = ? AND call_id = ? AND body IS NOT NULL`,
    [kind, source, id],
  );
}

/** Nothing is written when a later attempt has taken over. */
export async function delayCall(
  db: Queryable,
  { kind, source, id, attempt }: ClaimedCall,
  { delayMs, error }: { delayMs: number; error: string },
): Promise<void> {
  await db.write(
    `UPDATE attention_calls
        SET failures = failures + 1, error = ?, next_attempt_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
      WHERE kind = ? AND source = ? AND call_id = ? AND attempts = ? AND body IS NOT NULL`,
    [clip(error, MAX_REASON_BYTES), micros(delayMs), kind, source, id, attempt],
  );
}

const micros = (ms: number): number => Math.round(ms * 1_000);
