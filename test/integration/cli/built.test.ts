import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import { setup } from '../setup.ts';

/** A package as it is installed: dist/ and bin/ without the sources, and a team's folder elsewhere. */
const root = mkdtempSync(join(tmpdir(), 'inorder-built-'));
const installed = join(root, 'installed');
const team = join(root, 'team');
afterAll(() => rmSync(root, { recursive: true }));

beforeAll(() => {
  mkdirSync(installed);
  mkdirSync(team);
  execFileSync(process.execPath, ['--import', 'tsx', 'src/dev/build.ts', join(installed, 'dist')]);
  cpSync('package.json', join(installed, 'package.json'));
  cpSync('bin', join(installed, 'bin'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(installed, 'node_modules'));
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

function run(args: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [join(installed, 'bin/inorder.js'), ...args], {
    cwd: team,
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

it('a built package brings its migrations along', async () => {
  const world = await setup();
  const migrated = run(['migrate', '--json'], { MYSQL_URL: world.mysqlUrl });
  expect(migrated.status).toBe(0);
  const store = openStore(world.mysqlUrl);
  world.defer(() => store.close());
  // What it applied is what the sources would have applied.
  expect(await migrate(store)).toEqual({ applied: [] });
});
