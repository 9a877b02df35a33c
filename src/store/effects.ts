/**
 * The table `effects`: one row per idempotency key, from the wish to its end.
 *
 * 1. A row is made in the transaction that made the decision (R30), and its body is made then, once.
 * 2. The first row of a key stands, whatever is asked later; only a dropped one begins anew, with its first body if
 *    a receiver may have seen it: one key never has two contents. One that a person has skipped does not. After a
 *    restore a new one that may have been done before begins as `uncertain`.
 * 3. Whoever writes an attempt's end names the attempt's number; a claim in between has changed it, and nothing is
 *    written (fencing).
 * 4. All times are by the database's clock.
 */
import type { OpenEffect } from '../../activities/order-activities.ts';
import { effectKey } from '../effects/key.ts';
import type { Next } from '../effects/judge-end.ts';
import type { EffectRow, EffectState } from '../effects/row.ts';
import type { Machine } from '../ordering/machine.ts';
import type { EffectRequest, OrderKey } from '../ordering/state.ts';
import { clip } from './clip.ts';
import { doubtOf, selectRestores } from './restores.ts';
import type { Queryable, SqlValue } from './store.ts';

/** What the receiver of an effect is told, and what a custom effect gets. */
function effectBody(key: OrderKey, revision: number, request: EffectRequest): Buffer {
  const { name, status, previous, cause, facts } = request;
  const order = {
    machine: key.machine,
    environment: key.environment,
    id: key.id,
    status,
    previous,
    revision,
  };
  return Buffer.from(JSON.stringify({ effect: name, order, cause, facts }), 'utf8');
}

/** The caller holds the order's row, so that no claim runs beside it. */
export async function insertEffects(
  tx: Queryable,
  key: OrderKey,
  revision: number,
  requests: readonly EffectRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const restores = await selectRestores(tx);
  const rows: SqlValue[][] = requests.map((request) => {
    const { causedAt } = request;
    const doubt =
      request.mode === 'record'
        ? null
        : doubtOf(restores, causedAt === undefined ? null : Date.parse(causedAt));
    return [
      effectKey(key, request.name, request.once),
      key.machine,
      key.environment,
      key.id,
      request.name,
      revision,
      request.mode === 'record' ? 'recorded' : doubt === null ? 'pending' : 'uncertain',
      effectBody(key, revision, request),
      clip(doubt, MAX_ERROR_BYTES),
    ];
  });
  const values = rows.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))').join(', ');
  // Assignments are carried out from left to right, so `state` comes last.
  await tx.write(
    `INSERT INTO effects
       (effect_key, machine, environment, order_id, name, revision, state, body, error, created_at, updated_at)
     VALUES ${values}
     ON DUPLICATE KEY UPDATE
       revision = IF(${BEGINS_ANEW}, VALUES(revision), revision),
       body = IF(${BEGINS_ANEW} AND attempts = 0, VALUES(body), body),
       url = IF(${BEGINS_ANEW} AND attempts = 0, NULL, url),
       failures = IF(${BEGINS_ANEW}, 0, failures),
       next_attempt_at = IF(${BEGINS_ANEW}, NULL, next_attempt_at),
       error = IF(${BEGINS_ANEW}, VALUES(error), error),
       updated_at = IF(${BEGINS_ANEW}, VALUES(updated_at), updated_at),
       state = IF(${BEGINS_ANEW}, VALUES(state), state)`,
    rows.flat(),
  );
}

const BEGINS_ANEW = "state = 'dropped' AND skipped = 0";

/**
 * Rows that are not at their end, in the order in which effects of one name run. Those that need a person and are
 * not in `troubles` yet come along: running such a row says at once how it ended, so that a worker which died
 * between the mark and its report is made up for.
 */
