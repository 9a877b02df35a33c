import { createConnection } from 'mysql2/promise';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMysql } from '../../../../src/dev/services/mysql.ts';
import { identify } from '../../../../src/dev/services/process-identity.ts';
import { endLeftover } from '../../../../src/dev/services/server-process.ts';
import { startTemporal } from '../../../../src/dev/services/temporal.ts';
import { announce, ownDirectoryForTest } from './directories.ts';

const OWN_BOTH = fileURLToPath(new URL('./own-both.ts', import.meta.url));

async function startOwner(directory: string) {
  const args = ['--import', 'tsx', OWN_BOTH, join(directory, 'mysql'), join(directory, 'temporal')];
  const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void owner.kill('SIGKILL'));
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  return { owner, ...(JSON.parse(line) as { mysql: number; temporal: number; url: string }) };
}

test('a killed command takes its servers with it, and the next one starts on what they left', async () => {
  const directory = await ownDirectoryForTest();
  const { owner, mysql, temporal, url } = await startOwner(directory);
  const connection = await createConnection(url);
  await connection.query('CREATE DATABASE shop');
  connection.destroy();

  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await vi.waitFor(() => expect([identify(mysql), identify(temporal)]).toEqual([null, null]), {
    timeout: 15_000,
  });

  const next = await startMysql({ dataDir: join(directory, 'mysql'), announce });
  onTestFinished(() => next.stop());
  const again = await createConnection(next.url);
  onTestFinished(() => again.destroy());
  const [rows] = await again.query("SHOW DATABASES LIKE 'shop'");
  expect(rows).toHaveLength(1);
  const nextTemporal = await startTemporal({ dataDir: join(directory, 'temporal'), announce });
  await nextTemporal.stop();
});

test('the next command does not wait for the servers of a killed one to end by themselves', async () => {
  const directory = await ownDirectoryForTest();
  const { owner, mysql } = await startOwner(directory);
  owner.kill('SIGKILL');
  await once(owner, 'exit');

  const next = await startMysql({ dataDir: join(directory, 'mysql'), announce });
  onTestFinished(() => next.stop());
  expect(identify(mysql)).toBeNull();
  expect(next.pid).not.toBe(mysql);
});

test('a server left without its guard is ended by the next command', async () => {
  const directory = await ownDirectoryForTest();
  const leftover = await idleProcess('--datadir=ours');
  await writeFile(join(directory, 'pid'), `${leftover.pid}\n`);
  const ended = once(leftover, 'exit');
  await endLeftover(join(directory, 'pid'), '--datadir=ours');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test("a process that has taken a dead server's id is somebody else's and stays", async () => {
  const directory = await ownDirectoryForTest();
  const other = await idleProcess('--datadir=theirs');
  await writeFile(join(directory, 'pid'), `${other.pid}\n`);
  await endLeftover(join(directory, 'pid'), '--datadir=ours');
  expect(identify(other.pid ?? 0)).not.toBeNull();
});

async function idleProcess(argument: string) {
  const script = "process.stdout.write('ready'); setInterval(() => undefined, 60_000)";
  const child = spawn(process.execPath, ['-e', script, '--', argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
