/**
 * A backup of a whole database as of one instant, and the way back to it: what a dump is, without a program for it.
 * Numbers that were given out since are given out again, as after a dump.
 */
import { createConnection } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';

const OPTIONS = { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true } as const;

export interface Backup {
  tables: Map<string, Record<string, unknown>[]>;
}

export async function backUp(uri: string): Promise<Backup> {
  const connection = await createConnection({ uri, ...OPTIONS });
  try {
    const names = await tablesOf(connection);
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    const tables = new Map<string, Record<string, unknown>[]>();
    for (const name of names) {
      const [rows] = await connection.query<RowDataPacket[]>(`SELECT * FROM ${name}`);
      tables.set(name, rows);
    }
    return { tables };
  } finally {
    await connection.end();
  }
}

/** Nobody else may be at work on it. */
export async function restore(uri: string, { tables }: Backup): Promise<void> {
  const connection = await createConnection({ uri, ...OPTIONS });
  try {
    for (const name of await tablesOf(connection)) await connection.query(`TRUNCATE TABLE ${name}`);
    for (const [name, rows] of tables) {
      const columns = Object.keys(rows[0] ?? {});
      for (let at = 0; at < rows.length; at += 100)
        await connection.query(`INSERT INTO ${name} (${columns.join(', ')}) VALUES ?`, [
          rows.slice(at, at + 100).map((row) => columns.map((column) => row[column])),
        ]);
    }
  } finally {
    await connection.end();
  }
}

async function tablesOf(connection: Awaited<ReturnType<typeof createConnection>>): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SHOW TABLES');
  return rows.map((row) => String(Object.values(row)[0]));
}
