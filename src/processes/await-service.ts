/**
 * Waiting, at the start of a process, for a service it cannot work without. Machines come up in any order, so a
 * missing service is waited for with growing pauses and a clear line; one that does not come within the limit
 * ends the start, because the fault is then probably in the configuration.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { InorderError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 3_000;
const REMIND_EVERY_MS = 15_000;

export interface AwaitServiceOptions<T> {
  /** As a sentence begins: `MySQL`, `Temporal at 127.0.0.1:7233`. */
  what: string;
  code: ErrorCode;
  limitMs: number;
  log: Pick<Log, 'info' | 'warn'>;
  /** Ends the waiting: the process was told to stop. */
  signal: AbortSignal;
  attempt: () => Promise<T>;
  /** Errors that no waiting mends. */
  isFinal?: (error: unknown) => boolean;
}

export async function awaitService<T>(options: AwaitServiceOptions<T>): Promise<T> {
  const { what, code, limitMs, log, signal, attempt, isFinal = () => false } = options;
  const startedAtMs = Date.now();
  let remindedAtMs = -Infinity;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      const service = await attempt();
      if (remindedAtMs > 0) log.info({ durationMs: Date.now() - startedAtMs }, `${what} is there`);
      return service;
    } catch (error) {
      if (isFinal(error)) throw error;
      const waitedMs = Date.now() - startedAtMs;
      if (waitedMs >= limitMs) {
        const seconds = Math.round(waitedMs / 1_000);
        throw new InorderError(code, `${what} was not there for ${seconds} seconds; gave up.`, {
          cause: error,
        });
      }
      if (Date.now() - remindedAtMs >= REMIND_EVERY_MS) {
        remindedAtMs = Date.now();
        log.warn({ error }, `${what} is not there yet; waiting for it`);
      }
    }
    await delay(pauseMs, undefined, { signal });
  }
}
