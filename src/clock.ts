/**
 * The time of day in epoch milliseconds with a fraction, for records that keep microseconds (R9). The wall clock
 * says which millisecond, the monotonic clock where inside it; when the wall clock was set, it wins at once.
 */
import { performance } from 'node:perf_hooks';

export type Clock = () => number;

const MAX_DRIFT_MS = 2;

export function createClock(): Clock {
  let offset = Date.now() - performance.now();
  return () => {
    const wall = Date.now();
    const precise = offset + performance.now();
    if (Math.abs(precise - wall) <= MAX_DRIFT_MS) return precise;
    offset = wall - performance.now();
    return wall;
  };
}
