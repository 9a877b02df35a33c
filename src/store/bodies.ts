/** The table `bodies`: raw bytes, once per delivery whose bytes are new. */
import type { Expression, Queryable, Statement } from './store.ts';

export interface BodyToInsert {
  seq: bigint | Expression;
  receipt: Buffer;
  body: Buffer;
}

/** Storing one twice, after an unknown commit, leaves one. */
export const insertingBodies = (bodies: readonly BodyToInsert[]): Statement => ({
  sql: 'INSERT INTO bodies (seq, receipt, body) VALUES ? ON DUPLICATE KEY UPDATE seq = bodies.seq',
  params: [bodies.map(({ seq, receipt, body }) => [seq, receipt, body])],
});

export async function insertBodies(tx: Queryable, bodies: readonly BodyToInsert[]): Promise<void> {
  if (bodies.length === 0) return;
  const { sql, params } = insertingBodies(bodies);
  await tx.write(sql, params);
}

/** By hexadecimal receipt. */
export async function selectBodies(db: Queryable, seq: string): Promise<Map<string, Buffer>> {
  const rows = await db.query<{ receipt: Buffer; body: Buffer }>(
    'SELECT receipt, body FROM bodies WHERE seq = ?',
    [BigInt(seq)],
  );
  return new Map(rows.map(({ receipt, body }) => [receipt.toString('hex'), body]));
}