export async function selectOpenEffects(
  db: Queryable,
  key: OrderKey,
  machine: Machine,
  troubles: Record<string, unknown>,
): Promise<OpenEffect[]> {
  const rows = await db.query<{
    id: string;
    effect_key: string;
    name: string;
    state: string;
    at: string | null;
  }>(
    `SELECT id, effect_key, name, state, ${epochMs("IF(state = 'running', lease_until, next_attempt_at)")} AS at
       FROM effects
      WHERE machine = ? AND environment = ? AND order_id = ?
        AND state IN ('pending', 'running', 'failed', 'uncertain')
      ORDER BY revision, id`,
    [key.machine, key.environment, key.id],
  );
  return rows
    .filter((row) => isOpen(row.state) || !Object.hasOwn(troubles, row.effect_key))
    .map((row) => ({
      id: row.id,
      key: row.effect_key,
      name: row.name,
      sensitive: machine.effects[row.name]?.sensitive === true,
      nextAttemptAt: isOpen(row.state) ? millis(row.at) : null,
    }));
}

const isOpen = (state: string) => state === 'pending' || state === 'running';

export async function lockEffect(tx: Queryable, id: string): Promise<EffectRow | null> {
  return await readEffect(tx, 'id = ? FOR UPDATE', id);
}

export async function selectEffect(db: Queryable, id: string): Promise<EffectRow | null> {
  return await readEffect(db, 'id = ?', id);
}

export async function lockEffectByKey(tx: Queryable, key: string): Promise<EffectRow | null> {
  return await readEffect(tx, 'effect_key = ? FOR UPDATE', key);
}

interface StoredEffect {
  id: string;
  effect_key: string;
  machine: string;
  environment: string;
  order_id: string;
  name: string;
  state: EffectState;
  body: Buffer;
  url: string | null;
  attempts: number;
  failures: number;
  unknown_since_ms: string | null;
  last_attempt_at_ms: string | null;
  lease_until_ms: string | null;
  next_attempt_at_ms: string | null;
  error: string | null;
  skipped: number;
  now_ms: string;
}

async function readEffect(db: Queryable, which: string, value: string): Promise<EffectRow | null> {
  const [row] = await db.query<StoredEffect>(
    `SELECT id, effect_key, machine, environment, order_id, name, state, body, url, attempts, failures,
            ${epochMs('unknown_since')} AS unknown_since_ms, ${epochMs('last_attempt_at')} AS last_attempt_at_ms,
            ${epochMs('lease_until')} AS lease_until_ms, ${epochMs('next_attempt_at')} AS next_attempt_at_ms,
            error, skipped, ${epochMs('UTC_TIMESTAMP(6)')} AS now_ms
       FROM effects WHERE ${which}`,
    [value],
  );
  if (row === undefined) return null;
  return {
    id: row.id,
    key: row.effect_key,
    machine: row.machine,
    environment: row.environment,
    order: row.order_id,
    name: row.name,
    state: row.state,
    body: row.body,
    url: row.url,
    attempt: row.attempts,
    failures: row.failures,
    unknownSinceMs: millis(row.unknown_since_ms),
    claimedAtMs: millis(row.last_attempt_at_ms),
    leasedUntilMs: millis(row.lease_until_ms),
    nextAttemptAtMs: millis(row.next_attempt_at_ms),
    error: row.error,
    isSkipped: row.skipped === 1,
    nowMs: Number(row.now_ms),
  };
}

/** Whether an effect of the same name that the order asked for earlier has not ended. */
export async function hasEarlierOpen(tx: Queryable, row: EffectRow): Promise<boolean> {
  const earlier = await tx.query(
    `SELECT 1 FROM effects earlier, effects this
      WHERE this.id = ? AND earlier.machine = this.machine AND earlier.environment = this.environment
        AND earlier.order_id = this.order_id AND earlier.name = this.name
        AND earlier.state IN ('pending', 'running')
        AND (earlier.revision < this.revision OR (earlier.revision = this.revision AND earlier.id < this.id))
      LIMIT 1`,
    [row.id],
  );
  return earlier.length > 0;
}

