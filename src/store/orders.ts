/**
 * The table `orders`: what was decided last about each order. One row, written under its lock by `apply` alone
 * (R28); the sweeper only moves `wake_at`.
 */
import { InorderError } from '../errors.ts';
import { readState } from '../ordering/read-state.ts';
import type { Attention, OrderKey, OrderState } from '../ordering/state.ts';
import { backOff } from './back-off.ts';
import { clip } from './clip.ts';
import { toDatetime } from './instant.ts';
import { NOW } from './store.ts';
import type { Queryable, SqlValue, Store } from './store.ts';

/** A row of `orders` as decisions see it. */
export interface OrderRow {
  revision: number;
  runId: string;
  /** Digest of the decision that wrote this revision. */
  decision: Buffer;
  state: OrderState;
}

const ONE_ORDER = 'order_id = ? AND machine = ? AND environment = ?';
const keyOf = (key: OrderKey): SqlValue[] => [key.id, key.machine, key.environment];

export const selectOrder = (db: Queryable, key: OrderKey): Promise<OrderRow | null> => read(db, key, '');
/** Under this lock the order is decided by one writer; a row that does not exist yet cannot be locked. */
export const lockOrder = (tx: Queryable, key: OrderKey): Promise<OrderRow | null> =>
  read(tx, key, 'FOR UPDATE');

async function read(db: Queryable, key: OrderKey, lock: '' | 'FOR UPDATE'): Promise<OrderRow | null> {
  const [row] = await db.query<{ revision: string; run_id: string; decision: Buffer; state: Buffer }>(
    `SELECT revision, run_id, decision, state FROM orders WHERE ${ONE_ORDER} ${lock}`,
    keyOf(key),
  );
  if (!row) return null;
  return {
    revision: Number(row.revision),
    runId: row.run_id,
    decision: row.decision,
    state: readStoredState(key, row.state),
  };
}

/** What cannot be read whole is decided on by nobody, until somebody has mended it. */
export function readStoredState(key: OrderKey, stored: Buffer): OrderState {
  try {
    return readState(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(stored)));
  } catch (thrown) {
    // A parser's message quotes what it read.
    const why =
      thrown instanceof SyntaxError || thrown instanceof TypeError ? 'it is no JSON' : thrownText(thrown);
    throw new InorderError(
      'state_unreadable',
      `The stored state of order ${key.id} cannot be read (${why}). Nothing is decided about it meanwhile. If a newer release wrote it, run that one; else restore its row of "orders" from a backup.`,
    );
  }
}

const thrownText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export interface OrderToWrite {
  key: OrderKey;
  state: OrderState;
  revision: number;
  runId: string;
  decision: Buffer;
  machineVersion: number | null;
  dueAtMs: number | null;
}

/** Fails with a duplicate key when another writer was first. */
export async function insertOrder(tx: Queryable, order: OrderToWrite): Promise<void> {
  const columns = writtenColumns(order);
  await tx.write(
    `INSERT INTO orders (order_id, machine, environment, created_at, ${Object.keys(columns).join(', ')}) VALUES (?)`,
    [[...keyOf(order.key), NOW, ...Object.values(columns)]],
  );
}

export async function updateOrder(tx: Queryable, order: OrderToWrite): Promise<void> {
  const columns = writtenColumns(order);
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  await tx.write(`UPDATE orders SET ${assignments.join(', ')} WHERE ${ONE_ORDER}`, [
    ...Object.values(columns),
    ...keyOf(order.key),
  ]);
}

function writtenColumns(order: OrderToWrite): Record<string, SqlValue> {
  const { state } = order;
  const due = order.dueAtMs === null ? null : toDatetime(order.dueAtMs);
  return {
    status: state.status,
    // For lists; what is decided by is in the state.
    bearer: clip(state.bearer, 255),
    revision: order.revision,
    run_id: order.runId,
    decision: order.decision,
    machine_version: order.machineVersion,
    state: JSON.stringify(state),
    attention: JSON.stringify(state.attention),
    attention_kinds: kindsOf(state.attention),
    attention_since: sinceOf(state.attention),
    due_at: due,
    wake_at: due,
    wakes: 0,
    updated_at: NOW,
  };
}

/** `,gap,review,`: each kind between commas, so that one can be looked for. */
const kindsOf = (attention: readonly Attention[]): string => {
  const kinds = [...new Set(attention.map(({ kind }) => kind))].sort();
  return kinds.length === 0 ? '' : `,${kinds.join(',')},`;
};
const sinceOf = (attention: readonly Attention[]): string | null =>
  attention.length === 0 ? null : toDatetime(Math.min(...attention.map(({ since }) => since)));

/** Orders whose timer should have rung `overdueMs` ago. Each claim waits longer for the next one. */
export async function claimDue(
  store: Store,
  { overdueMs, limit, firstPauseMs }: { overdueMs: number; limit: number; firstPauseMs?: number },
): Promise<OrderKey[]> {
  return store.transaction(async (tx) => {
    const rows = await tx.query<{ machine: string; environment: string; order_id: string }>(
      `SELECT machine, environment, order_id FROM orders
        WHERE wake_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
        ORDER BY wake_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      [Math.round(overdueMs * 1_000), limit],
    );
    const keys = rows.map((row) => ({
      machine: row.machine,
      environment: row.environment,
      id: row.order_id,
    }));
    await updateEach(tx, `wake_at = ${backOff('wakes', firstPauseMs)}, wakes = wakes + 1`, keys);
    return keys;
  });
}

/** Orders that changed since this instant, in the order of their keys, after this one. */
export async function selectOrdersSince(
  db: Queryable,
  sinceMs: number,
  after: OrderKey | null,
  limit: number,
): Promise<OrderKey[]> {
  const { id = '', machine = '', environment = '' } = after ?? {};
  const rows = await db.query<{ machine: string; environment: string; order_id: string }>(
    `SELECT machine, environment, order_id FROM orders
      WHERE updated_at >= ? AND order_id >= ?
        AND (order_id > ? OR machine > ? OR (machine = ? AND environment > ?))
      ORDER BY order_id, machine, environment LIMIT ?`,
    [toDatetime(sinceMs), id, id, machine, machine, environment, limit],
  );
  return rows.map((row) => ({ machine: row.machine, environment: row.environment, id: row.order_id }));
}

/** Nobody was woken: the claim does not count. */
export async function giveBackDue(store: Queryable, keys: readonly OrderKey[]): Promise<void> {
  await updateEach(store, 'wake_at = due_at, wakes = GREATEST(wakes, 1) - 1', keys);
}

async function updateEach(db: Queryable, assignments: string, keys: readonly OrderKey[]): Promise<void> {
  if (keys.length === 0) return;
  const orders = keys.map(() => `(${ONE_ORDER})`).join(' OR ');
  await db.write(`UPDATE orders SET ${assignments} WHERE ${orders}`, keys.flatMap(keyOf));
}
