/** What people see of `effects` across orders. */
import type { EffectState } from '../effects/row.ts';
import type { OrderKey } from '../ordering/state.ts';
import type { Queryable } from './store.ts';
import { equals, where } from './where.ts';

export interface EffectFilter {
  key?: string;
  machine?: string;
  environment?: string;
  order?: string;
  name?: string;
  states?: readonly EffectState[];
  /** Asked for longer ago than this. */
  olderThanMs?: number;
  limit: number;
}

export interface FoundEffect {
  id: string;
  key: string;
  order: OrderKey;
  name: string;
  state: EffectState;
  attempts: number;
  error: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Asked for last comes first. */
export async function listEffects(db: Queryable, filter: EffectFilter): Promise<FoundEffect[]> {
  const { states, olderThanMs } = filter;
  const { sql, params } = where([
    equals('effect_key', filter.key),
    equals('order_id', filter.order),
    equals('machine', filter.machine),
    equals('environment', filter.environment),
    equals('name', filter.name),
    states === undefined ? null : ['state IN (?)', [...states]],
    olderThanMs === undefined
      ? null
      : ['created_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND', Math.round(olderThanMs * 1_000)],
  ]);
  const rows = await db.query<{
    id: string;
    effect_key: string;
    machine: string;
    environment: string;
    order_id: string;
    name: string;
    state: EffectState;
    attempts: number;
    error: string | null;
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
  }>(
    `SELECT id, effect_key, machine, environment, order_id, name, state, attempts, error, next_attempt_at,
            created_at, updated_at
       FROM effects ${sql} ORDER BY id DESC LIMIT ?`,
    [...params, filter.limit],
  );
  return rows.map((row) => ({
    id: row.id,
    key: row.effect_key,
    order: { machine: row.machine, environment: row.environment, id: row.order_id },
    name: row.name,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
