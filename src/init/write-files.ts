/** Writes a new project. Nothing that is there is overwritten, or nothing at all is written. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { InorderError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { ProjectFile } from './project-files.ts';

export interface WrittenFile {
  path: string;
  done: 'written' | 'replaced' | 'added to' | 'kept';
}

export function writeFiles(directory: string, files: ProjectFile[], force: boolean): WrittenFile[] {
  const inTheWay = files.filter(
    ({ path, ifThere }) => ifThere === 'refuse' && existsSync(join(directory, path)),
  );
  if (inTheWay.length > 0 && !force) {
    const names = inTheWay.map(({ path }) => relative('', join(directory, path))).join(' and ');
    const verb = inTheWay.length === 1 ? 'is' : 'are';
    throw new InorderError(
      'usage',
      `${names} ${verb} there already, and nothing was written; name another folder, or --force to overwrite (a .env is never overwritten)`,
    );
  }
  return files.map((file) => {
    const path = join(directory, file.path);
    try {
      return { path: file.path, done: writeFile(path, file) };
    } catch (error) {
      // A file where a folder should be, a link to nothing, no right to write.
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      throw new InorderError(
        'usage',
        `${relative('', path)} cannot be written (${code}); name another folder`,
        {
          cause: error,
        },
      );
    }
  });
}

function writeFile(
  path: string,
  { text, ifThere, missingOf, mode = 0o644 }: ProjectFile,
): WrittenFile['done'] {
  if (!existsSync(path)) {
    makeFolder(dirname(path));
    writeFileSync(path, text, { mode, flag: 'wx' });
    return 'written';
  }
  if (ifThere === 'keep') return 'kept';
  if (ifThere === 'refuse') {
    writeFileSync(path, text);
    return 'replaced';
  }
  const there = readFileSync(path, 'utf8');
  const missing = missingOf?.(there) ?? '';
  if (missing === '') return 'kept';
  writeFileSync(path, there + missing);
  // What was added to it may be a secret.
  if (mode === 0o600) chmodSync(path, mode);
  return 'added to';
}
