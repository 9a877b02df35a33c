/** Takes away everything of one order that was never real: the canary's. Real orders are never removed by it. */
import type { OrderKey } from '../ordering/state.ts';
import type { Store } from './store.ts';

export async function removeOrder(store: Store, key: OrderKey, source: string): Promise<void> {
  const one = 'order_id = ? AND machine = ? AND environment = ?';
  const params = [key.id, key.machine, key.environment];
  await store.transaction(
    async (tx) => {
      await tx.query(`SELECT revision FROM orders WHERE ${one} FOR UPDATE`, params);
      const events = await tx.query<{ seq: string }>(`SELECT seq FROM events WHERE ${one} AND source = ?`, [
        ...params,
        source,
      ]);
      const seqs = events.map(({ seq }) => BigInt(seq));
      if (seqs.length > 0) {
        await tx.write('DELETE FROM bodies WHERE seq IN (?)', [seqs]);
        await tx.write('DELETE FROM deliveries WHERE seq IN (?)', [seqs]);
        await tx.write('DELETE FROM events WHERE seq IN (?)', [seqs]);
      }
      await tx.write('DELETE FROM links WHERE source = ? AND order_id = ?', [source, key.id]);
      await tx.write(`DELETE FROM journal WHERE ${one}`, params);
      await tx.write(`DELETE FROM orders WHERE ${one}`, params);
    },
    { idempotent: true },
  );
}
