import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that is removed after the test; what is to stop before is deferred after this. */
export async function ownDirectoryForTest(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'inorder-services-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export const announce = (): void => undefined;
