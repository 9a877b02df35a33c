import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Tree } from './check.ts';

export function readTree(): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  // A file that was deleted but not yet committed as such is still listed.
  const files = [...new Set(listed.split('\0'))].filter((file) => file !== '' && existsSync(file)).sort();
  const texts = new Map<string, string>();
  return {
    files,
    read(file) {
      const known = texts.get(file) ?? readFileSync(file, 'utf8');
      texts.set(file, known);
      return known;
    },
  };
}
