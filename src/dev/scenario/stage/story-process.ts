/**
 * One receiver or worker of a story, as a process of its own: `story-process <file>`, which a story's stage starts. It
 * differs from an operator's in one thing: at each point of its work it asks whether something is to happen there.
 */
import { readFileSync } from 'node:fs';
import type { Environment } from '../../../config/environment.ts';
import { startReceiver } from '../../../processes/receiver.ts';
import { startWorker } from '../../../processes/worker.ts';
import { untilStopped } from '../../../processes/until-stopped.ts';
import type { MachineDefinition } from '../../../ordering/machine.ts';
import { arriveAt } from '../../crash-points.ts';
import type { Scenario } from '../format/scenario.ts';
import { storyConfig } from './story-config.ts';
import { storyLog } from './story-log.ts';

/** All that a story's configuration is made of, as plain data. */
export interface ChildWorld {
  scenario: Scenario;
  file: string;
  machine: MachineDefinition;
  environment: string;
  /** By source. */
  apis: Record<string, { url: string; key: string }>;
  secrets: Record<string, { current: string; old: string }>;
  effects: { url: string; secret: string };
}

export interface ChildOrder {
  world: ChildWorld;
  process: 'receiver' | 'worker';
  /** From 1. */
  number: number;
  pointsUrl: string;
  environment: Environment;
  logFile: string | null;
}

async function run(order: ChildOrder): Promise<void> {
  const { world, process: name, number, pointsUrl, environment, logFile } = order;
  const { scenario, file, apis, secrets, ...others } = world;
  const config = storyConfig(scenario, file, {
    ...others,
    apiOf: (source) => apis[source] ?? null,
    secretOf: (source) => secrets[source]?.current ?? '',
    oldSecretOf: (source) => secrets[source]?.old ?? '',
  });
  const log = storyLog(name, logFile);
  const options = { log, at: arriveAt(pointsUrl, name, number) };
  const running =
    name === 'receiver'
      ? await startReceiver(config, environment, options)
      : await startWorker(config, environment, options);
  await untilStopped(log, () => running.stop());
}

await run(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ChildOrder);
