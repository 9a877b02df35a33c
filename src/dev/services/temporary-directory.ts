import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAbandoned } from './owned-directory.ts';

/**
 * A directory for one run of a server, removed by who made it. Those that a killed command could not remove are
 * removed here, by the next one.
 */
export async function makeTemporaryDirectory(name: string): Promise<string> {
  const prefix = `inorder-${name}-`;
  for (const entry of await readdir(tmpdir())) {
    const directory = join(tmpdir(), entry);
    if (entry.startsWith(prefix) && (await isAbandoned(directory))) {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return await mkdtemp(join(tmpdir(), prefix));
}
