/** Runs the command as a user does: the built package in a process of its own, without a terminal. */
import { spawn } from 'node:child_process';
import { commandFile } from '../command.ts';

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}
export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Another file than the built package's. */
  command?: string;
}

export function runCli(
  args: string[],
  { env = {}, cwd = process.cwd(), command = commandFile() }: CliOptions = {},
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd,
      // Nothing of the test's own environment but where programs are.
      env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
