/** The demo as a stranger runs it: the command itself, in a directory of its own, on the run's servers. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { identify } from '../../../src/dev/services/process-identity.ts';
import { commandFile } from '../command.ts';
import { setup } from '../setup.ts';

async function start(...args: string[]) {
  const { mysqlUrl, temporalAddress, defer } = await setup();
  const directory = await mkdtemp(join(tmpdir(), 'inorder-demo-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const demo = spawn(process.execPath, [commandFile(), 'demo', ...args], {
    cwd: directory,
    env: { ...process.env, MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  defer(() => demo.kill('SIGKILL'));
  const said = { out: '', err: '' };
  demo.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  demo.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const status = new Promise<number | null>((resolve) => demo.once('close', resolve));
  return { demo, said, status, directory };
}

/** Resolves when the text appears on stderr; rejects when the command ends without it. */
function says(demo: ChildProcess, said: { err: string }, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => said.err.includes(text) && resolve();
    demo.stderr?.on('data', look);
    demo.once('close', () => reject(new Error(`it ended and never said "${text}":\n${said.err}`)));
    look();
  });
}

it('[R63] leaves every order of a storm in its true status and does each effect once', async () => {
  const { status, said } = await start('--exit', '--json', '--orders', '15', '--seed', '7');
  expect(await status, said.err).toBe(0);
  const result = JSON.parse(said.out.trim().split('\n').at(-1) ?? '') as Record<
    string,
    Record<string, number>
  >;
  expect(Object.keys(result)).toEqual([
    'orders',
    'correct',
    'naive',
    'effects',
    'deliveries',
    'events',
    'asked',
    'found',
    'kills',
    'seconds',
  ]);
  expect(result).toMatchObject({ orders: 15, correct: 15, effects: { repeated: 0, missing: 0 }, kills: 0 });
  const { effects, deliveries, naive } = result;
  expect(effects?.['done']).toBe(effects?.['expected']);
  expect(effects?.['expected']).toBeGreaterThan(10);
  expect(naive?.['wrong']).toBeGreaterThanOrEqual(2);
  const { sent = 0, accepted = 0, known = 0, refused = 0 } = deliveries ?? {};
  expect(accepted + known + refused).toBe(sent);
  expect(Math.min(known, refused)).toBeGreaterThan(0);
}, 120_000);

it('ends its receiver and worker when it is killed', async () => {
  const { demo, said, directory } = await start('--orders', '15');
  await says(demo, said, 'webhooks sent');
  const pids = await Promise.all(
    ['receiver', 'worker'].map(async (name) =>
      Number(await readFile(join(directory, '.inorder/demo/processes', `${name}.pid`), 'utf8')),
    ),
  );
  expect(pids.map((pid) => identify(pid) !== null)).toEqual([true, true]);
  demo.kill('SIGKILL');
  await expect.poll(() => pids.map((pid) => identify(pid)), { timeout: 30_000 }).toEqual([null, null]);
}, 90_000);

it('ends in order at Ctrl-C and says so by its status', async () => {
  const { demo, said, status } = await start('--orders', '15');
  await says(demo, said, 'webhooks sent');
  demo.kill('SIGINT');
  expect(await status, said.err).toBe(130);
  expect(said.err).toContain('stopping');
  expect(said.err).not.toContain('could not end');
}, 90_000);

it('leaves a few orders in doubt for whoever looks around, and takes its variables along when it ends', async () => {
  const { demo, said, status, directory } = await start('--orders', '3');
  await says(demo, said, 'Everything stays up until Ctrl-C');
  expect(said.err).toContain('3 more orders are left in doubt on purpose');
  // As the page says: the file is sourced, then a command looks.
  const look = (command: string): string =>
    execFileSync(
      'sh',
      ['-c', `. .inorder/demo/env && "$0" "$1" ${command}`, process.execPath, commandFile()],
      {
        cwd: directory,
      },
    ).toString();
  const orders = look('orders list --attention --json').trim().split('\n');
  expect(orders.map((line) => (JSON.parse(line) as { status: string }).status).sort()).toEqual([
    'cancelled',
    'paid',
  ]);
  expect(look('events list --outcome held --json')).toContain('order.shipped');
  demo.kill('SIGINT');
  expect(await status, said.err).toBe(0);
  expect(said.err).toMatch(/its logs stay in \.inorder\/demo\/\.\n$/);
  expect((await readdir(join(directory, '.inorder/demo'))).sort()).toEqual(['processes']);
}, 120_000);

it('refuses a directory in which another one runs, and says how to run beside it', async () => {
  const { demo, said, directory } = await start('--orders', '15');
  await says(demo, said, 'Starting receiver');
  const second = spawnSync(process.execPath, [commandFile(), 'demo'], { cwd: directory });
  expect(second.status).toBe(1);
  expect(second.stderr.toString()).toMatch(
    /^inorder: .*\.inorder\/demo is used by process \d+.*--directory.* \[service_failed\]\n$/,
  );
}, 60_000);
