import { spawn } from 'node:child_process';
import type { Check } from './check.ts';

/** A check that a tool makes: what it prints when it fails is the problem. */
export function toolCheck(name: string, remedy: string, args: string[]): Check {
  return {
    name,
    remedy,
    findProblems: () =>
      new Promise((resolve, reject) => {
        const [command = '', ...rest] = args;
        const child = spawn(`node_modules/.bin/${command}`, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
        let output = '';
        child.stdout.on('data', (text: Buffer) => (output += text.toString()));
        child.stderr.on('data', (text: Buffer) => (output += text.toString()));
        child.once('error', reject);
        child.once('close', (code) => resolve(code === 0 ? [] : [output.trimEnd()]));
      }),
  };
}
