/**
 * How a long-running process ends: SIGTERM and SIGINT stop it in order, a second signal ends it at once, and an
 * error that nobody handled ends it with a log line, because what it left undone is unknown.
 */
import type { Log } from '../log.ts';

/** Exit statuses of a shell for the signals that ended a process. */
const STATUS_OF = { SIGINT: 130, SIGTERM: 143 } as const;
type StopSignal = keyof typeof STATUS_OF;

/** Resolves when a signal came and `stop` is through; rejects with what `stop` throws. */
export async function untilStopped(log: Log, stop: () => Promise<void>): Promise<void> {
  const signal = await firstSignal(log);
  log.info({ signal }, 'stopping; a second signal ends the process at once');
  await stop();
  log.info({}, 'stopped');
}

function firstSignal(log: Log): Promise<StopSignal> {
  process.on('unhandledRejection', (error) => {
    log.fatal({ error }, 'a promise failed and nobody handled it; the process ends');
    process.exit(1);
  });
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'an error was thrown and nobody caught it; the process ends');
    process.exit(1);
  });
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (signal: StopSignal): void => {
      if (isStopping) process.exit(STATUS_OF[signal]);
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}
