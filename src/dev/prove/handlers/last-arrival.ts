/**
 * The last arrival wins: each event is taken once, by its id, and the order becomes what the event says. The most
 * common handler there is.
 */
import { STATUS_OF } from '../../sandbox/story.ts';
import { isDuplicate, type Handler } from './handler.ts';

export const lastArrival: Handler = async (event, { db, runEffects, reached }) => {
  const status = STATUS_OF[event.type];
  if (status === undefined) return;
  try {
    await db.execute('INSERT INTO processed_events (id) VALUES (?)', [event.id]);
  } catch (error) {
    if (isDuplicate(error)) return;
    throw error;
  }
  await db.execute('UPDATE orders SET status = ? WHERE id = ?', [status, event.order]);
  reached('written');
  await runEffects(event.order, status, event.refund === null ? [] : [event.refund]);
};
