/** What people see of `orders` and of their effects. */
import type { Attention, AttentionKind, EffectCause, OrderKey, OrderState } from '../ordering/state.ts';
import type { Queryable } from './store.ts';
import { equals, where } from './where.ts';

export interface OrderFilter {
  machine?: string;
  environment?: string;
  order?: string;
  status?: string;
  /** Orders that need a person: for any reason, or for this one. */
  attention?: AttentionKind | 'any';
  /** The last one of the page before. */
  after?: { updatedAt: string; key: OrderKey };
  limit: number;
}

export interface ListedOrder {
  key: OrderKey;
  status: string;
  bearer: string | null;
  attention: Attention[];
  revision: number;
  machineVersion: number | null;
  dueAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const LISTED_COLUMNS = `machine, environment, order_id, status, bearer, attention, revision, machine_version, due_at,
  created_at, updated_at`;

interface ListedRow {
  machine: string;
  environment: string;
  order_id: string;
  status: string;
  bearer: string | null;
  attention: Buffer;
  revision: string;
  machine_version: number | null;
  due_at: string | null;
  created_at: string;
  updated_at: string;
}

const toListed = (row: ListedRow): ListedOrder => ({
  key: { machine: row.machine, environment: row.environment, id: row.order_id },
  status: row.status,
  bearer: row.bearer,
  attention: JSON.parse(row.attention.toString('utf8')) as Attention[],
  revision: Number(row.revision),
  machineVersion: row.machine_version,
  dueAt: row.due_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Changed last comes first. */
export async function listOrders(db: Queryable, filter: OrderFilter): Promise<ListedOrder[]> {
  const { sql, params } = where([
    equals('order_id', filter.order),
    equals('machine', filter.machine),
    equals('environment', filter.environment),
    equals('status', filter.status),
    filter.attention === undefined ? null : ['attention_since IS NOT NULL'],
    filter.attention === undefined || filter.attention === 'any'
      ? null
      : ['attention_kinds LIKE ?', `%,${filter.attention},%`],
    filter.after === undefined ? null : afterCondition(filter.after),
  ]);
  const rows = await db.query<ListedRow>(
    `SELECT ${LISTED_COLUMNS} FROM orders ${sql}
      ORDER BY updated_at DESC, order_id, machine, environment LIMIT ?`,
    [...params, filter.limit],
  );
  return rows.map(toListed);
}

export async function countOrdersInNeed(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    'SELECT COUNT(*) AS total FROM orders WHERE attention_since IS NOT NULL',
  );
  return Number(row?.total ?? 0);
}

function afterCondition({ updatedAt, key }: { updatedAt: string; key: OrderKey }): [string, ...string[]] {
  const at = updatedAt.replace('T', ' ').replace('Z', '');
  return [
    'updated_at < ? OR (updated_at = ? AND (order_id, machine, environment) > (?, ?, ?))',
    at,
    at,
    key.id,
    key.machine,
    key.environment,
  ];
}

export interface ShownOrder extends ListedOrder {
  state: OrderState;
  runId: string;
}

export async function showOrder(db: Queryable, key: OrderKey): Promise<ShownOrder | null> {
  const [row] = await db.query<ListedRow & { state: Buffer; run_id: string }>(
    `SELECT ${LISTED_COLUMNS}, state, run_id FROM orders
      WHERE order_id = ? AND machine = ? AND environment = ?`,
    [key.id, key.machine, key.environment],
  );
  if (!row) return null;
  return {
    ...toListed(row),
    state: JSON.parse(row.state.toString('utf8')) as OrderState,
    runId: row.run_id,
  };
}

export interface ListedEffect {
  id: string;
  name: string;
  key: string;
  state: string;
  revision: number;
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  error: string | null;
  /** What asked for it. */
  cause: EffectCause;
  createdAt: string;
  updatedAt: string;
}

/** In the order in which they were asked for. */
export async function listEffectsOfOrder(db: Queryable, key: OrderKey): Promise<ListedEffect[]> {
  const rows = await db.query<{
    id: string;
    name: string;
    effect_key: string;
    state: string;
    revision: string;
    attempts: number;
    next_attempt_at: string | null;
    last_attempt_at: string | null;
    error: string | null;
    body: Buffer;
    created_at: string;
    updated_at: string;
  }>(
    `SELECT id, name, effect_key, state, revision, attempts, next_attempt_at, last_attempt_at, error, body,
            created_at, updated_at
       FROM effects WHERE order_id = ? AND machine = ? AND environment = ? ORDER BY revision, id`,
    [key.id, key.machine, key.environment],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    key: row.effect_key,
    state: row.state,
    revision: Number(row.revision),
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastAttemptAt: row.last_attempt_at,
    error: row.error,
    cause: (JSON.parse(row.body.toString('utf8')) as { cause: EffectCause }).cause,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
