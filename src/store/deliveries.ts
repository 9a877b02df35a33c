/** The table `deliveries`: an event's deliveries after its first, which is the event's own row. */
import { toDatetime } from './instant.ts';
import type { Queryable } from './store.ts';

export interface RepeatToInsert {
  seq: string;
  receipt: Buffer;
  receivedAtMs: number;
  deliveryId: string | null;
  headers: Record<string, string>;
  fingerprint: Buffer;
  secretId: string;
}

/** Storing one twice, after an unknown commit, leaves one. */
export async function insertDeliveries(tx: Queryable, repeats: readonly RepeatToInsert[]): Promise<void> {
  if (repeats.length === 0) return;
  await tx.write(
    `INSERT INTO deliveries (seq, receipt, received_at, delivery_id, headers, fingerprint, secret_id) VALUES ?
     ON DUPLICATE KEY UPDATE seq = deliveries.seq`,
    [
      repeats.map((repeat) => [
        BigInt(repeat.seq),
        repeat.receipt,
        toDatetime(repeat.receivedAtMs),
        repeat.deliveryId,
        JSON.stringify(repeat.headers),
        repeat.fingerprint,
        repeat.secretId,
      ]),
    ],
  );
}

export interface StoredDelivery {
  receipt: string;
  receivedAt: string;
  deliveryId: string | null;
  headers: Record<string, string>;
  fingerprint: string;
  /** null: not a delivery, but a look into the provider's list. */
  secretId: string | null;
}

export async function selectDeliveries(db: Queryable, seq: string): Promise<StoredDelivery[]> {
  const rows = await db.query<{
    receipt: Buffer;
    received_at: string;
    delivery_id: string | null;
    headers: Buffer;
    fingerprint: Buffer;
    secret_id: string;
  }>(
    `SELECT receipt, received_at, delivery_id, headers, fingerprint, secret_id
       FROM deliveries WHERE seq = ? ORDER BY received_at, receipt`,
    [BigInt(seq)],
  );
  return rows.map((row) => ({
    receipt: row.receipt.toString('hex'),
    receivedAt: row.received_at,
    deliveryId: row.delivery_id,
    headers: JSON.parse(row.headers.toString('utf8')) as Record<string, string>,
    fingerprint: row.fingerprint.toString('hex'),
    secretId: row.secret_id,
  }));
}
