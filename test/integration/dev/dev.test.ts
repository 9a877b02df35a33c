/** `inorder dev` as a person runs it, on the run's servers. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { runCli } from '../cli/run-cli.ts';
import { commandFile } from '../command.ts';
import { setup } from '../setup.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

async function runDev(args: string[] = [], variables: Record<string, string> = {}) {
  const { mysqlUrl, temporalAddress, taskQueue, defer } = await setup();
  const directory = await mkdtemp(join(tmpdir(), 'inorder-dev-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const dev = spawn(
    process.execPath,
    [commandFile(), 'dev', '-c', join(ROOT, 'inorder.config.ts'), ...args],
    {
      cwd: directory,
      env: {
        ...process.env,
        MYSQL_URL: mysqlUrl,
        TEMPORAL_ADDRESS: temporalAddress,
        INORDER_TASK_QUEUE: taskQueue,
        INORDER_PORT: '0',
        INORDER_OPERATIONS_PORT: '0',
        ...variables,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  defer(() => dev.kill('SIGKILL'));
  let err = '';
  dev.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => dev.once('close', resolve));
  return { status, lines: err.trimEnd().split('\n') };
}

/** Somebody else's server. */
async function portOf(other: Server) {
  const { defer } = await setup();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  defer(() => other.close());
  return String((other.address() as AddressInfo).port);
}

it('ends when one of its processes cannot start, and tells why, once', async () => {
  const { defer } = await setup();
  const directory = await mkdtemp(join(tmpdir(), 'inorder-config-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const config = join(directory, 'inorder.config.ts');
  const rest = `export { default } from ${JSON.stringify(join(ROOT, 'inorder.config.ts'))};`;
  await writeFile(
    config,
    `if (process.argv.includes('receiver')) throw new Error('wrong only there');\n${rest}\n`,
  );
  const { status, lines } = await runDev(['-c', config]);
  expect(status).toBe(1);
  expect(lines.join('\n')).toMatch(
    /\ninorder: The receiver does not stay up: [^]*wrong only there.* \(its log: \.inorder\/dev\/.*\) \[service_failed\]$/,
  );
  expect(lines.filter((line) => line.includes('wrong only there'))).toHaveLength(1);
}, 60_000);

it('takes nobody else for its own receiver: not one that is ready, nor one that answers later or never', async () => {
  const others = [
    createHttpServer((_, response) => response.end('ready')),
    createHttpServer((_, response) => response.writeHead(503).end()),
    createServer(),
  ];
  for (const other of others) {
    const port = await portOf(other);
    const { status, lines } = await runDev([], { INORDER_PORT: port });
    expect(status).toBe(1);
    expect(lines).toEqual([
      `inorder: Port ${port} (INORDER_PORT) is taken, perhaps by another \`inorder dev\`: end what has it, or take ` +
        `others, in the shell or in .env: INORDER_PORT=${Number(port) + 10} [service_failed]`,
    ]);
  }
}, 60_000);

it('names both ports that are taken at once', async () => {
  const [port, operationsPort] = [await portOf(createServer()), await portOf(createServer())];
  const { lines } = await runDev([], { INORDER_PORT: port, INORDER_OPERATIONS_PORT: operationsPort });
  expect(lines).toEqual([
    expect.stringMatching(
      `Ports ${port} \\(INORDER_PORT\\) and ${operationsPort} \\(INORDER_OPERATIONS_PORT\\) are taken`,
    ),
  ]);
}, 30_000);

it('empties no server that is not its own', async () => {
  const { status, lines } = await runDev(['--fresh']);
  expect(status).toBe(2);
  expect(lines).toEqual([expect.stringContaining('only private servers are emptied')]);
}, 30_000);

it('runs a new project as it is: what it takes becomes an effect of an application that is played', async () => {
  const { mysqlUrl, temporalAddress, taskQueue, defer } = await setup();
  const directory = await mkdtemp(join(tmpdir(), 'inorder-dev-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const flags = ['--provider', 'standard-webhooks', '--yes'];
  expect((await runCli(['init', ...flags], { cwd: directory })).code).toBe(0);
  const dev = spawn(process.execPath, [commandFile(), 'dev'], {
    cwd: directory,
    env: {
      ...{ PATH: process.env['PATH'], MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress },
      ...{ INORDER_TASK_QUEUE: taskQueue, INORDER_PORT: '0', INORDER_OPERATIONS_PORT: '0' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  defer(() => dev.kill('SIGKILL'));
  let err = '';
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [, found] = pattern.exec(err) ?? [];
        if (found !== undefined) resolve(found);
      };
      dev.stderr.on('data', look);
      dev.once('close', () => reject(new Error(`dev has ended: ${err}`)));
      look();
    });
  dev.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));

  const webhooks = await until(/Webhooks +(\S+)\/<source>[^]*Everything stays up/);
  const secret =
    /^SHOP_WEBHOOK_SECRET=(.*)$/m.exec(await readFile(join(directory, '.env'), 'utf8'))?.[1] ?? '';
  const body = JSON.stringify({
    id: 'e1',
    type: 'payment.captured',
    data: { order: 'dev-1042', version: 1 },
  });
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const answer = await fetch(`${webhooks}/shop`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signStandardWebhook(secret, { id: 'e1', timestampSeconds, body }),
    },
    body,
  });
  expect(answer.status).toBe(202);
  expect(await until(/effect (fulfil for order dev-1042)/)).toBe('fulfil for order dev-1042');
  const ended = new Promise((resolve) => dev.once('close', resolve));
  dev.kill('SIGINT');
  expect(await ended).toBe(0);
}, 120_000);
