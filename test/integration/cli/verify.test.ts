import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { storeEvents } from '../operations/judged-order.ts';
import { migratedStore } from '../store/migrated-store.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'inorder-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
writeFileSync(
  join(folder, 'inorder.config.ts'),
  `import { defineConfig, defineMachine, env, ignore } from 'inorder';
   const order = defineMachine({
     name: 'order', version: 1, initial: 'new', statuses: { new: {}, paid: {} }, effects: {},
     on: { 'payment.captured': { new: 'paid', else: ignore('captured before') } },
   });
   export default defineConfig({ machines: [order], effects: {}, sources: { shop: {
     provider: 'sandbox', environment: 'live', machine: 'order', unknownTypes: 'reject',
     secrets: [{ id: '2026-11', value: env('SHOP_SECRET') }] } } });`,
);

const BODY = JSON.stringify({
  ...{ id: 'evt_1', type: 'payment.captured', order: '1042', version: 1 },
  ...{ object: { kind: 'payment', id: 'pay_1' }, data: { amount: '1000', note: 'for Zoë' } },
});

function save(body: string, timestampSeconds = Math.floor(Date.now() / 1_000), signed = BODY): string[] {
  const headers = signStandardWebhook(SECRET, { id: 'msg_1', timestampSeconds, body: signed });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  writeFileSync(join(folder, 'headers.txt'), `POST /webhooks/shop HTTP/1.1\r\n${lines.join('')}\r\n`);
  writeFileSync(join(folder, 'body.json'), body);
  return ['--headers', 'headers.txt', '--body', 'body.json'];
}

async function verify(args: string[], env: Record<string, string> = {}) {
  const run = await runCli(['verify', 'shop', ...args], {
    cwd: folder,
    env: { SHOP_SECRET: SECRET, ...env },
  });
  for (const hidden of [SECRET, SECRET.slice(6), 'Zoë'])
    expect(run.stdout + run.stderr).not.toContain(hidden);
  return run;
}

it('says with 0 that a webhook is valid, by which secret, and what becomes of it; without a database', async () => {
  const { code, stdout, stderr } = await verify(save(BODY));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^shop {2}valid\n/);
  expect(stdout).toContain('secret 2026-11  confirms the signature');
  expect(stdout).toMatch(/type +payment\.captured\n +object +payment:pay_1\n +version +1\n +order +1042\n/);
});

it('says with 1 why not: a body written anew, a request of yesterday', async () => {
  const rewritten = await verify(save(JSON.stringify(JSON.parse(BODY), null, 2)));
  expect(rewritten.code).toBe(1);
  expect(rewritten.stdout).toMatch(/^shop {2}refused: signature_invalid\n/);
  expect(rewritten.stdout).toContain(
    'Found  the body was changed after it was signed: its JSON was written anew',
  );
  const old = save(BODY, Math.floor(Date.now() / 1_000) - 86_400);
  const tooLate = await verify(old);
  expect(tooLate.code).toBe(1);
  expect(tooLate.stdout).toContain('outside the tolerance of 300 seconds');
  const advice = /--at (\S+)/.exec(tooLate.stdout)?.[1] ?? '';
  expect((await verify([...old, '--at', advice])).code).toBe(0);
});

it('says with 1 that a signature holds over an event that is refused, and why', async () => {
  const body = BODY.replace('captured', 'caught');
  const { code, stdout } = await verify(save(body, Math.floor(Date.now() / 1_000), body));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^shop {2}refused, though the signature is valid\n/);
  expect(stdout).toContain('Event  refused: the type "payment.caught" is not known here');
});

it('gives programs the same as JSON', async () => {
  const { code, stdout } = await verify([...save(`${BODY}\n`), '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    source: 'shop',
    valid: false,
    refused: 'signature_invalid',
    secrets: [{ id: '2026-11', confirms: false }],
    cause: { in: 'body', text: expect.stringContaining('a line feed was added at the end') },
    items: [{ event: 'evt_1', order: '1042' }],
  });
});

it('says how it is used, and which sources there are', async () => {
  expect(await verify([])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--headers and --body'),
  });
  const wrong = await runCli(['verify', 'shpo', ...save(BODY)], {
    cwd: folder,
    env: { SHOP_SECRET: SECRET },
  });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean 'shop'?") });
  const missing = await verify(['--headers', 'headers.txt', '--body', 'none.json']);
  expect(missing).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('none.json cannot be read (ENOENT)'),
  });
});

it('judges what is stored as at the time it came', async () => {
  const { store, world } = await migratedStore();
  const receivedAtMs = Date.now() - 86_400_000;
  const headers = signStandardWebhook(SECRET, {
    ...{ id: 'msg_1', timestampSeconds: Math.floor(receivedAtMs / 1_000), body: BODY },
  });
  await storeEvents(store, [{ eventId: 'evt_1', receivedAtMs, headers, body: Buffer.from(BODY) }]);
  const env = { MYSQL_URL: world.mysqlUrl };
  expect(await verify(['--event', 'evt_1'], env)).toMatchObject({ code: 0 });
  expect(await verify(['--event', 'evt_2'], env)).toMatchObject({ code: 3 });
});
