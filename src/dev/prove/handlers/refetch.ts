/**
 * Refetch without a lock: the event is a hint, the provider is asked how the order stands, and that is written. What
 * providers advise. An event is remembered when all was done, so that one that fails midway is taken again.
 */
import type { RowDataPacket } from 'mysql2/promise';
import { isDuplicate, type Handler } from './handler.ts';

export const refetch: Handler = async (event, { db, fetchOrder, runEffects, reached }) => {
  const [processed] = await db.execute<RowDataPacket[]>('SELECT 1 FROM processed_events WHERE id = ?', [
    event.id,
  ]);
  if (processed.length > 0) return;
  const { status, refunds } = await fetchOrder(event.order);
  await db.execute('UPDATE orders SET status = ? WHERE id = ?', [status, event.order]);
  reached('written');
  await runEffects(event.order, status, refunds);
  try {
    await db.execute('INSERT INTO processed_events (id) VALUES (?)', [event.id]);
  } catch (error) {
    // Another copy of the event was quicker.
    if (!isDuplicate(error)) throw error;
  }
};
