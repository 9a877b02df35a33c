/**
 * Whether the server keeps what it says it keeps. A version without SKIP LOCKED is refused; a setting that trades
 * durability for speed is returned, for the process to report loudly at its start.
 */
import { InorderError } from '../errors.ts';
import type { Queryable } from './store.ts';

export interface ServerReport {
  server: 'mysql' | 'mariadb';
  version: string;
  /** In words, each with what to do. Empty: all is as it should be. */
  problems: string[];
}

const MIN_PACKET_BYTES = 16 * 1024 * 1024;

export async function checkSettings(store: Queryable): Promise<ServerReport> {
  const [row] = await store.query<{
    version: string;
    flush: string | number;
    packet: string | number;
  }>(
    `SELECT VERSION() AS version, @@innodb_flush_log_at_trx_commit AS flush,
            @@max_allowed_packet AS packet`,
  );
  if (!row) throw new InorderError('internal', 'The server did not say its version.');
  const { version } = row;
  const server = /mariadb/i.test(version) ? 'mariadb' : 'mysql';
  refuseOld(server, version);
  const problems: string[] = [];
  if (Number(row.flush) !== 1) {
    problems.push(
      `innodb_flush_log_at_trx_commit is ${row.flush}: a crash of the server's machine can lose deliveries that ` +
        'were answered 2xx. Set it to 1.',
    );
  }
  if (Number(row.packet) < MIN_PACKET_BYTES) {
    problems.push(
      `max_allowed_packet is ${row.packet}: large deliveries will be refused. Set it to ${MIN_PACKET_BYTES} or more.`,
    );
  }
  return { server, version, problems };
}

function refuseOld(server: ServerReport['server'], version: string): void {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const isOld = server === 'mariadb' ? major < 10 || (major === 10 && minor < 6) : major < 8;
  if (!isOld) return;
  throw new InorderError(
    'store_settings',
    `The server is ${version}; inorder needs MySQL 8.0 or MariaDB 10.6 (rows locked by others must be skippable).`,
  );
}

/** Those that say how durable and how careful the server is, as it writes them; what it does not know is absent. */
export async function readSettings(store: Queryable): Promise<Map<string, string>> {
  const rows = await store.query<{ Variable_name: string; Value: string }>(
    `SHOW VARIABLES WHERE Variable_name IN
      ('log_bin', 'sync_binlog', 'innodb_doublewrite', 'transaction_isolation', 'tx_isolation')`,
  );
  return new Map(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]));
}

/** Columns of these tables that do not compare bytes, as `table.column`. */
export async function selectCollatedColumns(store: Queryable, tables: readonly string[]): Promise<string[]> {
  const rows = await store.query<{ place: string }>(
    `SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME) AS place FROM information_schema.COLUMNS
      WHERE TABLE_SCHEMA = DATABASE() AND COLLATION_NAME IS NOT NULL AND TABLE_NAME IN (?)
      ORDER BY TABLE_NAME, ORDINAL_POSITION`,
    [tables],
  );
  return rows.map(({ place }) => place);
}

/** The database's clock, epoch ms. */
export async function selectServerTime(store: Queryable): Promise<number> {
  const [row] = await store.query<{ now: string }>('SELECT UTC_TIMESTAMP(6) AS now');
  return Date.parse(row?.now ?? '');
}
