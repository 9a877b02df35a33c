/**
 * Puts a process's time of day off by as many milliseconds as a file says, from the moment it says so: as a clock that
 * somebody set, or that jumps when it is corrected. Timers are not touched, as a system's monotonic clock is not.
 */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 100;

export function followClock(file: string): void {
  const RealDate = Date;
  let byMs = 0;
  const now = (): number => RealDate.now() + byMs;
  const look = (): void => {
    byMs = Number(readIfThere(file)) || 0;
  };
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, values, newTarget) =>
      Reflect.construct(date, values.length === 0 ? [now()] : values, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (date, name, receiver) => (name === 'now' ? now : (Reflect.get(date, name, receiver) as unknown)),
  });
}

/** Empty while nobody has set it. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
