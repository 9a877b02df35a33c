/**
 * One of inorder's own processes, started as an operator starts it, kept running, and killed on purpose.
 *
 * 1. It ends when we end, also by SIGKILL (ServerProcess).
 * 2. It comes back after every end that nobody ordered; when it cannot stay up, that is an error that names its log.
 * 3. Its log goes to a file; nothing of it reaches the terminal.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { InorderError } from '../errors.ts';
import { lastError } from './services/last-error.ts';
import { ServerProcess } from './services/server-process.ts';

export interface SupervisedOptions {
  /** `receiver` or `worker`, unless something else is run. */
  name: string;
  /** Behind the command's name. */
  args?: string[];
  /** What runs instead of inorder's own command, as Node's arguments. */
  command?: string[];
  environment: Record<string, string>;
  /** Where its log and its process id are kept. */
  directory: string;
  /** Answers 200 once it works. */
  readyUrl: string;
}

const BIN = fileURLToPath(new URL('../../bin/inorder.js', import.meta.url));
const START_TIMEOUT_MS = 90_000;
const LOOK_EVERY_MS = 100;
const MAX_CRASHES = 3;

export class Supervised {
  readonly name: string;
  readonly logFile: string;
  readonly #options: SupervisedOptions;
  #process: ServerProcess | null = null;
  #isStopping = false;
  #isReady = false;
  /** The one that runs now was ended by us, wherever it was: also while it was starting. */
  #wasKilled = false;
  #watching: Promise<void> = Promise.resolve();
  #failure: InorderError | null = null;
  #fail: (failure: InorderError) => void = () => {};
  /** Resolves when it cannot be kept up, and never otherwise. */
  readonly ended = new Promise<InorderError>((resolve) => {
    this.#fail = (failure) => {
      this.#failure = failure;
      resolve(failure);
    };
  });

  private constructor(options: SupervisedOptions) {
    this.#options = options;
    this.name = options.name;
    this.logFile = join(options.directory, `${options.name}.log`);
  }

  /** Returns at once; `ready` says when it works. */
  static async start(options: SupervisedOptions): Promise<Supervised> {
    await mkdir(options.directory, { recursive: true });
    const supervised = new Supervised(options);
    // One log per command; what earlier ones wrote would be read as this one's.
    await rm(supervised.logFile, { force: true });
    supervised.#watching = supervised.#keepRunning().catch((error: unknown) => {
      supervised.#fail(InorderError.from(error));
    });
    return supervised;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Throws when it cannot stay up, or is stopped before it works. */
  async ready(signal?: AbortSignal): Promise<void> {
    while (!this.#isReady) {
      if (this.#failure) throw this.#failure;
      signal?.throwIfAborted();
      if (this.#isStopping) throw new InorderError('service_failed', `the ${this.name} was stopped`);
      await delay(LOOK_EVERY_MS);
    }
  }

  /** The failure that ended it for good, if one did. */
  get failure(): InorderError | null {
    return this.#failure;
  }

  /** As a crash at any instruction; it is started again by itself. */
  async kill(): Promise<void> {
    this.#isReady = false;
    this.#wasKilled = true;
    await this.#process?.kill('SIGKILL');
  }

  /** Stops its clock, wherever it is. */
  freeze(): void {
    this.#process?.freeze();
  }

  thaw(): void {
    this.#process?.thaw();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#process?.stop();
    await this.#watching;
  }

  async #keepRunning(): Promise<void> {
    let crashes = 0;
    let hasWorked = false;
    while (!this.#isStopping) {
      this.#wasKilled = false;
      const process = await this.#spawn();
      // Stopped between the look and the start.
      if (this.#isStopping) await process.stop();
      const wasReady = await this.#awaitReady(process);
      while (process.isRunning) await delay(LOOK_EVERY_MS);
      this.#isReady = false;
      hasWorked ||= wasReady;
      if (this.#isStopping) return;
      // Not a crash, and says nothing about whether it can work.
      if (this.#wasKilled) continue;
      crashes = wasReady ? 0 : crashes + 1;
      // What never worked will not work the second time: a wrong configuration, a taken port.
      if (crashes >= MAX_CRASHES || !hasWorked) {
        const why = await lastError(this.logFile);
        this.#fail(
          new InorderError(
            'service_failed',
            `The ${this.name} does not stay up: ${why} (its log: ${relative('', this.logFile)})`,
          ),
        );
        return;
      }
    }
  }

  async #spawn(): Promise<ServerProcess> {
    const { name, args = [], command = [BIN, name], environment, directory } = this.#options;
    this.#process = await ServerProcess.start({
      command: process.execPath,
      args: [...command, ...args],
      environment,
      pidFile: join(directory, `${name}.pid`),
      logFile: this.logFile,
    });
    return this.#process;
  }

  async #awaitReady(child: ServerProcess): Promise<boolean> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (child.isRunning && Date.now() < deadline) {
      if (await answers(this.#options.readyUrl)) {
        this.#isReady = child.isRunning;
        return this.#isReady;
      }
      await delay(LOOK_EVERY_MS);
    }
    // Alive and not working is as good as dead.
    if (child.isRunning) await child.stop();
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
