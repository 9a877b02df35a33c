import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { checkSettings } from '../../../src/store/settings.ts';
import { openStore } from '../../../src/store/store.ts';
import { setup } from '../setup.ts';

async function emptyStore() {
  const world = await setup();
  const store = openStore(world.mysqlUrl);
  world.defer(() => store.close());
  return { world, store };
}

async function folderOf(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'inorder-migrations-'));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
  return { folder: pathToFileURL(`${folder}/`), remove: () => rm(folder, { recursive: true }) };
}

test('an empty database gets all tables, a second run finds nothing to do', async () => {
  const { store } = await emptyStore();
  const { applied } = await migrate(store);
  expect(applied[0]).toBe('0001-events');
  expect(applied).toEqual([...applied].sort());
  expect((await migrate(store)).applied).toEqual([]);
});

test('a dry run names what is open and changes nothing', async () => {
  const { store } = await emptyStore();
  const { applied } = await migrate(store, { dryRun: true });
  expect(applied).toContain('0004-orders');
  expect(await store.query('SHOW TABLES')).toEqual([]);
});

test('processes that start together migrate once', async () => {
  const { store, world } = await emptyStore();
  const other = openStore(world.mysqlUrl);
  world.defer(() => other.close());
  const runs = await Promise.all([migrate(store), migrate(other), migrate(store)]);
  expect(runs.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
});

test('a crash between a change and its mark is made up for by the next run', async () => {
  const { store } = await emptyStore();
  const { applied } = await migrate(store);
  await store.write('DELETE FROM migrations WHERE name IN (?)', [applied.slice(3)]);
  expect((await migrate(store)).applied).toEqual(applied.slice(3));
});

test('a migration that was edited after it was applied stops the start and is named', async () => {
  const { store, world } = await emptyStore();
  const table = 'CREATE TABLE IF NOT EXISTS things (id INT PRIMARY KEY)';
  const { folder, remove } = await folderOf({ '0001-things.sql': table });
  world.defer(remove);
  await migrate(store, { folder });
  const edited = await folderOf({ '0001-things.sql': `${table} ENGINE = InnoDB` });
  world.defer(edited.remove);
  await expect(migrate(store, { folder: edited.folder })).rejects.toMatchObject({
    code: 'migration_failed',
    message: expect.stringContaining('0001-things'),
  });
});

test('a migration that fails is an error with its name, and those before it stay', async () => {
  const { store, world } = await emptyStore();
  const { folder, remove } = await folderOf({
    '0001-good.sql': 'CREATE TABLE IF NOT EXISTS good (id INT PRIMARY KEY)',
    '0002-bad.sql': 'ALTER TABLE missing ADD COLUMN n INT',
    '0003-later.sql': 'CREATE TABLE IF NOT EXISTS later (id INT PRIMARY KEY)',
  });
  world.defer(remove);
  await expect(migrate(store, { folder })).rejects.toMatchObject({
    code: 'migration_failed',
    message: expect.stringContaining('0002-bad'),
  });
  const rows = await store.query<{ name: string }>('SELECT name FROM migrations');
  expect(rows.map(({ name }) => name)).toEqual(['0001-good']);
});

test('the server says what it is, and a setting that can lose accepted deliveries is a problem in words', async () => {
  const { store } = await emptyStore();
  const report = await checkSettings(store);
  expect(['mysql', 'mariadb']).toContain(report.server);
  expect(report.problems).toEqual([]);
  const relaxed = await checkSettings({
    ...store,
    query: async <Row>(sql: string) => (await store.query<Row>(sql)).map((row) => ({ ...row, flush: '2' })),
  });
  expect(relaxed.problems).toEqual([expect.stringContaining('innodb_flush_log_at_trx_commit is 2')]);
});
