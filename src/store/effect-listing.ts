/** Reading the effects of an order for people. Writes nothing. */
import type { OrderKey } from '../ordering/state.ts';
import type { Queryable } from './store.ts';

export interface ListedEffect {
  name: string;
  key: string;
  state: string;
  attempts: number;
  error: string | null;
  revision: number;
  createdAt: string;
  updatedAt: string;
  nextAttemptAt: string | null;
}

/** In the order they were asked for. */
export async function listEffects(db: Queryable, key: OrderKey): Promise<ListedEffect[]> {
  const rows = await db.query<{
    name: string;
    effect_key: string;
    state: string;
    attempts: number;
    error: string | null;
    revision: string;
    created_at: string;
    updated_at: string;
    next_attempt_at: string | null;
  }>(
    `SELECT name, effect_key, state, attempts, error, revision, created_at, updated_at, next_attempt_at
       FROM effects WHERE order_id = ? AND machine = ? AND environment = ? ORDER BY revision, id`,
    [key.id, key.machine, key.environment],
  );
  return rows.map((row) => ({
    name: row.name,
    key: row.effect_key,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    revision: Number(row.revision),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    nextAttemptAt: row.next_attempt_at,
  }));
}
