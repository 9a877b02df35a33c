import { inspect } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { setup } from '../setup.ts';
import { cuttingProxy } from './cutting-proxy.ts';

async function storeWithAccounts() {
  const world = await setup();
  const proxy = await cuttingProxy(world.mysqlUrl);
  world.defer(() => proxy.close());
  const store = openStore(proxy.url);
  world.defer(() => store.close());
  await store.write(
    'CREATE TABLE accounts (id VARBINARY(16) PRIMARY KEY, total INT NOT NULL) ENGINE = InnoDB',
  );
  await store.write("INSERT INTO accounts VALUES ('a', 0), ('b', 0)");
  const totals = async () =>
    Object.fromEntries(
      (await store.query<{ id: string; total: number }>('SELECT id, total FROM accounts')).map((row) => [
        row.id,
        row.total,
      ]),
    );
  return { world, proxy, store, totals };
}

test('a deadlock is retried whole: both transactions count once', async () => {
  const { store, totals } = await storeWithAccounts();
  let waiting = 0;
  let release = (): void => undefined;
  const bothHoldOne = new Promise<void>((resolve) => (release = resolve));
  const move = (first: string, second: string) => {
    let isFirstAttempt = true;
    return store.transaction(async (tx) => {
      await tx.write('UPDATE accounts SET total = total + 1 WHERE id = ?', [first]);
      if (isFirstAttempt) {
        isFirstAttempt = false;
        waiting += 1;
        if (waiting === 2) release();
        await bothHoldOne;
      }
      await tx.write('UPDATE accounts SET total = total + 1 WHERE id = ?', [second]);
    });
  };
  await Promise.all([move('a', 'b'), move('b', 'a')]);
  expect(await totals()).toEqual({ a: 2, b: 2 });
});

test('a session lost before the commit starts again; work counts once', async () => {
  const { store, proxy, totals } = await storeWithAccounts();
  let cuts = 0;
  proxy.onStatement = (sql) => (sql.startsWith('UPDATE') && cuts++ === 0 ? 'cut_after' : 'pass');
  await store.transaction((tx) => tx.write("UPDATE accounts SET total = total + 1 WHERE id = 'a'"));
  expect(await totals()).toEqual({ a: 1, b: 0 });
});

test('a commit of unknown fate is an error, and run again only where that is safe', async () => {
  const { store, proxy, totals } = await storeWithAccounts();
  let cuts = 0;
  proxy.onStatement = (sql) => (sql === 'COMMIT' && cuts++ === 0 ? 'cut_after' : 'pass');
  const add = store.transaction((tx) => tx.write("UPDATE accounts SET total = total + 1 WHERE id = 'a'"));
  await expect(add).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(await totals()).toEqual({ a: 1, b: 0 });

  cuts = 0;
  await store.transaction((tx) => tx.write("UPDATE accounts SET total = 5 WHERE id = 'b'"), {
    idempotent: true,
  });
  expect(await totals()).toEqual({ a: 1, b: 5 });
});

test('a store that is away is told as such, and used again when it is back', async () => {
  const { store, proxy, totals } = await storeWithAccounts();
  await proxy.goDown();
  const away = { code: 'store_unavailable' };
  await expect(store.query('SELECT 1')).rejects.toMatchObject(away);
  await expect(store.transaction((tx) => tx.query('SELECT 1'))).rejects.toMatchObject(away);
  await proxy.comeBack();
  expect(await totals()).toEqual({ a: 0, b: 0 });
});

test('[R37] a session that falls silent in a transaction is ended, its locks are gone within seconds', async () => {
  const { store, world, totals } = await storeWithAccounts();
  const frozen = openStore(world.mysqlUrl);
  world.defer(() => frozen.close());
  let thaw = (): void => undefined;
  const isFrozen = new Promise<void>((resolve) => (thaw = resolve));
  let holds = (): void => undefined;
  const hasLock = new Promise<void>((resolve) => (holds = resolve));
  const frozenWork = frozen.transaction(async (tx) => {
    await tx.write("UPDATE accounts SET total = 100 WHERE id = 'a'");
    holds();
    await isFrozen;
  });
  await hasLock;
  const startedMs = performance.now();
  for (;;) {
    try {
      await store.transaction((tx) => tx.write("UPDATE accounts SET total = 1 WHERE id = 'a'"));
      break;
    } catch (error) {
      // A lock wait ends within its own limit, so that whoever waits can do something else.
      expect(error).toMatchObject({ code: 'ER_LOCK_WAIT_TIMEOUT' });
    }
  }
  expect(performance.now() - startedMs).toBeLessThan(8_000);
  expect(await totals()).toEqual({ a: 1, b: 0 });
  thaw();
  // It finds its session gone and starts again, now with the lock: nothing of its first try counted.
  await frozenWork;
  expect(await totals()).toEqual({ a: 100, b: 0 });
});

test('a statement that gets no answer ends with its session, not with the caller waiting', async () => {
  const { world } = await storeWithAccounts();
  const hasty = openStore(world.mysqlUrl, { statementTimeoutMs: 200 });
  world.defer(() => hasty.close());
  const startedMs = performance.now();
  await expect(hasty.transaction((tx) => tx.query('SELECT SLEEP(20)'))).rejects.toMatchObject({
    code: 'store_unavailable',
  });
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test('sessions idle for longer than the server keeps them are replaced unnoticed', async () => {
  const { world } = await storeWithAccounts();
  const store = openStore(world.mysqlUrl, { silenceSeconds: 60 });
  world.defer(() => store.close());
  const [session] = await store.query<{ id: string }>('SELECT CONNECTION_ID() AS id');
  const admin = await createConnection(world.mysqlUrl);
  await admin.query(`KILL ${Number(session?.id)}`);
  await admin.end();
  await store.write("UPDATE accounts SET total = total + 1 WHERE id = 'a'");
  expect(await store.query("SELECT total FROM accounts WHERE id = 'a'")).toEqual([{ total: 1 }]);
});

test('what does not fit is refused, never cut', async () => {
  const { store } = await storeWithAccounts();
  await expect(store.write('INSERT INTO accounts VALUES (?, 0)', ['x'.repeat(17)])).rejects.toMatchObject({
    code: 'ER_DATA_TOO_LONG',
  });
});

test('an error of the driver carries no copy of the statement and its values', async () => {
  const { store } = await storeWithAccounts();
  const value = `whsec_${'0123456789'.repeat(4)}`;
  const error: unknown = await store
    .write('INSERT INTO accounts VALUES (?, 0)', [value])
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(value);
});