/** The row was read under its lock in the same transaction. `lost`: the attempt before it never reported back. */
export async function claimEffect(
  tx: Queryable,
  row: EffectRow,
  claim: { leaseMs: number; url: string | null; lost: boolean },
): Promise<void> {
  await tx.write(
    `UPDATE effects
        SET unknown_since = IF(?, COALESCE(unknown_since, last_attempt_at), unknown_since),
            failures = failures + ?,
            state = 'running', attempts = attempts + 1, url = ?,
            last_attempt_at = UTC_TIMESTAMP(6), lease_until = ${inMs('?')}, next_attempt_at = NULL, updated_at = UTC_TIMESTAMP(6)
      WHERE id = ?`,
    [claim.lost, claim.lost ? 1 : 0, claim.url, claim.leaseMs, row.id],
  );
}

/** An end without an attempt, decided at the claim. */
export async function endUnclaimed(
  tx: Queryable,
  row: EffectRow,
  end: { state: 'dropped' | 'failed' | 'uncertain'; error: string; lost: boolean },
): Promise<void> {
  await tx.write(
    `UPDATE effects
        SET unknown_since = IF(?, COALESCE(unknown_since, last_attempt_at), unknown_since),
            failures = failures + ?,
            state = ?, error = ?, lease_until = NULL, next_attempt_at = NULL, updated_at = UTC_TIMESTAMP(6)
      WHERE id = ?`,
    [end.lost, end.lost ? 1 : 0, end.state, clip(end.error, MAX_ERROR_BYTES), row.id],
  );
}

const MAX_ERROR_BYTES = 500;

/** false: a later claim took the row over, and nothing was written. Writing the same end twice is one end. */
export async function recordAttempt(db: Queryable, id: string, attempt: number, end: Next): Promise<boolean> {
  if (end.state === 'done') {
    const { affectedRows } = await db.write(
      `UPDATE effects
          SET state = 'done', error = NULL, lease_until = NULL, next_attempt_at = NULL,
              updated_at = UTC_TIMESTAMP(6)
        WHERE id = ? AND attempts = ? AND state = 'running'`,
      [id, attempt],
    );
    return affectedRows === 1;
  }
  const isAgain = end.state === 'pending';
  const { affectedRows } = await db.write(
    `UPDATE effects
        SET state = ?, failures = ?, error = ?,
            unknown_since = TIMESTAMPADD(MICROSECOND, ?, TIMESTAMP('1970-01-01')),
            lease_until = NULL, next_attempt_at = ${isAgain ? inMs('?') : 'NULL'},
            updated_at = UTC_TIMESTAMP(6)
      WHERE id = ? AND attempts = ? AND state = 'running'`,
    [
      end.state,
      end.failures,
      clip(end.error, MAX_ERROR_BYTES),
      end.unknownSinceMs === null ? null : end.unknownSinceMs * 1_000,
      ...(isAgain ? [end.delayMs] : []),
      id,
      attempt,
    ],
  );
  return affectedRows === 1;
}

/** A person's word, carried out on a row that was read under its lock. Body, key and attempts stay. */
export async function writePersonsWord(
  tx: Queryable,
  row: EffectRow,
  word: { state: 'pending' | 'done' | 'dropped'; isNotDone: boolean; error: string | null },
): Promise<void> {
  await tx.write(
    `UPDATE effects
        SET unknown_since = IF(?, NULL, unknown_since), failures = IF(?, 0, failures),
            state = ?, skipped = ?, error = ?, lease_until = NULL, next_attempt_at = NULL, updated_at = UTC_TIMESTAMP(6)
      WHERE id = ?`,
    [
      word.isNotDone,
      word.state === 'pending',
      word.state,
      word.state === 'dropped' ? 1 : 0,
      clip(word.error, MAX_ERROR_BYTES),
      row.id,
    ],
  );
}

const inMs = (ms: string) => `TIMESTAMPADD(MICROSECOND, ${ms} * 1000, UTC_TIMESTAMP(6))`;
const epochMs = (instant: string) => `TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', ${instant}) DIV 1000`;
const millis = (text: string | null): number | null => (text === null ? null : Number(text));
