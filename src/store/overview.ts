/** How far everything is, in a few counts: what a person or a watching program looks at while work goes on. */
import { LISTED } from './events.ts';
import type { Queryable } from './store.ts';

export interface Overview {
  /** Events by outcome; `waiting` are those that no workflow took yet. */
  events: Record<string, number>;
  /** Events without a final outcome. */
  unsettled: number;
  /** Effects by state. */
  effects: Record<string, number>;
}

interface Counted {
  name: string | null;
  total: string;
}
const toRecord = (rows: Counted[], ifNull: string): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, total }) => [name ?? ifNull, Number(total)]));

export async function selectOverview(db: Queryable): Promise<Overview> {
  const events = await db.query<Counted & { open: string }>(
    `SELECT outcome AS name, COUNT(*) AS total, COUNT(*) - COUNT(settled_at) AS open FROM events GROUP BY outcome`,
  );
  return {
    events: toRecord(events, 'waiting'),
    unsettled: events.reduce((sum, { open }) => sum + Number(open), 0),
    effects: await countEffects(db),
  };
}

/** By state. */
export async function countEffects(db: Queryable): Promise<Record<string, number>> {
  return toRecord(
    await db.query<Counted>('SELECT state AS name, COUNT(*) AS total FROM effects GROUP BY state'),
    '',
  );
}

/** Effects whose attempts have failed so far and go on, with what the latest of them said. */
export async function selectRetriedEffects(db: Queryable): Promise<{ total: number; latest: string | null }> {
  const failing = "state IN ('pending', 'running') AND error IS NOT NULL";
  const [counted] = await db.query<{ total: string }>(
    `SELECT COUNT(*) AS total FROM effects WHERE ${failing}`,
  );
  const total = Number(counted?.total ?? 0);
  if (total === 0) return { total, latest: null };
  const [latest] = await db.query<{ error: string }>(
    `SELECT error FROM effects WHERE ${failing} ORDER BY updated_at DESC LIMIT 1`,
  );
  return { total, latest: latest?.error ?? null };
}

export interface OrderStatus {
  status: string;
  revision: number;
  /** Kinds of attention, joined by commas; empty when nobody is needed. */
  attention: string;
}

/** Of one machine and environment, by order id. */
export async function selectStatuses(
  db: Queryable,
  { machine, environment }: { machine: string; environment: string },
): Promise<Map<string, OrderStatus>> {
  const rows = await db.query<{
    order_id: string;
    status: string;
    revision: string;
    attention_kinds: string;
  }>('SELECT order_id, status, revision, attention_kinds FROM orders WHERE machine = ? AND environment = ?', [
    machine,
    environment,
  ]);
  return new Map(
    rows.map(({ order_id, status, revision, attention_kinds }) => [
      order_id,
      { status, revision: Number(revision), attention: attention_kinds },
    ]),
  );
}

/** What is not at its end, for the message that says what is stuck. */
export async function selectUnfinished(
  db: Queryable,
  limit: number,
): Promise<{ order: string; what: string; state: string; reason: string | null }[]> {
  return await db.query(
    `(SELECT COALESCE(order_id, '-') AS \`order\`, COALESCE(type, provider_type) AS what,
             COALESCE(outcome, 'waiting') AS state, COALESCE(reason, error) AS reason
        FROM events WHERE settled_at IS NULL ORDER BY seq LIMIT ?)
     UNION ALL
     (SELECT order_id, name, state, error FROM effects
       WHERE state NOT IN ('done', 'dropped', 'recorded') ORDER BY id LIMIT ?)`,
    [limit, limit],
  );
}

/** Events that no webhook brought: their provider's list did. */
export async function countFound(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    'SELECT COUNT(*) AS total FROM events WHERE secret_id = ?',
    [LISTED],
  );
  return Number(row?.total ?? 0);
}

/** Events that had to wait for another one, or for an answer: they were taken before they were settled. */
export async function countWaited(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    'SELECT COUNT(*) AS total FROM events WHERE settled_at > taken_at',
  );
  return Number(row?.total ?? 0);
}
