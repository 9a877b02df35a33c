import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

// Another folder than the project's, as a team's is; nothing in it says where inorder lives.
const folder = mkdtempSync(join(tmpdir(), 'inorder-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(
  join(folder, 'inorder.config.ts'),
  `import { defineConfig, defineMachine, env, http, ignore } from 'inorder';
   const order = defineMachine({
     name: 'order', version: 3, initial: 'new',
     statuses: { new: {}, paid: { effects: ['fulfil'] } },
     effects: { fulfil: { once: 'order', whenPassed: 'run' } },
     on: { 'payment.captured': { new: 'paid', else: ignore('captured before') } },
   });
   export default defineConfig({
     machines: [order],
     sources: { shop: { provider: 'sandbox', environment: 'live', machine: 'order', unknownTypes: 'reject',
                        secrets: [{ id: 'a', value: env('SHOP_SECRET') }] } },
     effects: { fulfil: http({ url: 'https://shop.example/hooks', secret: env('HOOK_SECRET') }) },
   });`,
);
writeFileSync(
  join(folder, 'wrong.config.ts'),
  `export default { machines: [{ name: 'order', version: 1, initial: 'nwe', statuses: { new: {} }, effects: {}, on: { 'a.b': {} } }], sources: {}, effects: {} };`,
);
const SECRETS = { SHOP_SECRET: 'first-secret', HOOK_SECRET: 'second-secret' };
const run = (args: string[], env: Record<string, string> = {}) => runCli(args, { env, cwd: folder });

describe('inorder as a command', () => {
  it('prints its version and its help on stdout, with 0', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
    expect(await run(['--help'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends with 2 when it was not used as it can be, and says so on stderr only', async () => {
    for (const args of [['ordres'], ['orders', 'list', '--limit', 'many'], ['machine', 'draw', 'oder'], []]) {
      const { code, stdout, stderr } = await run(args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).not.toBe('');
    }
  });

  it('stops at a mistyped variable and at a missing database, with 1', async () => {
    const mistyped = await run(['orders', 'list'], { MYSQL_URL: 'mysql://a@b/c', INORDER_PROT: '1' });
    expect(mistyped.code).toBe(1);
    expect(mistyped.stderr).toContain(
      "INORDER_PROT is not a variable of inorder. Did you mean 'INORDER_PORT'?",
    );
    const missing = await run(['orders', 'list']);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('MYSQL_URL is not set');
  });

  it('writes no colours when nobody looks, not even in CI', async () => {
    const { stdout } = await run(['machine', 'draw'], { CI: 'true', FORCE_COLOR: '1' });
    // oxlint-disable-next-line no-control-regex -- it is what is looked for
    expect(stdout).not.toMatch(/\u001b/);
  });
});

describe('inorder machine', () => {
  it('checks without secrets, without a database and from any folder', async () => {
    const { code, stdout } = await run(['machine', 'check']);
    expect(code).toBe(0);
    expect(stdout).toContain('order version 3: ok\n  2 statuses, 1 type, 1 effect');
  });

  it('refuses a wrong machine with 1, each problem with its place', async () => {
    const people = await run(['machine', 'check', '--config', 'wrong.config.ts']);
    expect(people).toMatchObject({ code: 1, stdout: '' });
    expect(people.stderr).toContain("order: initial: 'nwe' is not a status. Did you mean 'new'?");
    const programs = await run(['machine', 'check', '--config', 'wrong.config.ts', '--json']);
    expect(programs.code).toBe(1);
    expect(JSON.parse(programs.stdout)).toMatchObject({ machine: 'order', problems: [expect.any(String)] });
    expect((await run(['machine', 'draw', '--config', 'wrong.config.ts'])).code).toBe(1);
  });

  it('keeps what a configuration prints while it is loaded off stdout, where the data is', async () => {
    writeFileSync(
      join(folder, 'loud.config.ts'),
      `console.log('loaded'); ${readFileSync(join(folder, 'inorder.config.ts'), 'utf8')}`,
    );
    const { code, stdout, stderr } = await run(['machine', 'check', '--config', 'loud.config.ts', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'loaded\n' });
    expect(JSON.parse(stdout)).toMatchObject({ machine: 'order', problems: [] });
  });

  it('draws the table, and a diagram', async () => {
    expect((await run(['machine', 'draw'])).stdout).toContain(
      'payment.captured\n  new   → paid\n  else  ignore (captured before)\n',
    );
    expect((await run(['machine', 'draw', '--format', 'mermaid'])).stdout).toBe(
      'stateDiagram-v2\n  [*] --> new\n  new --> paid: payment.captured\n',
    );
  });

  it('draws a picture, to stdout or into a file', async () => {
    const picture = (await run(['machine', 'draw', '--format', 'svg'])).stdout;
    expect(picture).toMatch(/^<svg [\s\S]*<title id="title">order, version 3<\/title>[\s\S]*<\/svg>\n$/);
    const written = await run(['machine', 'draw', 'order', '--out', 'order.svg']);
    expect(written).toMatchObject({ code: 0, stdout: '', stderr: 'Drawn to order.svg.\n' });
    expect(readFileSync(join(folder, 'order.svg'), 'utf8')).toBe(picture);
    expect((await run(['machine', 'draw', '--out', 'no/such/folder/order.svg'])).code).toBe(2);
  });
});

describe('inorder config', () => {
  it('checks a configuration: 0 when it would start, 1 with everything that stops it', async () => {
    const store = { MYSQL_URL: 'mysql://me:word@db/inorder' };
    const good = await run(['config', 'check'], { ...SECRETS, ...store });
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toMatch(/^ {2}orders of order\/\w+ from shop$/m);
    const { code, stdout, stderr } = await run(['config', 'check']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('environment: MYSQL_URL is not set');
    expect(stderr).toContain('sources.shop.secrets[0].value: needs the variable SHOP_SECRET');
    expect(stderr).toContain('effects.fulfil.secret: needs the variable HOOK_SECRET');
    const json = await run(['config', 'check', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('MYSQL_URL'), expect.any(String), expect.any(String)],
    });
    const alone = await run(['config', 'check'], { ...SECRETS, INORDER_PROT: '1' });
    expect(alone.code).toBe(1);
    expect(alone.stdout).toContain('inorder.config.ts: ok');
    expect(alone.stderr).toContain("Did you mean 'INORDER_PORT'?");
  });

  it('a start that fails names what is wrong in environment and file at once', async () => {
    for (const command of ['receiver', 'worker']) {
      const { code, stderr } = await run([command], { INORDER_PORT: 'http', HOOK_SECRET: 'x' });
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toContain("INORDER_PORT must be a port from 0 to 65535; it is 'http'");
      expect(stderr).toContain('MYSQL_URL is not set');
      expect(stderr).toContain('needs the variable SHOP_SECRET');
    }
  });

  it('shows all that is in force, without a secret, as JSON', async () => {
    const { code, stdout } = await run(['config', 'show'], {
      ...SECRETS,
      MYSQL_URL: 'mysql://me:word@db/inorder',
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      sources: { shop: { secrets: [{ id: 'a', until: null }] } },
      variables: { MYSQL_URL: 'mysql://***@db/inorder', INORDER_PORT: 8080 },
    });
    expect(stdout).not.toMatch(/first-secret|second-secret|word/);
  });

  it('names the file that is not there', async () => {
    const { code, stderr } = await run(['config', 'check', '--config', 'none.ts']);
    expect(code).toBe(1);
    expect(stderr).toContain(`to mend in ${join(folder, 'none.ts')}`);
  });
});
