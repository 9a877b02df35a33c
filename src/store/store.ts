/**
 * The way to MySQL: statements and transactions over a bounded pool. Every file of this folder takes a `Queryable`
 * and says one statement per function.
 *
 * 1. `work` of a transaction may run more than once: after a deadlock, and when the session was lost before the
 *    commit. It therefore does nothing but statements.
 * 2. A commit whose result is unknown is an error, unless the caller says `idempotent`: that running `work` again
 *    after a commit that counted finds this and changes nothing.
 * 3. A statement that gets no answer within its time ends its session; nothing waits for a dead server (R37).
 * 4. What fails because the store is away is InorderError('store_unavailable'); other errors are the server's own.
 */
import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { openPool } from './session.ts';
import type { SessionLimits } from './session.ts';
import { isConnectionLost, isDeadlock, isNeverSent, reported } from './sql-error.ts';

export type SqlValue = string | number | bigint | boolean | Buffer | Expression | null;
/** A list stands for `IN (?)`, a list of lists for `VALUES ?`; neither may be empty. */
export type SqlParam = SqlValue | readonly SqlValue[] | readonly (readonly SqlValue[])[];
/** A piece of SQL where a value is expected. Only constants of this folder; never made of input. */
export interface Expression {
  toSqlString(): string;
}
/** The database's clock, which all scheduling goes by. */
export const NOW: Expression = { toSqlString: () => 'UTC_TIMESTAMP(6)' };

export interface Written {
  affectedRows: number;
}

export interface Statement {
  sql: string;
  params: readonly SqlParam[];
}

export interface Queryable {
  query<Row>(sql: string, params?: readonly SqlParam[]): Promise<Row[]>;
  write(sql: string, params?: readonly SqlParam[]): Promise<Written>;
}

export interface TransactionOptions {
  idempotent?: boolean;
}

export interface Store extends Queryable {
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * A transaction that is known from its beginning to its end: one packet there and one back, its COMMIT included.
   * Is tried once, and answers with the rows of its last statement. After an error nothing counts, unless the
   * session was lost: then it may.
   */
  commit<Row>(statements: readonly Statement[]): Promise<Row[]>;
  /** One session for statements that belong to it, such as named locks; without a time limit. */
  session<T>(work: (session: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StoreOptions extends Partial<SessionLimits> {
  statementTimeoutMs?: number;
}

const MAX_ATTEMPTS = 6;
const MAX_LOST_SESSIONS = 2;

export function openStore(url: string, options: StoreOptions = {}): Store {
  const { statementTimeoutMs = 8_000, ...limits } = options;
  const allLimits = {
    connections: 10,
    lockWaitSeconds: 2,
    silenceSeconds: 4,
    connectTimeoutMs: 3_000,
    ...limits,
  };
  const readers = openPool(url, { ...allLimits, connections: Math.ceil(allLimits.connections / 2) });
  const writers = openPool(url, allLimits, { transactional: true });
  const committers = openPool(url, allLimits, { transactional: true, multipleStatements: true });

  async function transaction<T>(
    work: (tx: Queryable) => Promise<T>,
    { idempotent = false }: TransactionOptions = {},
  ): Promise<T> {
    let lost = 0;
    for (let attempt = 1; ; attempt += 1) {
      const connection = await borrow(writers);
      const tx = queryableOver(connection, statementTimeoutMs);
      let isCommitting = false;
      try {
        const result = await work(tx);
        isCommitting = true;
        await tx.write('COMMIT');
        connection.release();
        return result;
      } catch (error) {
        const isLost = isConnectionLost(error);
        await abandon(connection, isLost);
        const isSafe = isDeadlock(error) || (isLost && (!isCommitting || idempotent || isNeverSent(error)));
        if (isLost) lost += 1;
        if (!isSafe || attempt >= MAX_ATTEMPTS || lost > MAX_LOST_SESSIONS) throw reported(error);
        await pause(attempt);
      }
    }
  }

  async function commit<Row>(statements: readonly Statement[]): Promise<Row[]> {
    const connection = await borrow(committers);
    try {
      const [results] = await connection.query<RowDataPacket[][]>(
        { sql: [...statements.map(({ sql }) => sql), 'COMMIT'].join(';\n'), timeout: statementTimeoutMs },
        statements.flatMap(({ params }) => params) as SqlValue[],
      );
      connection.release();
      return (results[statements.length - 1] ?? []) as Row[];
    } catch (error) {
      await abandon(connection, isConnectionLost(error));
      throw reported(error);
    }
  }

  async function borrow(pool: Pool): Promise<PoolConnection> {
    try {
      return await pool.getConnection();
    } catch (error) {
      throw reported(error);
    }
  }

  async function session<T>(work: (session: Queryable) => Promise<T>): Promise<T> {
    const connection = await borrow(readers);
    try {
      const result = await work(queryableOver(connection, 0));
      connection.release();
      return result;
    } catch (error) {
      // Ended, not returned: whatever it still holds goes with it.
      connection.destroy();
      throw reported(error);
    }
  }

  async function query<Row>(sql: string, params?: readonly SqlParam[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await borrow(readers);
      try {
        const rows = await queryableOver(connection, statementTimeoutMs).query<Row>(sql, params);
        connection.release();
        return rows;
      } catch (error) {
        const isLost = isConnectionLost(error);
        if (isLost) connection.destroy();
        else connection.release();
        // A session that the server had closed while it was idle; a read may always be repeated.
        if (!isLost || attempt > MAX_LOST_SESSIONS) throw reported(error);
      }
    }
  }

  return {
    query,
    write: (sql, params) => transaction((tx) => tx.write(sql, params)),
    transaction,
    commit,
    session,
    async close() {
      await Promise.all([readers.end(), writers.end(), committers.end()]);
    },
  };
}

function queryableOver(connection: PoolConnection, timeoutMs: number): Queryable {
  const run = async <Result extends ResultSetHeader | RowDataPacket[]>(
    sql: string,
    params: readonly SqlParam[],
  ): Promise<Result> => {
    const [result] = await connection.query<Result>(
      timeoutMs > 0 ? { sql, timeout: timeoutMs } : { sql },
      params as SqlValue[],
    );
    return result;
  };
  return {
    async query<Row>(sql: string, params: readonly SqlParam[] = []) {
      return (await run<RowDataPacket[]>(sql, params)) as Row[];
    },
    async write(sql, params = []) {
      const header = await run<ResultSetHeader>(sql, params);
      return { affectedRows: header.affectedRows };
    },
  };
}

async function abandon(connection: PoolConnection, isLost: boolean): Promise<void> {
  if (isLost) {
    connection.destroy();
    return;
  }
  try {
    await connection.query({ sql: 'ROLLBACK', timeout: 2_000 });
    connection.release();
  } catch {
    // The first error is the one to report; ending the session rolls back as well.
    connection.destroy();
  }
}

/** A few milliseconds, spread, so that the parties to a deadlock do not meet again. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * 5 * 2 ** attempt);
  });
