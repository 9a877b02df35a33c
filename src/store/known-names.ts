/** Which names stand in a column: for a message about one that does not. Asked only after a search found nothing. */
import type { Machine } from '../ordering/machine.ts';
import type { OrderKey } from '../ordering/state.ts';
import type { Queryable } from './store.ts';

/** Lists of what is known look at the latest rows only: no column here has an index of its own. */
const LATEST = 10_000;
const NEWEST_FIRST = { orders: 'updated_at DESC', events: 'seq DESC', effects: 'id DESC' } as const;
export type NamedTable = keyof typeof NEWEST_FIRST;

export type NamedColumn = 'machine' | 'environment' | 'source' | 'type';

/** Whether any row has it, however old. */
export async function hasName(
  db: Queryable,
  table: NamedTable,
  column: NamedColumn,
  name: string,
): Promise<boolean> {
  return (await db.query(`SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1`, [name])).length > 0;
}

export async function selectNames(db: Queryable, table: NamedTable, column: NamedColumn): Promise<string[]> {
  const rows = await db.query<{ name: string | null }>(
    `SELECT DISTINCT name FROM
       (SELECT ${column} AS name FROM ${table} ORDER BY ${NEWEST_FIRST[table]} LIMIT ${LATEST}) latest`,
    [],
  );
  return rows.flatMap(({ name }) => name ?? []).sort();
}

/** Of every version of every machine that decisions were made by. */
export async function selectMachineNames(db: Queryable, what: 'statuses' | 'effects'): Promise<string[]> {
  const rows = await db.query<{ data: Buffer }>('SELECT data FROM machines', []);
  const all = rows.flatMap(({ data }) => Object.keys((JSON.parse(data.toString('utf8')) as Machine)[what]));
  return [...new Set(all)].sort();
}

/** Orders among the latest whose id differs in nothing but capitals. */
export async function selectOrdersInOtherCase(db: Queryable, id: string): Promise<OrderKey[]> {
  const rows = await db.query<{ machine: string; environment: string; order_id: string }>(
    `SELECT machine, environment, order_id FROM orders ORDER BY ${NEWEST_FIRST.orders} LIMIT ${LATEST}`,
    [],
  );
  const meant = id.toLowerCase();
  return rows
    .filter((row) => row.order_id.toLowerCase() === meant)
    .map((row) => ({ machine: row.machine, environment: row.environment, id: row.order_id }));
}
