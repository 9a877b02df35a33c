#!/usr/bin/env node
// In a checkout the sources run as they are, through tsx and in this very process; a package has only what was built.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`inorder needs Node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

const source = new URL('../src/cli/main.ts', import.meta.url);
// The second one is for the copy of this file that lies beside what was built.
const built = ['../dist/src/cli/main.js', '../src/cli/main.js'].map((path) => new URL(path, import.meta.url));

const { register } = existsSync(source)
  ? await import('tsx/esm/api').catch(() => ({ register: null }))
  : { register: null };
const program = register ? source : built.find((file) => existsSync(file));
if (program === undefined) {
  process.stderr.write('inorder: tsx is not installed and nothing is built; run `npm ci` first\n');
  process.exit(1);
}
// Never the tsconfig of the folder the command is run in.
register?.({ tsconfig: false });
await import(program.href);
