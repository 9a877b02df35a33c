/**
 * A full disk, without being root and without filling anybody's: all tables of chaos' own server share one file, and the
 * system forbids that server to let a file grow beyond what this one has now (`prlimit --fsize`). What is free inside is
 * taken up by ballast, so that the next row that needs a page is refused by the system, as on a full disk.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createConnection, type Connection } from 'mysql2/promise';

export interface FillableServer {
  pid: number;
  url: string;
  /** The file that all tables share. */
  dataFile: string;
}

/** For a MariaDB: one file for all tables, which grows by the megabyte; its log is the smaller one. */
export const FILLABLE = [
  ...['--innodb-file-per-table=0', '--innodb-autoextend-increment=1', '--innodb-log-file-size=8M'],
];

const BALLAST = 'inorder_ballast';
const BALLAST_BYTES = [500_000, 60_000, 12_000];
const TABLE_IS_FULL = 'ER_RECORD_FILE_FULL';
const run = promisify(execFile);

export async function fillDisk(
  server: FillableServer,
): Promise<{ empty(): Promise<void> } | { impossible: string }> {
  const sizeOf = async () => (await stat(server.dataFile)).size;
  const problem = await limit(server.pid, String(await sizeOf())).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message.trim() : String(error)),
  );
  if (problem !== null) return { impossible: `prlimit could not limit the database's files (${problem})` };
  await withConnection(server, async (connection) => {
    await connection.query(`CREATE DATABASE IF NOT EXISTS ${BALLAST}`);
    // Nothing grows from here on, not even this table: what it gets is what was free.
    await connection.query(
      `CREATE TABLE IF NOT EXISTS ${BALLAST}.filler (body LONGBLOB NOT NULL) ENGINE = InnoDB`,
    );
    for (const bytes of BALLAST_BYTES) {
      while (await takesBallast(connection, bytes));
    }
  });
  return {
    async empty() {
      await limit(server.pid, 'unlimited');
      await withConnection(server, (connection) => connection.query(`DROP DATABASE IF EXISTS ${BALLAST}`));
    },
  };
}

/** Only the soft limit: who lowered it may raise it again. */
async function limit(pid: number, bytes: string): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

async function takesBallast(connection: Connection, bytes: number): Promise<boolean> {
  try {
    await connection.query(`INSERT INTO ${BALLAST}.filler (body) VALUES (REPEAT('b', ?))`, [bytes]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === TABLE_IS_FULL) return false;
    throw error;
  }
}

async function withConnection(
  { url }: FillableServer,
  work: (connection: Connection) => Promise<unknown>,
): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: 5_000 });
  try {
    await work(connection);
  } finally {
    connection.destroy();
  }
}
