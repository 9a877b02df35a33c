/** Real servers for a measurement, on loopback: those that are named in the environment, or private ones. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { startMysql } from '../src/dev/services/mysql.ts';
import { startTemporal } from '../src/dev/services/temporal.ts';

export interface BenchServices {
  /** A fresh database per name. */
  database(name: string): Promise<string>;
  temporalAddress: string;
  /** null: somebody else's server. */
  mysqlPid: number | null;
  stop(): Promise<void>;
}

export async function startServices(): Promise<BenchServices> {
  const directory = await mkdtemp(join(tmpdir(), 'inorder-bench-'));
  const announce = (line: string) => process.stderr.write(`${line}\n`);
  const { MYSQL_URL, TEMPORAL_ADDRESS } = process.env;
  const mysql = MYSQL_URL ? null : await startMysql({ dataDir: join(directory, 'mysql'), announce });
  const temporal = TEMPORAL_ADDRESS ? null : await startTemporal({ dataDir: null, announce });
  const serverUrl = mysql?.url ?? MYSQL_URL ?? '';
  const made: string[] = [];
  return {
    temporalAddress: TEMPORAL_ADDRESS ?? (temporal?.address as string),
    mysqlPid: mysql?.pid ?? null,
    async database(name) {
      const database = `inorder_bench_${name}_${process.pid}`;
      await runSql(serverUrl, `CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
      made.push(database);
      const url = new URL(serverUrl);
      url.pathname = `/${database}`;
      return url.href;
    },
    async stop() {
      for (const database of made) await runSql(serverUrl, `DROP DATABASE ${database}`);
      await temporal?.stop();
      await mysql?.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function runSql(url: string, sql: string): Promise<void> {
  const connection = await createConnection(url);
  try {
    await connection.query(sql);
  } finally {
    connection.destroy();
  }
}
