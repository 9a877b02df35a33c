/** The tables of a shop that handles webhooks, and the rows that its checkout has made before the first one comes. */
import { createConnection, type Pool, type RowDataPacket } from 'mysql2/promise';

const TABLES = [
  `CREATE TABLE orders (id VARCHAR(64) PRIMARY KEY, status VARCHAR(32) NOT NULL DEFAULT 'new',
     event_at BIGINT NOT NULL DEFAULT 0)`,
  'CREATE TABLE processed_events (id VARCHAR(64) PRIMARY KEY)',
  `CREATE TABLE sent_effects (order_id VARCHAR(64) NOT NULL, name VARCHAR(32) NOT NULL,
     about VARCHAR(64) NOT NULL, PRIMARY KEY (order_id, name, about))`,
];

export async function createShopTables(mysqlUrl: string, orders: readonly string[]): Promise<void> {
  const connection = await createConnection(mysqlUrl);
  try {
    for (const table of TABLES) await connection.query(table);
    await connection.query('INSERT INTO orders (id) VALUES ?', [orders.map((order) => [order])]);
  } finally {
    await connection.end();
  }
}

export async function selectShopStatuses(mysqlUrl: string): Promise<Map<string, string>> {
  const connection = await createConnection(mysqlUrl);
  try {
    const [rows] = await connection.query<(RowDataPacket & { id: string; status: string })[]>(
      'SELECT id, status FROM orders',
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  } finally {
    await connection.end();
  }
}

export async function wasSent(db: Pool, order: string, name: string, about: string): Promise<boolean> {
  const [rows] = await db.execute<RowDataPacket[]>(
    'SELECT 1 FROM sent_effects WHERE order_id = ? AND name = ? AND about = ?',
    [order, name, about],
  );
  return rows.length > 0;
}

export async function markSent(db: Pool, order: string, name: string, about: string): Promise<void> {
  await db.execute('INSERT INTO sent_effects (order_id, name, about) VALUES (?, ?, ?)', [order, name, about]);
}
