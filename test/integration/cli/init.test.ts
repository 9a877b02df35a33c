import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../../../src/providers/registry.ts';
import type { CliOptions } from './run-cli.ts';
import { runCli } from './run-cli.ts';

const root = mkdtempSync(join(tmpdir(), 'inorder-init-'));
afterAll(() => rmSync(root, { recursive: true }));

/** From a checkout, which a new project finds in another way than a package: see built.test.ts. */
const runHere = (args: string[], options: CliOptions) =>
  runCli(args, { ...options, command: resolve('bin/inorder.js') });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const init = (folder: string, ...flags: string[]) => runHere(['init', folder, ...flags], { cwd: root });
/** As the editor would say it. */
const typeProblems = (folder: string): string => {
  try {
    execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', join(root, folder)]);
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
};

describe('inorder init', () => {
  it('refuses where nobody can answer, and writes nothing', async () => {
    const { code, stderr } = await init('silent');
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is no terminal to ask at: give --provider/);
    expect(existsSync(join(root, 'silent'))).toBe(false);
  });

  it('writes a project that types, and tells where to go on', async () => {
    const { code, stdout, stderr } = await init('own', '--provider', 'standard-webhooks', '--yes');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('written   inorder.config.ts'),
    });
    expect(stdout).toContain('https://<your host>/webhooks/shop');
    expect(stdout).toMatch(/cd own\n {2}npm install\n {2}npx inorder dev/);
    expect(statSync(join(root, 'own/.env')).mode & 0o777).toBe(0o600);
    expect(read('own/.gitignore').split('\n')).toContain('.env');
    expect(typeProblems('own')).toBe('');
    const machine = read('own/machines/order.ts');
    writeFileSync(join(root, 'own/machines/order.ts'), machine.replace("new: 'paid'", "new: 'piad'"));
    expect(typeProblems('own')).toMatch(/order\.ts.*"piad"/);
  });

  it('says which file it cannot write: where a file, a folder or a link to nothing is in the way', async () => {
    writeFileSync(join(root, 'a-file'), '');
    mkdirSync(join(root, 'a-folder/.env'), { recursive: true });
    mkdirSync(join(root, 'a-link'));
    symlinkSync('/nowhere/at/all', join(root, 'a-link/.env'));
    for (const [folder, at] of [
      ['a-file', 'a-file/inorder.config.ts'],
      ['a-folder', 'a-folder/.env'],
      ['a-link', 'a-link/.env'],
    ] as const) {
      const { code, stderr } = await init(folder, '--provider', 'sandbox', '--yes');
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${at} cannot be written (E`),
      });
      expect(stderr).not.toContain('    at ');
    }
  });

  it('names a folder elsewhere by its whole path', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'inorder-init-elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    const args = ['init', join(elsewhere, 'shop'), '--provider', 'sandbox', '--yes', '--json'];
    const { stdout } = await runHere(args, { cwd: root });
    const { next } = JSON.parse(stdout) as { next: { commands: string[] } };
    expect(next.commands[0]).toBe(`cd ${join(elsewhere, 'shop')}`);
  });

  it('prints JSON', async () => {
    const { stdout } = await runHere(['init', 'json', '--provider', 'sandbox', '--yes', '--json'], {
      cwd: root,
      env: { INORDER_PUBLIC_URL: 'https://hooks.example' },
    });
    const { files, next } = JSON.parse(stdout) as {
      files: { path: string; done: string }[];
      next: Record<string, string[]>;
    };
    expect(files.map(({ path, done }) => `${path} ${done}`)).toEqual([
      'inorder.config.ts written',
      'machines/order.ts written',
      '.env written',
      '.gitignore written',
      'package.json written',
      'tsconfig.json written',
    ]);
    expect(next['urls']).toEqual([
      'https://hooks.example/webhooks/shop',
      'https://hooks.example/webhooks/payments',
    ]);
    expect(next['events']).toContain('payment.captured');
  });

  it('overwrites nothing, or what it is told to, and a .env never', async () => {
    mkdirSync(join(root, 'there'));
    const flags = ['--provider', 'sandbox', '--yes'];
    for (const name of ['inorder.config.ts', 'package.json'])
      writeFileSync(join(root, 'there', name), '// mine');
    writeFileSync(join(root, 'there/.env'), 'EFFECTS_SECRET=mine\n', { mode: 0o644 });
    writeFileSync(join(root, 'there/.gitignore'), 'dist');

    const refused = await init('there', ...flags);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/there\/inorder\.config\.ts is there already, and nothing was written/);
    expect(existsSync(join(root, 'there/machines'))).toBe(false);

    expect((await init('there', ...flags, '--force')).code).toBe(0);
    expect(read('there/inorder.config.ts')).toContain('defineConfig');
    expect(read('there/package.json')).toBe('// mine');
    expect(read('there/.env')).toMatch(/^EFFECTS_SECRET=mine\n\n# /);
    expect(read('there/.env').match(/EFFECTS_SECRET=/g)).toHaveLength(1);
    expect(statSync(join(root, 'there/.env')).mode & 0o777).toBe(0o600);
    expect(read('there/.gitignore')).toBe('dist\n.env\n.inorder/\nnode_modules/\n');
  });

  it('beside an installed package nothing is to be installed', async () => {
    mkdirSync(join(root, 'with-package/node_modules'), { recursive: true });
    symlinkSync(resolve('.'), join(root, 'with-package/node_modules/inorder'));
    const { stdout } = await init('with-package', '--provider', 'sandbox', '--yes', '--json');
    const { next } = JSON.parse(stdout) as { next: { commands: string[] } };
    expect(next.commands).toEqual(['cd with-package', 'npx inorder dev']);
    expect(JSON.parse(read('with-package/package.json'))).not.toHaveProperty('dependencies');
  });
});

describe('.env', () => {
  it('is read by every command of its folder, and what is really set wins', async () => {
    await init('env', '--provider', 'sandbox', '--yes');
    const cwd = join(root, 'env');
    const check = (env: Record<string, string> = {}) => runHere(['config', 'check', '--json'], { cwd, env });
    const problems = async (env?: Record<string, string>) =>
      (JSON.parse((await check(env)).stdout) as { problems: string[] }).problems.join('\n');
    // Empty is unset: what is to be filled in is named.
    expect(await problems()).toMatch(/SHOP_API_URL.*\n[^]*EFFECTS_URL/);
    expect(await problems()).not.toContain('EFFECTS_SECRET');
    const filled = read('env/.env')
      .replaceAll(/^(\w+_URL)=$/gm, '$1=http://127.0.0.1:1')
      .replaceAll(/^(\w+_SECRET)=$/gm, '$1=whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0')
      .replace(/^# MYSQL_URL/m, 'MYSQL_URL');
    writeFileSync(join(cwd, '.env'), filled);
    expect(await problems()).toBe('');
    expect(await problems({ EFFECTS_URL: 'nowhere' })).toContain('effects.fulfil.url');
  });

  it('that cannot be read is said', async () => {
    mkdirSync(join(root, 'broken/.env'), { recursive: true });
    const { code, stderr } = await runHere(['config', 'show'], { cwd: join(root, 'broken') });
    expect(code).toBe(1);
    expect(stderr).toMatch(/\.env is there and cannot be read \(\w+\).*\[environment_invalid\]/);
  });
});

describe.each(Object.keys(providers))('a project on %s', (provider) => {
  it('has a configuration that holds once its variables are there', async () => {
    // Without an API, or numbers, only a table that holds in any order of arrival is allowed.
    const more = { stripe: ['--no-api-key'], 'standard-webhooks': ['--path', 'version='], sandbox: [] };
    const flags = [[], more[provider as keyof typeof more]];
    for (const [index, flag] of flags.entries()) {
      const folder = `${provider}-${index}`;
      await init(folder, '--provider', provider, '--yes', ...flag);
      const names = [...read(`${folder}/inorder.config.ts`).matchAll(/env\('(\w+)'\)/g)].map(
        ([, name = '']) => name,
      );
      const env = Object.fromEntries(
        names.map((name) => [
          name,
          name.endsWith('_URL')
            ? 'http://127.0.0.1:9'
            : name.endsWith('_KEY')
              ? 'rk_test_a'
              : 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0',
        ]),
      );
      const { code, stderr } = await runHere(['config', 'check'], {
        cwd: join(root, folder),
        env: { ...env, MYSQL_URL: 'mysql://me@db.example/inorder' },
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(typeProblems(folder)).toBe('');
    }
  }, 180_000);
});
