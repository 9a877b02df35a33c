/**
 * Looks for a shorter run that fails as well, by playing it: fewer kinds of faults, fewer orders, less time. What a fault
 * meets is up to the machine, so that a run which fails now and then may pass here: what is found does fail, what is not
 * found may still be there.
 *
 * 1. The smallest that has failed is the one that is gone on from, and the answer at the end.
 * 2. No run is begun that may not end within the time given.
 */
import { FAULT_KINDS, type FaultKind } from './fault.ts';
import type { ChaosRun } from './run.ts';

export interface ShrinkOptions {
  limitMs: number;
  /** Whether this run fails; it is played now. */
  fails: (run: ChaosRun) => Promise<boolean>;
  onTry: (run: ChaosRun) => void;
  now?: () => number;
}

const SHORTEST_MINUTES = 0.25;
const FEWEST_ORDERS = 5;

export async function shrink(failing: ChaosRun, options: ShrinkOptions): Promise<ChaosRun> {
  const { limitMs, fails, onTry, now = () => performance.now() } = options;
  const startedAtMs = now();
  let smallest = failing;
  let longestMs = 0;
  const tried = new Set<string>();
  for (;;) {
    const next = smallerThan(smallest).find((run) => !tried.has(JSON.stringify(run)));
    if (next === undefined) return smallest;
    // (2)
    const beganAtMs = now();
    if (beganAtMs - startedAtMs + Math.max(longestMs, next.minutes * 60_000) > limitMs) return smallest;
    tried.add(JSON.stringify(next));
    onTry(next);
    // (1)
    if (await fails(next)) smallest = next;
    longestMs = Math.max(longestMs, now() - beganAtMs);
  }
}

/** What takes away most comes first. */
function smallerThan(run: ChaosRun): ChaosRun[] {
  const kinds = run.only ?? FAULT_KINDS;
  const parts = (size: number): FaultKind[][] =>
    Array.from({ length: Math.ceil(kinds.length / size) }, (_, index) =>
      kinds.slice(index * size, (index + 1) * size),
    );
  const half = Math.ceil(kinds.length / 2);
  const shorter = Math.round((run.minutes / 2) * 100) / 100;
  const fewer = Math.ceil(run.orders / 2);
  return [
    // As dense as before.
    ...(shorter >= SHORTEST_MINUTES && fewer >= FEWEST_ORDERS
      ? [{ ...run, minutes: shorter, orders: fewer }]
      : []),
    ...(kinds.length > 1 ? parts(half).map((only) => ({ ...run, only })) : []),
    ...(fewer >= FEWEST_ORDERS ? [{ ...run, orders: fewer }] : []),
    // One of them less, when no half will do.
    ...(kinds.length > 2 ? kinds.map((one) => ({ ...run, only: kinds.filter((kind) => kind !== one) })) : []),
  ];
}
