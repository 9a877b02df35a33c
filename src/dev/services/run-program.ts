import { spawn } from 'node:child_process';

export interface ProgramResult {
  isOk: boolean;
  stdout: string;
  /** Both streams in the order they came, for messages. */
  output: string;
}

/** Runs a program to its end. A program that does not exist or fails is a result, not an error. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd?: string; environment?: Record<string, string>; input?: string } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) => resolve({ isOk: false, stdout, output: error.message }));
    child.once('close', (code) => resolve({ isOk: code === 0, stdout, output }));
    // A program that ends before it has read everything says why in its output.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}
