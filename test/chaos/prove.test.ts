/** The proof of correctness, a short one: the command as a stranger runs it, on the run's servers. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { setup } from '../integration/setup.ts';

const PROGRAM = fileURLToPath(new URL('../../src/dev/prove/main.ts', import.meta.url));

interface Counts {
  wrong: number;
  doubled: number;
  missing: number;
}
interface Result {
  stories: number;
  handlers: Record<string, Counts>;
  inOrder: { stories: number; handlers: Record<string, Counts> };
  kills: Record<string, Record<string, number>>;
  asking: number;
  everySequence: Counts & { plays: number; asking: number };
}

const NAMES = ['inorder', 'lastArrival', 'newer', 'newerOrEqual', 'refetch'];
const ZERO = { wrong: 0, doubled: 0, missing: 0, groundless: 0 };

it('[R60] [R61] [R63] inorder ends the stories true on which four usual handlers are wrong, who are right in order', async () => {
  const { mysqlUrl, temporalAddress, defer } = await setup();
  const directory = await mkdtemp(join(tmpdir(), 'inorder-prove-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const proof = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), PROGRAM].concat([
      '--stories',
      '24',
      '--seconds',
      '6',
      '--seed',
      '1',
      '--json',
      '--page',
      'page.md',
    ]),
    {
      cwd: directory,
      env: { ...process.env, MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  defer(() => proof.kill('SIGKILL'));
  let out = '';
  let err = '';
  proof.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  proof.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => proof.once('close', resolve));
  expect(status, err).toBe(0);

  const result = JSON.parse(out.trim().split('\n').at(-1) ?? '') as Result;
  expect(result.stories).toBe(24);
  expect(Object.keys(result.handlers)).toEqual(NAMES);
  const { inorder, ...others } = result.handlers;
  expect(inorder).toEqual(ZERO);
  for (const [name, { wrong, doubled, missing }] of Object.entries(others)) {
    expect(wrong + doubled + missing, name).toBeGreaterThan(0);
  }
  expect(result.inOrder.stories).toBe(12);
  expect(result.inOrder.handlers).toEqual(Object.fromEntries(NAMES.map((name) => [name, ZERO])));
  expect(Object.keys(result.kills)).toEqual(NAMES);
  expect(result.asking).toBe(0);
  expect(result.everySequence).toMatchObject({ wrong: 0, doubled: 0, missing: 0, asking: 0 });
  expect(result.everySequence.plays).toBeGreaterThan(40);

  const page = await readFile(join(directory, 'page.md'), 'utf8');
  expect(page).toContain('0 of 24');
  expect(await readFile(join(directory, 'page.svg'), 'utf8')).toContain('effects doubled');
}, 300_000);
