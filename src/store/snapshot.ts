/**
 * Several reads of one instant, while everybody else goes on writing: nothing is locked, and what was written since
 * is not seen. To be short: the server keeps old versions of rows for as long as it lasts.
 */
import type { Queryable, Store } from './store.ts';

export async function inSnapshot<T>(store: Store, read: (snapshot: Queryable) => Promise<T>): Promise<T> {
  return store.session(async (session) => {
    await session.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await session.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const result = await read(session);
    await session.query('COMMIT');
    return result;
  });
}
