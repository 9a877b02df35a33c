import { createConnection, type Connection } from 'mysql2/promise';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startMysql } from '../../../../src/dev/services/mysql.ts';
import { announce, ownDirectoryForTest } from './directories.ts';

async function start(dataDir: string, options: { isTemporary?: boolean } = {}) {
  const server = await startMysql({ dataDir, announce, ...options });
  onTestFinished(() => server.stop());
  return server;
}

async function open(url: string): Promise<Connection> {
  const connection = await createConnection(url);
  onTestFinished(() => connection.destroy());
  return connection;
}

async function valueOf(url: string, expression: string): Promise<unknown> {
  const connection = await open(url);
  const [rows] = await connection.query<never[]>(`SELECT ${expression} AS value`);
  return (rows[0] as { value: unknown } | undefined)?.value;
}

test('what was committed survives the death of the server, on the same port', async () => {
  const server = await start(await ownDirectoryForTest());
  const before = await open(server.url);
  before.on('error', () => undefined);
  await before.query('CREATE DATABASE shop');
  await before.query('CREATE TABLE shop.orders (id INT PRIMARY KEY) ENGINE=InnoDB');
  await before.query('INSERT INTO shop.orders (id) VALUES (1042)');
  const pid = server.pid;

  await server.kill('SIGKILL');
  await expect(createConnection(server.url)).rejects.toThrow(/ECONNREFUSED/);
  await server.restart();

  expect(server.pid).not.toBe(pid);
  expect(await valueOf(server.url, '(SELECT COUNT(*) FROM shop.orders)')).toBe(1);
});

test('a stopped server gives its directory back, and the next one has its data', async () => {
  const directory = await ownDirectoryForTest();
  const first = await start(directory);
  await (await open(first.url)).query('CREATE DATABASE shop');
  await first.stop();
  await first.stop();

  const second = await start(directory);
  const [rows] = await (await open(second.url)).query("SHOW DATABASES LIKE 'shop'");
  expect(rows).toHaveLength(1);
});

test('of a temporary server only the log stays, and its directory serves the next one', async () => {
  const directory = await ownDirectoryForTest();
  const first = await start(directory, { isTemporary: true });
  await (await open(first.url)).query('CREATE DATABASE shop');
  await first.stop();
  expect((await readdir(directory)).sort()).toEqual(['log', 'pid']);

  const second = await start(directory);
  await first.stop();
  const [rows] = await (await open(second.url)).query("SHOW DATABASES LIKE 'shop'");
  expect(rows).toHaveLength(0);
  await expect(start(directory)).rejects.toThrow('is still running');
});

test('each commit is on disk before it is answered', async () => {
  const server = await start(await ownDirectoryForTest());
  expect(await valueOf(server.url, '@@innodb_flush_log_at_trx_commit')).toBe(1);
});

test('it listens on 127.0.0.1 alone and lets nobody in without the password', async () => {
  const server = await start(await ownDirectoryForTest());
  const { port, password } = new URL(server.url);
  expect(await valueOf(server.url, '@@bind_address')).toBe('127.0.0.1');
  // The whole of 127.0.0.0/8 is this machine: a server that listens everywhere would answer here.
  expect(await connects('127.0.0.2', Number(port))).toBe(false);

  for (const user of ['root', 'inorder', '']) {
    const wrong = createConnection({ host: '127.0.0.1', port: Number(port), user, password: `${password}x` });
    await expect(wrong).rejects.toThrow(/Access denied/);
    const none = createConnection({ host: '127.0.0.1', port: Number(port), user });
    await expect(none).rejects.toThrow(/Access denied/);
  }
});

test('a frozen server answers nothing, and everything when it is thawed', async () => {
  const server = await start(await ownDirectoryForTest());
  const connection = await open(server.url);
  server.freeze();
  const answer = connection.query('SELECT 1');
  // The port still takes connections, as a frozen machine's does; nobody greets on them.
  await expect(createConnection({ uri: server.url, connectTimeout: 500 })).rejects.toThrow(/ETIMEDOUT/);
  server.thaw();
  await expect(answer).resolves.toBeDefined();
});

test('a directory in use is refused, and its server is left alone', async () => {
  const directory = await ownDirectoryForTest();
  const server = await start(directory);
  await expect(startMysql({ dataDir: directory, announce })).rejects.toMatchObject({
    code: 'service_failed',
    message: expect.stringContaining(`process ${process.pid}`) as string,
  });
  expect(await valueOf(server.url, '1')).toBe(1);
});

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const end = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}
