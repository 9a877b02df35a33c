import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAbandoned, ownDirectory } from '../../../../src/dev/services/owned-directory.ts';
import { identify } from '../../../../src/dev/services/process-identity.ts';

async function directoryOwnedBy(owner: string | null): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'inorder-owned-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  if (owner !== null) await writeFile(join(directory, 'owner.json'), owner);
  return directory;
}

test('one owner at a time; a released directory is free again', async () => {
  const directory = await directoryOwnedBy(null);
  const owned = await ownDirectory(directory);
  await expect(ownDirectory(directory)).rejects.toThrow(`process ${process.pid}`);
  await owned.release();
  await expect(ownDirectory(directory)).resolves.toBeDefined();
});

test('of many that come at once, one gets it', async () => {
  const directory = await directoryOwnedBy(null);
  const fates = await Promise.allSettled(Array.from({ length: 10 }, () => ownDirectory(directory)));
  expect(fates.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['a process that has ended', JSON.stringify({ pid: 2 ** 22 + 1, startedAt: 'long ago' })],
  ['a process whose id another has now', JSON.stringify({ pid: process.pid, startedAt: 'long ago' })],
  ['nobody who can be read', '{"pid": 1'],
  ['nothing', 'null'],
])('a directory of %s is taken over', async (_owner, text) => {
  const directory = await directoryOwnedBy(text);
  expect(await isAbandoned(directory)).toBe(true);
  await expect(ownDirectory(directory)).resolves.toBeDefined();
  expect(await isAbandoned(directory)).toBe(false);
});

test('a directory without an owner is not abandoned: somebody may just be making it', async () => {
  expect(await isAbandoned(await directoryOwnedBy(null))).toBe(false);
});

test('a process is told from a later one with the same id', () => {
  const now = identify(process.pid);
  expect(now?.startedAt).toBeTruthy();
  expect(identify(process.pid)).toEqual(now);
  expect(identify(process.ppid)?.startedAt).not.toBe(now?.startedAt);
  expect(identify(2 ** 22 + 1)).toBeNull();
});
