/**
 * Makes a folder that a person named, and those above it. Not by Node's `recursive`: where a file system says ENOENT
 * for a folder whose parent is there (/proc does), that tries again for ever.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Somebody else made it meanwhile.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** Throws where something else is in the way. */
function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}
