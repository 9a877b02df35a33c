/**
 * The table `source_outages`: a row stands while a source's API does not answer. Row and attention change together,
 * so that people are told of each beginning and each end once, however many workers see it.
 */
import type { OrderKey } from '../ordering/state.ts';
import { clip } from './clip.ts';
import { isDuplicateKey } from './sql-error.ts';
import type { Queryable, Store } from './store.ts';

export interface OutageNews {
  source: string;
  /** An order that was asked about. */
  key: OrderKey;
  reason: string;
}

export async function selectOutages(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ source: string }>('SELECT source FROM source_outages');
  return new Set(rows.map(({ source }) => source));
}

export async function beginOutage(store: Store, news: OutageNews): Promise<void> {
  try {
    await store.transaction(async (tx) => {
      await tx.write('INSERT INTO source_outages (source, since) VALUES (?, UTC_TIMESTAMP(6))', [
        news.source,
      ]);
      await insertChange(tx, news, 0);
    });
  } catch (error) {
    // Another worker was first.
    if (!isDuplicateKey(error)) throw error;
  }
}

export async function endOutage(store: Store, news: OutageNews): Promise<void> {
  await store.transaction(async (tx) => {
    const { affectedRows } = await tx.write('DELETE FROM source_outages WHERE source = ?', [news.source]);
    if (affectedRows === 1) await insertChange(tx, news, 1);
  });
}

async function insertChange(
  tx: Queryable,
  { source, key, reason }: OutageNews,
  hasEnded: 0 | 1,
): Promise<void> {
  await tx.write(
    `INSERT INTO attention_changes
       (kind, source, has_ended, machine, environment, order_id, status, revision, reason)
     SELECT 'reconcile', ?, ?, machine, environment, order_id, status, revision, ? FROM orders
      WHERE order_id = ? AND machine = ? AND environment = ?`,
    [source, hasEnded, clip(reason, 500), key.id, key.machine, key.environment],
  );
}
