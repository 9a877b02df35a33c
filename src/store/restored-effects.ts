/** Effects in a store that was brought back from a backup: what of them may have been done in the time that is lost. */
import { toDatetime } from './instant.ts';
import type { Queryable } from './store.ts';

/** Of the backup, and not at their end in it: an attempt of the lost time may have done them. */
export async function doubtOpenEffects(tx: Queryable, { fromMs, toMs }: Lost): Promise<number> {
  const { affectedRows } = await tx.write(
    `UPDATE effects SET unknown_since = ?
      WHERE state IN ('pending', 'running') AND unknown_since IS NULL AND created_at < ?`,
    [toDatetime(fromMs), toDatetime(toMs)],
  );
  return affectedRows;
}

export const countOpenEffects = (db: Queryable, { toMs }: Lost): Promise<number> =>
  total(db, `state IN ('pending', 'running') AND unknown_since IS NULL AND created_at < ?`, [toMs]);

interface Lost {
  fromMs: number;
  toMs: number;
}

/** Asked for after the restore and before anybody saw it. */
export interface UnseenEffect {
  id: string;
  body: Buffer;
}

export async function selectUnseenEffects(
  db: Queryable,
  { toMs, seenMs, after, limit }: { toMs: number; seenMs: number; after: string; limit: number },
): Promise<UnseenEffect[]> {
  return await db.query<UnseenEffect>(
    `SELECT id, body FROM effects
      WHERE id > ? AND state = 'pending' AND attempts = 0 AND created_at >= ? AND created_at < ? ORDER BY id LIMIT ?`,
    [BigInt(after), toDatetime(toMs), toDatetime(seenMs), limit],
  );
}

/** Of these the ones that an attempt was begun of: they may have been done twice, under one key. */
export const countUnseenAttempts = (db: Queryable, toMs: number, seenMs: number): Promise<number> =>
  total(db, 'attempts > 0 AND created_at >= ? AND created_at < ?', [toMs, seenMs]);

export async function makeUncertain(tx: Queryable, ids: readonly string[], error: string): Promise<void> {
  if (ids.length === 0) return;
  await tx.write(
    `UPDATE effects SET state = 'uncertain', error = ?, next_attempt_at = NULL, updated_at = UTC_TIMESTAMP(6)
      WHERE state = 'pending' AND id IN (?)`,
    [error, ids.map(BigInt)],
  );
}

async function total(db: Queryable, where: string, instants: number[]): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    `SELECT COUNT(*) AS total FROM effects WHERE ${where}`,
    instants.map(toDatetime),
  );
  return Number(row?.total ?? 0);
}
