/** A receiver as an operator starts it: the command, a configuration file, an environment, a process of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/store/store.ts';
import type { Store } from '../../../src/store/store.ts';
import { commandFile } from '../command.ts';
import { setup } from '../setup.ts';
import { oneSourceConfig } from './one-source-config.ts';
import { SECRET } from './world.ts';

export interface ReceiverProcess {
  pid: number;
  url: string;
  store: Store;
  /** What it wrote to stderr so far. */
  log: () => string;
  /** Resolves with the exit status, or the signal that ended it. */
  ended: Promise<number | string | null>;
  isRunning: () => boolean;
  signal: (name: NodeJS.Signals) => void;
  /** The most memory it ever held, in MiB. */
  peakMemoryMib: () => Promise<number>;
}

export async function startReceiverProcess(
  environment: Record<string, string> = {},
): Promise<ReceiverProcess> {
  const { mysqlUrl, temporalAddress, taskQueue, defer } = await setup();
  const store = openStore(mysqlUrl, { connections: 2 });
  defer(() => store.close());
  const directory = await mkdtemp(join(tmpdir(), 'inorder-receiver-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'inorder.config.ts'), oneSourceConfig(SECRET));

  const child = spawn(process.execPath, [commandFile(), 'receiver'], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      MYSQL_URL: mysqlUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      INORDER_TASK_QUEUE: taskQueue,
      INORDER_HOST: '127.0.0.1',
      INORDER_PORT: '0',
      INORDER_OPERATIONS_PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = endOf(child);
  defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const port = await listeningPort(child, () => text);
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${String(port)}`,
    store,
    log: () => text,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
    peakMemoryMib: async () => {
      const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
    },
  };
}

const endOf = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((resolve) => {
    child.once('exit', (status, signal) => {
      resolve(status ?? signal);
    });
  });

function listeningPort(child: ChildProcess, log: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const port = /"port":(\d+)[^\n]*receiving webhooks/.exec(log())?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stderr?.on('data', look);
    child.once('exit', () => {
      reject(new Error(`the receiver did not start:\n${log()}`));
    });
    look();
  });
}
