/**
 * A server that belongs to this process: started, frozen, killed and ended by it.
 *
 * 1. It ends when we end, also by SIGKILL: a guard (three lines of shell) waits on a pipe from us and ends the
 *    server when the pipe closes.
 * 2. Its process id is on disk before it runs, written by the process that becomes the server; who finds the
 *    file later (`endLeftover`) signals only a process that still has our arguments.
 * 3. It has its own session: Ctrl-C in the terminal reaches us alone, and we decide the order of stopping.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { hasArgument, identify } from './process-identity.ts';

const STOP_TIMEOUT_MS = 15_000;

// "$1" is the server. A line on the pipe means that it ended by itself; the pipe's end means that we are gone.
const GUARD = `
if read -r line; then exit 0; fi
kill -CONT "$1" 2>/dev/null; kill -TERM "$1" 2>/dev/null; tries=0
while kill -0 "$1" 2>/dev/null; do
  tries=$((tries + 1)); [ "$tries" -lt 100 ] || { kill -KILL "$1" 2>/dev/null; exit 0; }
  sleep 0.1
done`;

export interface ServerCommand {
  command: string;
  args: string[];
  environment?: Record<string, string>;
  pidFile: string;
  logFile: string;
}

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #isRunning = true;

  private constructor(child: ChildProcess, ended: Promise<void>) {
    this.#child = child;
    this.#ended = ended.then(() => {
      this.#isRunning = false;
    });
  }

  static async start(server: ServerCommand): Promise<ServerProcess> {
    const log = openSync(server.logFile, 'a', 0o600);
    try {
      const child = spawn(
        'sh',
        // (2) exec keeps the process id that was just written. A file that may not grow (`ulimit -f`) is an error like a
        // full disk, and no signal to die of.
        ['-c', 'trap "" XFSZ; echo $$ > "$0" && exec "$@"', server.pidFile, server.command, ...server.args],
        { stdio: ['ignore', log, log], detached: true, env: { ...process.env, ...server.environment } },
      );
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      child.unref();
      guard(child);
      return new ServerProcess(child, ended);
    } finally {
      closeSync(log);
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Ends it politely, then not; returns when it has ended. */
  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#waitForEnd();
    clearTimeout(timer);
  }

  /** Sends a signal that ends it, as a crash would; returns when it has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#waitForEnd();
  }

  /** A server that runs does not keep us alive; one that is being ended does. */
  async #waitForEnd(): Promise<void> {
    this.#child.ref();
    await this.#ended;
  }

  /** Stops its clock: connections stay open and nothing answers. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }
}

/** (1) Detached, so that what ends our process group does not end the guard with it. */
function guard(child: ChildProcess): void {
  const watcher = spawn('sh', ['-c', GUARD, 'guard', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const pipe = watcher.stdin;
  watcher.unref();
  (pipe as unknown as { unref(): void }).unref();
  // The guard may be gone before the server is (a person ended it): there is nobody left to tell.
  pipe.on('error', () => undefined);
  child.once('exit', () => pipe.end('ended\n'));
}

/**
 * Ends a server that an earlier, crashed command left behind. `marker` is an argument that only our server in
 * this directory has; a process without it is somebody else's, and stays.
 */
export async function endLeftover(pidFile: string, marker: string): Promise<void> {
  const text = await readFile(pidFile, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  const pid = Number.parseInt(text, 10);
  if (pid > 1) {
    const isOurs = () => identify(pid) !== null && hasArgument(pid, marker);
    if (isOurs()) {
      process.kill(pid, 'SIGCONT');
      process.kill(pid, 'SIGTERM');
    }
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (isOurs()) {
      if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
      await delay(50);
    }
  }
  await rm(pidFile, { force: true });
}

/** What a server said last, to be looked through. */
export async function lastLines(logFile: string, count = 12): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
