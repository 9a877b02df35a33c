/**
 * The strictly newer timestamp wins: an event counts only if it happened after the one that the order shows. One
 * atomic UPDATE, which also keeps repeats out: they are as old as what is there.
 */
import type { ResultSetHeader } from 'mysql2/promise';
import { STATUS_OF } from '../../sandbox/story.ts';
import type { Handler } from './handler.ts';

export const newer: Handler = async (event, { db, runEffects, reached }) => {
  const status = STATUS_OF[event.type];
  if (status === undefined) return;
  const [updated] = await db.execute<ResultSetHeader>(
    'UPDATE orders SET status = ?, event_at = ? WHERE id = ? AND event_at < ?',
    [status, event.created, event.order, event.created],
  );
  if (updated.affectedRows === 0) return;
  reached('written');
  await runEffects(event.order, status, event.refund === null ? [] : [event.refund]);
};
