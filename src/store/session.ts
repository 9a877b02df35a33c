/**
 * The pool of database sessions, and what every session is told before its first statement.
 *
 * 1. A session that does not say anything for a few seconds is ended by the server, and with it its transaction
 *    and its locks: a frozen process never stops the others (R37). Idle sessions are therefore closed earlier by
 *    us, and a transaction whose first statement finds its session closed starts again (store.ts).
 * 2. Nothing is cut, guessed or converted: strict mode, UTC, binary columns (R12).
 * 3. VARBINARY is text whose bytes count, and read as a string. BINARY and BLOB are bytes. BIGINT is a decimal
 *    string. DATETIME(6) is an ISO instant with microseconds, in UTC.
 */
import { createPool } from 'mysql2/promise';
import type { Pool, TypeCastField, TypeCastNext } from 'mysql2/promise';

export interface SessionLimits {
  connections: number;
  /** How long a statement waits for another session's row lock. */
  lockWaitSeconds: number;
  /** How long a session may be silent, inside a transaction or not. */
  silenceSeconds: number;
  connectTimeoutMs: number;
}

/**
 * `transactional`: a transaction begins with its first statement, which saves each one a round trip.
 * `multipleStatements`: several in one packet; for a pool of which only `Store.commit` knows.
 */
export function openPool(
  url: string,
  limits: SessionLimits,
  { transactional = false, multipleStatements = false } = {},
): Pool {
  const connections = Math.max(2, limits.connections);
  const pool = createPool({
    uri: url,
    connectionLimit: connections,
    // Below the limit on purpose: the driver closes idle connections only then.
    maxIdle: connections - 1,
    idleTimeout: (limits.silenceSeconds * 1_000) / 2,
    connectTimeout: limits.connectTimeoutMs,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    stringifyObjects: true,
    multipleStatements,
    typeCast,
  });
  // Commands of a connection run in the order they were given, so these come before the borrower's first one.
  pool.pool.on('connection', (connection) => {
    for (const statement of opening(limits, transactional)) {
      connection.query(statement, (error: unknown) => {
        if (error) connection.destroy();
      });
    }
  });
  return pool;
}

function opening(limits: SessionLimits, transactional: boolean): string[] {
  const settings = {
    autocommit: transactional ? 0 : 1,
    time_zone: "'+00:00'",
    sql_mode: "'STRICT_ALL_TABLES,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
    wait_timeout: limits.silenceSeconds,
    // A process may also freeze in the middle of sending a statement or reading a result.
    net_read_timeout: limits.silenceSeconds,
    net_write_timeout: limits.silenceSeconds,
    innodb_lock_wait_timeout: limits.lockWaitSeconds,
    lock_wait_timeout: limits.lockWaitSeconds * 5,
  };
  const assignments = Object.entries(settings).map(([name, value]) => `SESSION ${name} = ${value}`);
  return [`SET ${assignments.join(', ')}`, 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'];
}

function typeCast(field: TypeCastField, next: TypeCastNext): unknown {
  switch (field.type) {
    case 'VAR_STRING':
      return field.string('utf8');
    case 'DATETIME':
      return asInstant(field.string());
    default:
      return next();
  }
}

const asInstant = (text: string | null): string | null =>
  text === null ? null : `${text.replace(' ', 'T')}Z`;
