import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import { blockNamed } from '../docs/programs.ts';
import { installedPackage } from '../command.ts';
import { setup } from '../setup.ts';

/** A package as it is installed: dist/ and bin/ without the sources, and a team's folder elsewhere. */
const root = mkdtempSync(join(tmpdir(), 'inorder-built-'));
const installed = installedPackage();
const team = join(root, 'team');
afterAll(() => rmSync(root, { recursive: true }));

beforeAll(() => {
  mkdirSync(team);
  writeFileSync(
    join(team, 'machine.ts'),
    `import { defineMachine, ignore } from 'inorder';
     export const order = defineMachine({
       name: 'order', version: 1, initial: 'new', statuses: { new: {}, paid: {} }, effects: {},
       on: { 'payment.captured': { new: 'paid', else: ignore('captured before') } },
     });`,
  );
  writeFileSync(
    join(team, 'inorder.config.ts'),
    `import { defineConfig } from 'inorder';
     import { order } from './machine.ts';
     export default defineConfig({ machines: [order], effects: {}, sources: { shop: {
       provider: 'sandbox', environment: 'live', machine: 'order', unknownTypes: 'reject',
       secrets: [{ id: 'a', value: 'x' }] } } });`,
  );
});

function run(args: string[], env: Record<string, string> = {}, cwd = team) {
  return spawnSync(process.execPath, [join(installed, 'bin/inorder.js'), ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  });
}

it('a built package loads a TypeScript configuration of another folder', () => {
  expect(run(['--version']).stdout).toBe('0.1.0\n');
  expect(run(['machine', 'check'])).toMatchObject({ status: 0, stderr: '' });
  const env = { MYSQL_URL: 'mysql://me@db.example/inorder' };
  expect(run(['config', 'check'], env)).toMatchObject({ status: 0, stderr: '' });
});

it("a built package brings the checks of a team's own adapter, and its configuration takes it", () => {
  const page = readFileSync('docs/own-adapter.md', 'utf8');
  mkdirSync(join(team, 'adapters'));
  mkdirSync(join(team, 'node_modules'));
  symlinkSync(installed, join(team, 'node_modules/inorder'));
  writeFileSync(join(team, 'package.json'), '{ "type": "module" }');
  for (const file of ['adapters/courier.ts', 'adapters/courier.test.ts'])
    writeFileSync(join(team, file), blockNamed(page, file));
  const tested = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--test', '--test-reporter=tap', 'adapters/courier.test.ts'],
    { cwd: team, env: { PATH: process.env['PATH'] ?? '' }, encoding: 'utf8' },
  );
  expect(tested.stdout).toMatch(/^# pass \d\d$/m);
  expect(tested.stdout).toMatch(/^# fail 0$/m);
  expect(tested.status).toBe(0);

  writeFileSync(
    join(team, 'with-courier.config.ts'),
    `import { defineConfig } from 'inorder';
     import { courier } from './adapters/courier.ts';
     import { order } from './machine.ts';
     export default defineConfig({ machines: [order], effects: {}, sources: { parcels: {
       provider: courier, environment: 'live', machine: 'order', unknownTypes: 'archive',
       secrets: [{ id: 'a', value: 'x' }] } } });`,
  );
  const shown = run(['config', 'show', '--config', 'with-courier.config.ts'], {
    MYSQL_URL: 'mysql://me@db.example/inorder',
  });
  expect(shown).toMatchObject({ status: 0, stderr: '' });
  expect(shown.stdout).toContain('courier (adapter version 1)');
});

it("the page's adapter and its test hold what the package's types say", () => {
  writeFileSync(
    join(team, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2023', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
        ...{ allowImportingTsExtensions: true, types: ['node'], typeRoots: [resolve('node_modules/@types')] },
      },
      include: ['adapters'],
    }),
  );
  const checked = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', team], {
    encoding: 'utf8',
  });
  expect(checked).toMatchObject({ status: 0, stdout: '' });
});

it('a built package brings its migrations along', async () => {
  const world = await setup();
  const migrated = run(['migrate', '--json'], { MYSQL_URL: world.mysqlUrl });
  expect(migrated.status).toBe(0);
  const store = openStore(world.mysqlUrl);
  world.defer(() => store.close());
  // What it applied is what the sources would have applied.
  expect(await migrate(store)).toEqual({ applied: [] });
});

it('a built package writes a project that it loads, and that types by its declarations', () => {
  const shop = join(root, 'shop');
  mkdirSync(join(shop, 'node_modules'), { recursive: true });
  symlinkSync(installed, join(shop, 'node_modules/inorder'));
  const written = run(['init', '--provider', 'stripe', '--yes', '--json'], {}, shop);
  expect(written).toMatchObject({ status: 0, stderr: '' });
  const { next } = JSON.parse(written.stdout) as { next: { commands: string[] } };
  expect(next.commands).toEqual(['npx inorder dev']);
  const env = {
    MYSQL_URL: 'mysql://me@db.example/inorder',
    STRIPE_WEBHOOK_SECRET: 'whsec_a',
    STRIPE_API_KEY: 'rk_test_a',
    EFFECTS_URL: 'http://127.0.0.1:9',
  };
  expect(run(['config', 'check'], env, shop)).toMatchObject({ status: 0, stderr: '' });
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', shop]);
});

it('in a checkout, the same command runs the sources as they are', () => {
  const [bin, env] = [resolve('bin/inorder.js'), { PATH: process.env['PATH'] ?? '' }];
  const shown = spawnSync(process.execPath, [bin, 'machine', 'draw'], { cwd: team, env, encoding: 'utf8' });
  expect(shown).toMatchObject({ status: 0, stderr: '', stdout: run(['machine', 'draw']).stdout });
});
