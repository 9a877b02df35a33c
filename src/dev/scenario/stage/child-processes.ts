/**
 * Receivers and workers of one story as processes of their own, kept up as by any supervisor, and ended or frozen as the
 * story says; MySQL and Temporal likewise, where the story has its own.
 *
 * 1. What is killed comes back by itself at once. What is stopped stays away until the story starts it.
 * 2. What is frozen goes on after the story's `for`, whatever else happens meanwhile.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../../config/environment.ts';
import { InorderError } from '../../../errors.ts';
import { parseDurationMs } from '../../../ordering/duration.ts';
import type { Closing } from '../../../processes/closing.ts';
import { openCrashPoints } from '../../crash-points.ts';
import { findFreePort } from '../../services/free-port.ts';
import type { RunningService } from '../../services/service.ts';
import { Supervised } from '../../supervised.ts';
import { FaultsAtPoints } from './faults-at-points.ts';
import type { ProcessName, Scenario } from '../format/scenario.ts';
import type { ChildOrder, ChildWorld } from './story-process.ts';
import { times } from './story-processes.ts';
import type { ProcessStep, StoryProcesses } from './story-processes.ts';

export interface ChildOptions {
  world: ChildWorld;
  environment: Environment;
  logFile: string | null;
  /** For logs and what the children are told; goes with the story. */
  directory: string;
  /** The story's own, where it does something to them. */
  servers: Partial<Record<'mysql' | 'temporal', RunningService>>;
  closing: Closing;
}

/** Something that can be ended and stopped. */
interface Target {
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

/** The sources run as they are, through tsx; a package has what was built. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
const PROGRAM = fileURLToPath(
  new URL(IS_SOURCE ? './story-process.ts' : './story-process.js', import.meta.url),
);
const COMMAND = IS_SOURCE ? ['--import', import.meta.resolve('tsx'), PROGRAM] : [PROGRAM];

export async function startChildren(scenario: Scenario, options: ChildOptions): Promise<StoryProcesses> {
  const { world, environment, logFile, directory, servers, closing } = options;
  const thaws: Promise<void>[] = [];
  const targets = new Map<string, Target>();
  const targetOf = (name: ProcessName, number: number): Target => {
    const target = targets.get(nameOf(name, number));
    if (target !== undefined) return target;
    throw new InorderError('usage', `the story has no ${name}${number > 1 ? ` ${number}` : ''}`);
  };

  const freeze = (target: Target, text: string | undefined): Promise<void> => {
    target.freeze();
    // (2)
    const thaw = delay(parseDurationMs(text ?? '') ?? 0).then(() => target.thaw());
    thaws.push(thaw);
    return thaw;
  };
  const faults = new FaultsAtPoints(scenario.faults ?? [], async (fault, name, number) => {
    const target = targetOf(name, number);
    if (fault.kill !== undefined) await target.kill();
    else await freeze(target, fault.for);
  });
  const points = await openCrashPoints((arrival) => faults.arrive(arrival));
  closing.add('the crash points', () => points.close());

  for (const [name, service] of Object.entries(servers)) targets.set(nameOf(name, 1), serviceTarget(service));

  const children: Child[] = [];
  const add = async (kind: ChildOrder['process'], number: number): Promise<void> => {
    const ports = { port: await findFreePort(), operationsPort: await findFreePort() };
    const order: ChildOrder = {
      ...{ world, process: kind, number, pointsUrl: points.url, logFile },
      environment: { ...environment, ...ports },
    };
    const file = join(directory, `${kind}-${number}.json`);
    // Secrets of the story stand in it.
    await writeFile(file, JSON.stringify(order), { mode: 0o600 });
    const child = new Child(kind, number, { file, directory, ...ports });
    children.push(child);
    targets.set(nameOf(kind, number), child);
    await child.start();
    closing.add(`${kind} ${number}`, () => child.stop());
  };
  for (const number of times(scenario.workers ?? 1, (index) => index + 1)) await add('worker', number);
  for (const number of times(scenario.receivers ?? 1, (index) => index + 1)) await add('receiver', number);
  await Promise.all(children.map((child) => child.ready()));

  return {
    async receiverUrl(number) {
      const child = targetOf('receiver', number) as Child;
      await child.ready();
      return child.publicUrl;
    },
    async act(step) {
      const target = targetOf(nameIn(step), step.number ?? 1);
      if ('kill' in step) await target.kill();
      else if ('freeze' in step) void freeze(target, step.for);
      else if ('stop' in step) await target.stop();
      else await target.start();
    },
    async whole() {
      await Promise.all(thaws);
      await Promise.all(children.map((child) => child.ready()));
    },
    missedFaults: () => faults.missed(),
  };
}

const nameOf = (name: string, number: number): string => `${name} ${number}`;

function nameIn(step: ProcessStep): ProcessName {
  if ('kill' in step) return step.kill;
  if ('freeze' in step) return step.freeze;
  return 'stop' in step ? step.stop : step.start;
}

class Child implements Target {
  readonly publicUrl: string;
  readonly #start: () => Promise<Supervised>;
  #running: Supervised | null = null;

  constructor(
    name: ChildOrder['process'],
    number: number,
    at: { file: string; directory: string; port: number; operationsPort: number },
  ) {
    const host = 'http://127.0.0.1';
    this.publicUrl = `${host}:${at.port}`;
    this.#start = () =>
      Supervised.start({
        name,
        command: [...COMMAND, at.file],
        environment: {},
        directory: join(at.directory, String(number)),
        readyUrl: name === 'receiver' ? `${this.publicUrl}/livez` : `${host}:${at.operationsPort}/livez`,
      });
  }

  async start(): Promise<void> {
    this.#running ??= await this.#start();
  }

  /** At once where the story has stopped it. */
  async ready(): Promise<void> {
    await this.#running?.ready();
  }

  async kill(): Promise<void> {
    await this.#running?.kill();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.stop();
  }

  freeze(): void {
    this.#running?.freeze();
  }

  thaw(): void {
    this.#running?.thaw();
  }
}

function serviceTarget(service: RunningService): Target {
  return {
    // (1)
    async kill() {
      await service.kill();
      await service.restart();
    },
    // Its directory and port stay ours.
    stop: () => service.kill('SIGTERM'),
    start: () => service.restart(),
    freeze: () => service.freeze(),
    thaw: () => service.thaw(),
  };
}
