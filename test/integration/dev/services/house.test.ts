import { createConnection } from 'mysql2/promise';
import { expect, test } from 'vitest';
import { setup } from '../../setup.ts';

test('each test has a database and a task queue of its own, and both are gone afterwards', async () => {
  const first = await setup();
  const second = await setup();
  expect(first.mysqlUrl).not.toBe(second.mysqlUrl);
  expect(first.taskQueue).not.toBe(second.taskQueue);

  const connection = await createConnection(first.mysqlUrl);
  await connection.query('CREATE TABLE kept (id INT)');
  connection.destroy();

  await first.cleanup();
  await expect(createConnection(first.mysqlUrl)).rejects.toThrow(/Unknown database/);
  const other = await createConnection(second.mysqlUrl);
  second.defer(() => other.end());
  await expect(other.query('SELECT 1')).resolves.toBeDefined();
});
