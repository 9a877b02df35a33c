/**
 * Waits until everything that was sent has its end: every event a final outcome, every effect a final state. Gives up
 * only when nothing has moved for so long that no timer of inorder can still be the reason.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { selectOverview, type Overview } from '../store/overview.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 250;
/** Longer than the longest pause the demo's configuration knows: a claimed effect's lease, a sweep. */
const STILL_LIMIT_MS = 120_000;
/** Everything looks settled: what an answer under way may still change shows within this. */
const CALM_MS = 1_000;

const FINAL_EFFECTS = new Set(['done', 'dropped', 'recorded', 'failed', 'uncertain']);

export const openEffects = (overview: Overview): number =>
  Object.entries(overview.effects).reduce(
    (sum, [state, count]) => sum + (FINAL_EFFECTS.has(state) ? 0 : count),
    0,
  );

export async function awaitSettled(
  store: Store,
  options: {
    /** Also to be true before the end; asked only when all is settled. */
    isAsExpected: () => Promise<boolean>;
    /** How long it may be settled and not as expected. */
    patienceMs?: number;
    onLook: (overview: Overview) => void;
    failure: () => Error | null;
    signal: AbortSignal;
  },
): Promise<'settled' | 'stuck'> {
  let last = '';
  let movedAtMs = Date.now();
  for (;;) {
    options.signal.throwIfAborted();
    const failure = options.failure();
    if (failure) throw failure;
    const overview = await selectOverview(store);
    options.onLook(overview);
    const now = JSON.stringify(overview);
    if (now !== last) {
      last = now;
      movedAtMs = Date.now();
    }
    const stillMs = Date.now() - movedAtMs;
    const isSettled = overview.unsettled === 0 && openEffects(overview) === 0;
    if (isSettled && stillMs >= CALM_MS && (await options.isAsExpected())) return 'settled';
    // Settled and different from what is expected: a final state, after a moment more for answers under way.
    if (isSettled && stillMs >= (options.patienceMs ?? CALM_MS * 10)) return 'settled';
    if (stillMs >= STILL_LIMIT_MS) return 'stuck';
    await delay(LOOK_EVERY_MS, undefined, { signal: options.signal });
  }
}
