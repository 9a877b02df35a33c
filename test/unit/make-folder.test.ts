import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../src/make-folder.ts';

function temporary(): string {
  const root = mkdtempSync(join(tmpdir(), 'inorder-folder-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

test('a folder is made with those above it, and is let be where it is there', () => {
  const folder = join(temporary(), 'a/b/c');
  for (const _ of ['made', 'there']) {
    makeFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  }
});

test('where a file system makes no folders the end is an error, at once', () => {
  expect(() => makeFolder('/proc/no-such/folder')).toThrow(/EN|EPERM|EACCES|EROFS/);
});

test('a file or a link to nothing in the way is an error', () => {
  const root = temporary();
  writeFileSync(join(root, 'file'), '');
  symlinkSync('/nowhere/at/all', join(root, 'link'));
  expect(() => makeFolder(join(root, 'file/below'))).toThrow(/ENOTDIR|no folder/);
  expect(() => makeFolder(join(root, 'link/below'))).toThrow(/E/);
});
