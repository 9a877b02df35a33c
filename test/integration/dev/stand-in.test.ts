/** The way of somebody without an account: `init`, `dev --stand-in`, `simulate`, each as a person types it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { toEnvFile } from '../../../src/dev/own-variables.ts';
import { runCli } from '../cli/run-cli.ts';
import { commandFile } from '../command.ts';
import { setup } from '../setup.ts';

/** Other tests have an order 1042 of this environment on the same Temporal server. */
const [ORDER, OTHER_ORDER] = [randomUUID(), randomUUID()];

async function startDev() {
  const { mysqlUrl, temporalAddress, taskQueue } = await setup();
  const folder = await mkdtemp(join(tmpdir(), 'inorder-stand-in-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const flags = ['--provider', 'stripe', '--environment', 'test', '--yes'];
  expect(await runCli(['init', ...flags], { cwd: folder })).toMatchObject({ code: 0 });
  const ports = await Promise.all([findFreePort(), findFreePort()]);
  const servers = { MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress, INORDER_TASK_QUEUE: taskQueue };
  const dev = spawn(process.execPath, [commandFile(), 'dev', '--stand-in'], {
    cwd: folder,
    env: {
      ...{ PATH: process.env['PATH'], ...servers },
      ...{ INORDER_PORT: String(ports[0]), INORDER_OPERATIONS_PORT: String(ports[1]) },
      // A real key in the environment is not what a stand-in is for.
      STRIPE_API_KEY: 'rk_live_of_somebody',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => dev.once('close', resolve));
  onTestFinished(async () => {
    dev.kill('SIGINT');
    await ended;
  });
  let text = '';
  dev.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text, { timeout: 90_000, interval: 100 }).toContain('until Ctrl-C');
  const run = (...args: string[]) => runCli(args, { cwd: folder, env: { MYSQL_URL: mysqlUrl } });
  return {
    text: () => text,
    run,
    /** In a shell that has sourced the file of an earlier dev. */
    runStale(...args: string[]) {
      const file = toEnvFile({
        STRIPE_WEBHOOK_SECRET: 'whsec_of_before',
        MYSQL_URL: 'mysql://a:b@127.0.0.1:1/x',
      });
      const lines = [...file.matchAll(/^export (\w+)='(.*)'$/gm)];
      const stale = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
      return runCli(args, { cwd: folder, env: stale });
    },
    async status(order: string) {
      const { code, stdout } = await run('orders', 'show', order, '--json');
      return code === 0 ? (JSON.parse(stdout) as { status: string }).status : 'not there';
    },
  };
}

it('a payment, its refund and a life are played to their ends, and no real API is asked', async () => {
  const dev = await startDev();
  expect(dev.text()).toMatch(
    /stripe: Stripe and its API are played at http:\/\/127\.0\.0\.1:\d+; the real one is never asked/,
  );
  expect(dev.text()).toContain('npx inorder simulate stripe life');
  const until = (order: string, status: string) =>
    // Longer than `redeliverAfter`: on a busy machine a call to Temporal may run out of its time.
    expect.poll(() => dev.status(order), { timeout: 100_000, interval: 500 }).toBe(status);

  const paid = await dev.run('simulate', 'stripe', 'payment_intent.succeeded', '--order', ORDER);
  expect(paid).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`^${ORDER} {2}stripe {2}202 accepted {2}evt_\\w+ {2}payment_intent\\.succeeded$`, 'm'),
    ),
  });
  expect(paid.stderr).toContain('4 webhooks sent, 4 answered as expected.');
  await until(ORDER, 'paid');
  // Of the same payment: dev's world goes on.
  const refunded = await dev.runStale('simulate', 'stripe', 'charge.refunded', '--order', ORDER, '--json');
  expect(
    refunded.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { order: ORDER, type: 'refund.created', status: 202, answer: 'accepted', asExpected: true },
    { order: ORDER, type: 'charge.refunded', status: 202 },
  ]);
  await until(ORDER, 'refunded');
  // It says what is to be sourced, and what fails without it says so, too.
  expect(refunded.stderr).toContain('Look   . .inorder/dev/env && npx inorder orders show ' + ORDER);
  const away = await dev.runStale('orders', 'show', ORDER);
  expect(away.stderr).toContain('This shell has MYSQL_URL from the env file of a demo or dev');

  const forged = await dev.run('simulate', 'stripe', 'life', '--order', OTHER_ORDER, '--story', 'forged');
  expect(forged, forged.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('forged: wrong secret'),
  });
  expect(forged.stdout.match(/ 401 /g)).toHaveLength(16);
  await until(OTHER_ORDER, 'charged_back');
}, 360_000);

it('answers that are not those of the story end with 1, and so does silence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inorder-silence-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await runCli(['init', '--provider', 'stripe', '--environment', 'test', '--yes'], { cwd: folder });
  const env = { STRIPE_WEBHOOK_SECRET: 'whsec_a', STRIPE_API_KEY: 'rk', EFFECTS_URL: 'http://127.0.0.1:9' };
  const run = (...args: string[]) => runCli(['simulate', 'stripe', ...args], { cwd: folder, env });
  const silent = await run('payment_intent.created', '--to', 'http://127.0.0.1:9');
  expect(silent).toMatchObject({ code: 1, stderr: expect.stringContaining('is a receiver there?') });
  expect(await run('life', '--to', 'https://shop.example')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await run('charge.refnded')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean 'charge.refunded'?"),
  });
});
