/** Chaos, as it is started by hand, for a third of a minute: every kind of fault is known to it, and nothing comes of them. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { setup } from '../integration/setup.ts';

const PROGRAM = fileURLToPath(new URL('../../src/dev/chaos/main.ts', import.meta.url));

it('[R7, R28, R32, R37, R42, R61, R62, R63] whatever falls, freezes, fills up or is cut off under a storm: nothing accepted is lost, no order is wrong, no effect is doubled or missing', async () => {
  const { defer } = await setup();
  const directory = await mkdtemp(join(tmpdir(), 'inorder-chaos-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  const chaos = spawn(
    process.execPath,
    [
      ...['--import', import.meta.resolve('tsx'), PROGRAM, '--json', '--directory', join(directory, 'run')],
      ...['--minutes', '0.3', '--seed', '3', '--orders', '16'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // Its servers end with it, however it ends.
  defer(() => chaos.kill('SIGKILL'));
  let out = '';
  let err = '';
  chaos.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  chaos.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => chaos.once('close', resolve));
  expect(status, err).toBe(0);
  const result = JSON.parse(out) as { faults: number; accepted: number; effects: number };
  expect(result).toMatchObject({
    ...{ seed: 3, minutes: 0.3, orders: 16 },
    ...{ lost: 0, wrong: 0, doubled: 0, missing: 0 },
  });
  expect(result.faults).toBeGreaterThan(10);
  expect(result.accepted).toBeGreaterThan(50);
  expect(result.effects).toBeGreaterThan(20);
}, 240_000);
