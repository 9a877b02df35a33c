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
