/**
 * The world of one test: a database of its own, a task queue of its own, on the run's real servers.
 *
 *     const { mysqlUrl, temporalAddress, taskQueue, defer } = await setup();
 *     const store = await openStore(mysqlUrl);
 *     defer(() => store.close());
 *
 * Called in a test, it cleans up by itself when the test ends; called in `beforeAll`, the caller calls
 * `cleanup` in `afterAll`. What was deferred last goes first, and the database last of all.
 */
import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { inject, onTestFinished, TestRunner } from 'vitest';

export interface World {
  /** A fresh, empty database; migrations are the test's own. */
  mysqlUrl: string;
  temporalAddress: string;
  namespace: string;
  taskQueue: string;
  /** Registers what must be closed or stopped when the world ends. */
  defer: (close: () => unknown) => void;
  cleanup: () => Promise<void>;
}

export async function setup(): Promise<World> {
  const serverUrl = inject('mysqlServerUrl');
  const name = `inorder_test_${randomBytes(6).toString('hex')}`;
  await runSql(serverUrl, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`);

  const deferred: (() => unknown)[] = [() => runSql(serverUrl, `DROP DATABASE IF EXISTS ${name}`)];
  const cleanup = async () => {
    const errors: unknown[] = [];
    for (let close = deferred.pop(); close !== undefined; close = deferred.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'a test could not clean up');
  };
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(cleanup);

  const mysqlUrl = new URL(serverUrl);
  mysqlUrl.pathname = `/${name}`;
  return {
    mysqlUrl: mysqlUrl.href,
    temporalAddress: inject('temporalAddress'),
    namespace: 'default',
    taskQueue: name,
    defer: (close) => void deferred.push(close),
    cleanup,
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
