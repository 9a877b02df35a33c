/** The demo while its processes fall: the whole of it, six SIGKILLs in one storm. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandFile } from '../integration/command.ts';
import { setup } from '../integration/setup.ts';

it('[R61] [R63] receiver and worker killed three times each under a storm change no ending and repeat no effect', async () => {
  const { mysqlUrl, temporalAddress, defer } = await setup();
  const directory = await mkdtemp(join(tmpdir(), 'inorder-kill-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const demo = spawn(
    process.execPath,
    [commandFile(), 'demo', '--exit', '--json', '--kill', '--orders', '25', '--seed', '11'],
    {
      cwd: directory,
      env: { ...process.env, MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  defer(() => demo.kill('SIGKILL'));
  let out = '';
  let err = '';
  demo.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  demo.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => demo.once('close', resolve));
  expect(status, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    orders: 25,
    correct: 25,
    kills: 6,
    effects: { repeated: 0, missing: 0 },
  });
}, 300_000);
