import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const MODULE = fileURLToPath(new URL('../../../../src/dev/chaos/clock.ts', import.meta.url));
const PROGRAM = `
const { followClock } = await import(process.argv[1]);
const RealDate = Date;
followClock(process.argv[2]);
console.log(JSON.stringify({
  now: Date.now() - RealDate.now(),
  made: new Date().getTime() - RealDate.now(),
  said: new Date('2026-01-02T03:04:05Z').toISOString(),
  instance: new Date() instanceof Date,
  utc: Date.UTC(2026, 0, 1),
}));`;

it('puts the time of a process off by what its file says, and no other time', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'inorder-clock-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'clock');
  await writeFile(file, '-540000');
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', PROGRAM, MODULE, file],
  ]);
  const said = JSON.parse(stdout) as { now: number; made: number };
  expect(said).toMatchObject({
    said: '2026-01-02T03:04:05.000Z',
    instance: true,
    utc: Date.UTC(2026, 0, 1),
  });
  expect(Math.abs(said.now + 540_000)).toBeLessThan(1_000);
  expect(Math.abs(said.made + 540_000)).toBeLessThan(1_000);
});
