/**
 * inorder in the proof: a receiver and two workers as processes of their own, kept up as by any supervisor, on MySQL and
 * Temporal, and killed at named points of their work.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Closing } from '../../processes/closing.ts';
import { findFreePort } from '../services/free-port.ts';
import { Supervised } from '../supervised.ts';
import type { CrashPoint } from './handlers/handler.ts';

/**
 * What a crash means to inorder that the handlers have at the point named: each time the next of its list. Its receiver
 * answers when it has stored; writing and effects come after.
 */
const POINTS: Record<CrashPoint, readonly string[]> = {
  written: ['apply.committed', 'effect.claimed', 'apply.decided', 'ask.answered'],
  done: ['effect.sent'],
  answering: ['receiver.stored', 'effect.marked', 'receiver.offered', 'ask.begun', 'receiver.verified'],
};
const WORKERS = 2;
const PROGRAM = fileURLToPath(new URL('./inorder-process.ts', import.meta.url));
export const INORDER_CONFIG = fileURLToPath(new URL('./inorder.config.ts', import.meta.url));

export interface InorderSide {
  webhooksUrl: string;
  /** The next one that comes to such a point is killed there. */
  arm(crash: CrashPoint): Promise<void>;
  /** How often that has happened, by point. */
  kills(): Promise<Record<string, number>>;
  /** Nobody is killed any more, and all are back. */
  disarm(): Promise<void>;
  readonly failure: Error | null;
}

export async function startInorder(options: {
  directory: string;
  environment: Record<string, string>;
  closing: Closing;
  signal: AbortSignal;
}): Promise<InorderSide> {
  const { directory, environment, closing, signal } = options;
  const folder = join(directory, 'crash', 'inorder');
  await mkdir(folder, { recursive: true });
  const host = '127.0.0.1';
  const port = await findFreePort();
  const start = async (name: 'receiver' | 'worker', number: number) => {
    const operationsPort = await findFreePort();
    const started = await Supervised.start({
      name: name === 'receiver' ? name : `${name}-${number}`,
      command: ['--import', import.meta.resolve('tsx'), PROGRAM, name, folder],
      environment: {
        ...environment,
        INORDER_CONFIG,
        INORDER_HOST: host,
        INORDER_OPERATIONS_HOST: host,
        INORDER_PORT: String(port),
        INORDER_OPERATIONS_PORT: String(operationsPort),
      },
      directory: join(directory, 'processes'),
      readyUrl:
        name === 'receiver' ? `http://${host}:${port}/readyz` : `http://${host}:${operationsPort}/metrics`,
    });
    closing.add(`inorder's ${started.name}`, () => started.stop());
    return started;
  };
  const processes = [await start('receiver', 1)];
  for (let number = 1; number <= WORKERS; number++) processes.push(await start('worker', number));
  await Promise.all(processes.map((one) => one.ready(signal)));

  const armed = new Map<string, number>();
  const turns = new Map<CrashPoint, number>();
  const count = (point: string, by: number) => armed.set(point, (armed.get(point) ?? 0) + by);
  return {
    webhooksUrl: `http://${host}:${port}/webhooks`,
    async arm(crash) {
      const turn = turns.get(crash) ?? 0;
      turns.set(crash, turn + 1);
      const point = POINTS[crash][turn % POINTS[crash].length] ?? '';
      // The one before has not fallen yet.
      if (existsSync(join(folder, point))) return;
      count(point, 1);
      await writeFile(join(folder, point), '');
    },
    async kills() {
      const waiting = new Set(await readdir(folder));
      return Object.fromEntries(
        [...armed].map(([point, times]) => [point, waiting.has(point) ? times - 1 : times]),
      );
    },
    async disarm() {
      for (const point of await readdir(folder)) {
        count(point, -1);
        await rm(join(folder, point), { force: true });
      }
      await Promise.all(processes.map((one) => one.ready(signal)));
    },
    get failure() {
      return processes.map(({ failure }) => failure).find((failure) => failure !== null) ?? null;
    },
  };
}
