/** Receivers and workers of one story, and what a story may do to them. */
import type { Config } from '../../../config/resolved.ts';
import type { Environment } from '../../../config/environment.ts';
import { InorderError } from '../../../errors.ts';
import type { Closing } from '../../../processes/closing.ts';
import { startReceiver } from '../../../processes/receiver.ts';
import { startWorker } from '../../../processes/worker.ts';
import type { WorkerOptions } from '../../../processes/worker.ts';
import type { ProcessName, Scenario, ScenarioChange } from '../format/scenario.ts';
import { storyLog } from './story-log.ts';

export type ProcessStep = Extract<
  ScenarioChange,
  { kill: unknown } | { freeze: unknown } | { stop: unknown } | { start: unknown }
>;

export interface StoryProcesses {
  /** The public address of a receiver, from 1, as soon as it takes deliveries; one that was stopped is not waited for. */
  receiverUrl(number: number): Promise<string>;
  act(step: ProcessStep): Promise<void>;
  /** What was frozen goes on, what was killed is back. */
  whole(): Promise<void>;
  /** Places of the story's faults that nothing came to. */
  missedFaults(): number[];
}

export const isProcessStep = (step: object): step is ProcessStep =>
  'kill' in step || 'freeze' in step || 'stop' in step || 'start' in step;

/** The processes that a story ends or stops, at a point of their work or between its steps. */
export function touchedProcesses({ faults = [], deliveries }: Scenario): Set<ProcessName> {
  const changes: Partial<Record<'kill' | 'freeze' | 'stop' | 'start', ProcessName | undefined>>[] = [
    ...faults,
    ...deliveries.filter(isProcessStep),
  ];
  const names = changes.flatMap(({ kill, freeze, stop, start }) => [kill, freeze, stop, start]);
  return new Set(names.filter((name) => name !== undefined));
}

interface InProcess extends Pick<WorkerOptions, 'createWorkers'> {
  config: Config;
  environment: Environment;
  closing: Closing;
  logFile: string | null;
}

/** In this process: quick to start, and nothing can be done to them. */
export async function startInProcess(
  scenario: Scenario,
  { config, environment, closing, logFile, ...workers }: InProcess,
): Promise<StoryProcesses> {
  const receiving = times(scenario.receivers ?? 1, () =>
    startReceiver(config, environment, { log: storyLog('receiver', logFile) }),
  );
  const working = times(scenario.workers ?? 1, () =>
    startWorker(config, environment, { log: storyLog('worker', logFile), ...workers }),
  );
  for (const one of [...working, ...receiving]) {
    closing.add('a process', async () => {
      await (await one).stop();
    });
  }
  // When one fails, the others are still ended by the caller.
  await Promise.allSettled([...receiving, ...working]);
  const receivers = await Promise.all(receiving);
  await Promise.all(working);
  return {
    receiverUrl: (number) => Promise.resolve(`http://127.0.0.1:${receivers[number - 1]?.port ?? 0}`),
    act: () => Promise.reject(new InorderError('internal', 'these processes are no one else’s to end')),
    whole: () => Promise.resolve(),
    missedFaults: () => [],
  };
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
