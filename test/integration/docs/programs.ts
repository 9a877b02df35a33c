/** The programs on a page, in each language that is on this machine. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { findPrograms } from '../../../src/dev/services/find-program.ts';

const run = promisify(execFile);

interface Language {
  name: string;
  program: string;
  files: [send: string, effect: string];
  /** Before anything runs; what is compiled is then a program of its own. */
  compile?: (file: string) => string[];
  start: (program: string, file: string, port: number) => [command: string, ...args: string[]];
}

const RACK = resolve('test/integration/docs/rack.rb');
const script = (program: string, file: string, port: number): [string, ...string[]] => [
  program,
  file,
  ...(port === 0 ? [] : [String(port)]),
];

export const LANGUAGES: Language[] = [
  { name: 'Node', program: 'node', files: ['send.mjs', 'effect.mjs'], start: script },
  { name: 'Python', program: 'python3', files: ['send.py', 'effect.py'], start: script },
  {
    name: 'PHP',
    program: 'php',
    files: ['send.php', 'effect.php'],
    start: (program, file, port) =>
      port === 0 ? [program, file] : [program, '-q', '-S', `127.0.0.1:${port}`, file],
  },
  {
    name: 'Ruby',
    program: 'ruby',
    files: ['send.rb', 'effect.ru'],
    start: (program, file, port) => (port === 0 ? [program, file] : [program, RACK, file, String(port)]),
  },
  {
    name: 'Go',
    program: 'go',
    files: ['send.go', 'effect.go'],
    compile: (file) => ['build', '-o', `${file}.bin`, file],
    start: (_program, file, port) =>
      script(`./${file}.bin`, '', port).filter((part) => part !== '') as [string],
  },
];

const programOf = ({ program }: Language): string | undefined => findPrograms([program])[0];
export const isHere = (language: Language): boolean => programOf(language) !== undefined;

/** A fenced block of the page by what its first line names. */
export function blockNamed(page: string, file: string): string {
  const blocks = [...page.matchAll(/^```(?!sh\b)\w+\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.filter((block) => (block.split('\n')[0] ?? '').includes(file));
  expect(found, `blocks of the page named ${file}`).toHaveLength(1);
  return found[0] ?? '';
}

export interface Programs {
  /** Runs the sender to its end; what it printed. */
  send(args: string[], env: Record<string, string>): Promise<string>;
  serve(env: Record<string, string>): Promise<EffectServer>;
}
export interface EffectServer {
  url: string;
  /** The lines it has printed. */
  lines: string[];
  stop(): Promise<void>;
}

/** Writes a language's two programs into a folder of their own, compiled where need be. */
export async function programsOf(language: Language, page: string, folder: string): Promise<Programs> {
  const program = programOf(language) ?? language.program;
  const cwd = join(folder, language.name);
  mkdirSync(cwd);
  const system = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? cwd };
  for (const file of language.files) {
    writeFileSync(join(cwd, file), blockNamed(page, file));
    if (language.compile)
      await run(program, language.compile(file), { cwd, env: { ...process.env, GOFLAGS: '' } });
  }
  const [sender, effect] = language.files;
  return {
    async send(args, env) {
      const [command, ...own] = language.start(program, sender, 0);
      const { stdout } = await run(command, [...own, ...args], { cwd, env: { ...system, ...env } });
      return stdout.trim();
    },
    async serve(env) {
      const port = await findFreePort();
      const [command, ...args] = language.start(program, effect, port);
      const child = spawn(command, args, {
        cwd,
        env: { ...system, ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
      await untilListening(port);
      return { url: `http://127.0.0.1:${port}/hooks`, lines, stop: () => end(child) };
    },
  };
}

const untilListening = (port: number): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await isListening(port))) throw new Error(`nobody listens on port ${port}`);
    },
    { timeout: 20_000, interval: 20 },
  );

function isListening(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.end();
      settle(true);
    });
    socket.once('error', () => settle(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
