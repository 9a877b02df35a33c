/**
 * The newer or equal timestamp wins: as the strict one, changed after an update that shared its second with another
 * was dropped. A repeat passes, and what it does again must be kept back by what is remembered of effects.
 */
import type { ResultSetHeader } from 'mysql2/promise';
import { STATUS_OF } from '../../sandbox/story.ts';
import type { Handler } from './handler.ts';

export const newerOrEqual: Handler = async (event, { db, runEffects, reached }) => {
  const status = STATUS_OF[event.type];
  if (status === undefined) return;
  const [updated] = await db.execute<ResultSetHeader>(
    'UPDATE orders SET status = ?, event_at = ? WHERE id = ? AND event_at <= ?',
    [status, event.created, event.order, event.created],
  );
  if (updated.affectedRows === 0) return;
  reached('written');
  await runEffects(event.order, status, event.refund === null ? [] : [event.refund]);
};
