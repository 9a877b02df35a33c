/**
 * Where a story's processes come to a named point of their work, they ask here whether something is to happen, and
 * go on when it has happened. Who is to be killed there does not live to hear the answer.
 */
import { createServer } from 'node:http';
import type { ProcessName, ScenarioFault } from './scenario.ts';
import { closeAtOnce, listenOnLoopback } from '../listen.ts';
import { readBytes } from '../traffic/read-bytes.ts';

export interface Arrival {
  process: 'receiver' | 'worker';
  /** From 1. */
  number: number;
  point: string;
}

export interface CrashPoints {
  readonly url: string;
  /** Places of faults to which nothing came as often as they say. */
  missed(): number[];
  close(): Promise<void>;
}

export type CarryOut = (fault: ScenarioFault, target: ProcessName, number: number) => Promise<void>;

export async function openCrashPoints(
  faults: readonly ScenarioFault[],
  carryOut: CarryOut,
): Promise<CrashPoints> {
  const left = faults.map(({ times = 1 }) => times);

  async function arrive({ process, number, point }: Arrival): Promise<void> {
    for (const [index, fault] of faults.entries()) {
      const target = fault.kill ?? fault.freeze;
      if (target === undefined || fault.at !== point || left[index] === 0) continue;
      left[index] = (left[index] ?? 0) - 1;
      await carryOut(fault, target, target === process ? number : 1);
    }
  }

  const server = createServer((request, response) => {
    readBytes(request)
      .then((body) => arrive(JSON.parse(body.toString('utf8')) as Arrival))
      .then(
        () => response.writeHead(204).end(),
        () => response.destroy(),
      );
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    missed: () => [...left.entries()].flatMap(([index, times]) => (times > 0 ? [index] : [])),
    close: () => closeAtOnce(server),
  };
}

/** The other side: what receivers and workers call at each point. */
export function arriveAt(url: string, process: Arrival['process'], number: number) {
  return async (point: string): Promise<void> => {
    const arrival: Arrival = { process, number, point };
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(arrival) });
    await answer.arrayBuffer();
  };
}
