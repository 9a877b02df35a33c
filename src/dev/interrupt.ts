/**
 * Ctrl-C for commands that hold servers: the first one asks for an orderly end, the second one does not wait. What
 * we started ends with us in both cases.
 */
import { setMaxListeners } from 'node:events';

const STATUS_OF = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface Interrupt {
  /** Aborted at the first signal. */
  signal: AbortSignal;
  /** What a shell shows for it; null: none came. */
  readonly status: number | null;
  release(): void;
}

export function catchInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  // Everything that waits listens, and a storm waits in many places at once.
  setMaxListeners(0, controller.signal);
  let status: number | null = null;
  const names = Object.keys(STATUS_OF) as (keyof typeof STATUS_OF)[];
  const listeners = names.map((name) => {
    const listener = () => {
      if (status !== null) process.exit(STATUS_OF[name]);
      status = STATUS_OF[name];
      onFirst();
      controller.abort(new Error('interrupted'));
    };
    process.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    get status() {
      return status;
    },
    release: () => {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}

/** Resolves when the signal is aborted, and keeps the process alive until then: what else runs here may not. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const alive = setInterval(() => {}, 60_000);
    signal.addEventListener('abort', () => {
      clearInterval(alive);
      resolve();
    });
  });
}
