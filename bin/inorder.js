#!/usr/bin/env node
// In a checkout the sources run as they are, through tsx and in this very process; a package has only dist/.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`inorder needs Node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

const source = new URL('../src/cli/main.ts', import.meta.url);
const built = new URL('../dist/src/cli/main.js', import.meta.url);
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api').catch(() => ({ register: null }));
  if (register) {
    // Never the tsconfig of the folder the command is run in.
    register({ tsconfig: false });
    await import(source.href);
  } else if (existsSync(built)) await import(built.href);
  else {
    process.stderr.write('inorder: tsx is not installed and nothing is built; run `npm ci` first\n');
    process.exit(1);
  }
} else await import(built.href);
