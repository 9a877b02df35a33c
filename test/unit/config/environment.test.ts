import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadEnvironment, loadEnvironmentWithoutStore, VARIABLES } from '../../../src/config/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'inorder-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));
function fileWith(content: string): string {
  const file = join(folder, `secret-${Math.random().toString(36).slice(2)}`);
  writeFileSync(file, content);
  return file;
}

const MYSQL_URL = 'mysql://shop:s3cret@db:3306/inorder';

/** What the start would say. */
function refusal(variables: Record<string, string>, load = loadEnvironment): string {
  try {
    load({ MYSQL_URL, ...variables });
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
}

describe('the environment', () => {
  it('needs nothing but the database; the rest has defaults', () => {
    expect(loadEnvironment({ MYSQL_URL })).toEqual({
      mysqlUrl: MYSQL_URL,
      canarySecret: null,
      temporalAddress: '127.0.0.1:7233',
      temporalNamespace: 'default',
      taskQueue: 'inorder',
      configFile: 'inorder.config.ts',
      host: '0.0.0.0',
      port: 8080,
      operationsHost: '127.0.0.1',
      operationsPort: 8081,
      publicUrl: null,
      logLevel: 'info',
    });
  });

  it('takes an empty variable for an unset one', () => {
    expect(loadEnvironment({ MYSQL_URL, INORDER_PORT: '', INORDER_PUBLIC_URL: '' })).toMatchObject({
      port: 8080,
      publicUrl: null,
    });
  });

  it('stops a start without a database and names the variable', () => {
    expect(refusal({ MYSQL_URL: '' })).toContain('MYSQL_URL is not set');
  });

  it('lets a command that brings its own database start without one', () => {
    expect(loadEnvironmentWithoutStore({}).mysqlUrl).toBeNull();
  });

  it('leaves the slash at the end of the public address away', () => {
    expect(loadEnvironment({ MYSQL_URL, INORDER_PUBLIC_URL: 'https://in.example/a/' }).publicUrl).toBe(
      'https://in.example/a',
    );
  });

  it.each([
    [{ INORDER_PROT: '1' }, "INORDER_PROT is not a variable of inorder. Did you mean 'INORDER_PORT'?"],
    [{ INORDER_FRIDGE: '1' }, 'INORDER_FRIDGE is not a variable of inorder.'],
    [
      { INORDER_PORT_FILE: '/x' },
      "INORDER_PORT_FILE is not a variable of inorder. Did you mean 'INORDER_PORT'?",
    ],
    [{ INORDER_PORT: '80a' }, "INORDER_PORT must be a port from 0 to 65535; it is '80a'"],
    [{ INORDER_PORT: '65536' }, "INORDER_PORT must be a port from 0 to 65535; it is '65536'"],
    [
      { INORDER_LOG_LEVEL: 'warning' },
      "INORDER_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent; it is 'warning'",
    ],
    [{ TEMPORAL_ADDRESS: 'http://temporal:7233' }, 'TEMPORAL_ADDRESS must be host:port, without a scheme'],
    [{ INORDER_PUBLIC_URL: 'in.example' }, 'INORDER_PUBLIC_URL must be an http or https URL'],
    [{ INORDER_TASK_QUEUE: 'a b' }, 'INORDER_TASK_QUEUE must be letters, digits'],
    [{ MYSQL_URL: 'postgres://a:hidden@b/c' }, 'MYSQL_URL must look like mysql://'],
    [{ MYSQL_URL: 'mysql://a:hidden@b' }, 'MYSQL_URL names no database'],
    [{ INORDER_CANARY_SECRET: 'hidden' }, 'INORDER_CANARY_SECRET must be whsec_'],
  ])('refuses %o', (variables, message) => {
    expect(refusal(variables as Record<string, string>)).toContain(message);
  });

  it('names everything that is wrong at once', () => {
    const message = refusal({ INORDER_PORT: 'x', INORDER_OPERATIONS_PORT: 'y', INORDER_PROT: '1' });
    expect(message.match(/^ {2}- /gm)).toHaveLength(3);
  });

  it('never says what a secret is', () => {
    expect(refusal({ MYSQL_URL: 'postgres://a:hidden@b/c' })).not.toContain('hidden');
  });

  it('reads a secret from a file and leaves its trailing line break away', () => {
    for (const end of ['', '\n', '\r\n']) {
      expect(loadEnvironment({ MYSQL_URL_FILE: fileWith(MYSQL_URL + end) }).mysqlUrl).toBe(MYSQL_URL);
    }
  });

  it.each([
    [{ MYSQL_URL, MYSQL_URL_FILE: '/some/file' }, 'are both set; keep one of them'],
    [{ MYSQL_URL: '', MYSQL_URL_FILE: '/no/such/file' }, 'cannot be read (ENOENT): /no/such/file'],
    [{ MYSQL_URL: '', MYSQL_URL_FILE: fileWith('\n') }, 'MYSQL_URL_FILE names an empty file'],
    [{ MYSQL_URL: '', MYSQL_URL_FILE: fileWith('x'.repeat(70_000)) }, 'is it the right one?'],
  ])('refuses a secret file that cannot be meant (%#)', (variables, message) => {
    expect(refusal(variables)).toContain(message);
  });

  it.each(
    Object.values(VARIABLES).flatMap(({ name, default: standard, parse }) =>
      standard === null ? [] : [{ name, standard, parse }],
    ),
  )('would accept its own default of $name', ({ standard, parse }) => {
    expect(parse(standard)).toHaveProperty('value');
  });
});
