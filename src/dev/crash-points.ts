/**
 * Where a process comes to a named point of its work, it asks here whether something is to happen, and goes on when it
 * has happened. Who is to be killed there does not live to hear the answer.
 */
import { createServer } from 'node:http';
import { closeAtOnce, listenOnLoopback } from './listen.ts';
import { readBytes } from './traffic/read-bytes.ts';

export interface Arrival {
  process: 'receiver' | 'worker';
  /** From 1. */
  number: number;
  point: string;
}

export interface CrashPoints {
  readonly url: string;
  close(): Promise<void>;
}

export async function openCrashPoints(onArrival: (arrival: Arrival) => Promise<void>): Promise<CrashPoints> {
  const server = createServer((request, response) => {
    readBytes(request)
      .then((body) => onArrival(JSON.parse(body.toString('utf8')) as Arrival))
      .then(
        () => response.writeHead(204).end(),
        () => response.destroy(),
      );
  });
  const url = await listenOnLoopback(server);
  return { url, close: () => closeAtOnce(server) };
}

/** The other side: what receivers and workers call at each point. */
export function arriveAt(url: string, process: Arrival['process'], number: number) {
  return async (point: string): Promise<void> => {
    const arrival: Arrival = { process, number, point };
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(arrival) });
    await answer.arrayBuffer();
  };
}
