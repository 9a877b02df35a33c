/**
 * What a worker that wants to run an effect may do with its row. Pure: everything it goes by was read in the
 * claim's transaction.
 *
 * 1. Done, failed, dropped, uncertain and recorded are ends; nothing is ever run again from there (R31).
 * 2. While a lease lasts nobody else claims. When it is over the attempt was lost, and its end is unknown (R32).
 * 3. Only what certainly was not done may be dropped: no attempt so far, or every attempt certainly failed. The
 *    refusal of a later attempt says nothing about an earlier one that may have gone through.
 * 4. What may have been done is repeated only while the receiver honours the key; after that it is confirmed, or a
 *    person decides.
 */
import type { EffectHandler } from '../config/resolved.ts';
import type { EffectPolicy } from '../ordering/machine.ts';
import type { EffectRow } from './row.ts';

export interface ClaimContext {
  row: EffectRow;
  /** The order's present status, and whether a gap or an ask of it is open. */
  status: string;
  openQuestion: boolean;
  /** An effect of the same name that was asked for earlier has not ended. */
  earlierOpen: boolean;
  /** Undefined when this worker's configuration does not know the effect. */
  handler: EffectHandler | undefined;
  policy: EffectPolicy | undefined;
}

export type Verdict =
  /** At its end before. */
  | { kind: 'ended' }
  /** Not now, and nothing is written. */
  | { kind: 'wait'; ms: number; reason: string }
  /** At its end now, without an attempt. */
  | { kind: 'end'; state: 'dropped' | 'failed' | 'uncertain'; error: string; lost: boolean }
  /** Call it, or ask whether it was done. */
  | { kind: 'claim'; mode: 'call' | 'confirm'; handler: EffectHandler; lost: boolean };

/** Questions to the receiver after the last attempt, or past the key's time, before a person is asked. */
const CONFIRM_TRIES = 3;
const WAIT_MS = { handler: 15_000, earlier: 1_000, question: 1_000 };
/** Keeps a caller whose clock runs ahead of the database's from asking again at once. */
const LEAST_WAIT_MS = 50;
const LOST = 'the attempt was lost with its worker; how it ended is unknown';

export function judgeClaim(context: ClaimContext): Verdict {
  const { row, handler, policy } = context;
  if (row.state !== 'pending' && row.state !== 'running') return { kind: 'ended' };

  const lost = row.state === 'running';
  if (lost && row.leasedUntilMs !== null && row.leasedUntilMs > row.nowMs) {
    return wait(row.leasedUntilMs - row.nowMs, 'another attempt is under way');
  }
  if (handler === undefined || policy === undefined) {
    return wait(WAIT_MS.handler, 'this worker does not know the effect');
  }
  if (!lost && row.nextAttemptAtMs !== null && row.nextAttemptAtMs > row.nowMs) {
    return wait(row.nextAttemptAtMs - row.nowMs, row.error ?? 'its next attempt is not due');
  }
  if (context.earlierOpen) return wait(WAIT_MS.earlier, 'an earlier effect of this name has not ended');
  if (policy.sensitive === true && context.openQuestion) {
    return wait(WAIT_MS.question, 'a gap or an ask of the order is open');
  }

  const unknownSinceMs = lost ? (row.unknownSinceMs ?? row.claimedAtMs) : row.unknownSinceMs;
  const failures = row.failures + (lost ? 1 : 0);
  const lastError = lost ? LOST : (row.error ?? 'its attempts are used up');
  if (unknownSinceMs === null) {
    if (policy.validIn !== undefined && !policy.validIn.includes(context.status)) {
      const error = `the order is ${context.status}; valid in ${policy.validIn.join(', ')}`;
      return { kind: 'end', state: 'dropped', error, lost };
    }
    if (failures >= handler.retry.maxAttempts)
      return { kind: 'end', state: 'failed', error: lastError, lost };
    return { kind: 'claim', mode: 'call', handler, lost };
  }
  const keyIsHonoured = row.nowMs + handler.timeoutMs <= unknownSinceMs + handler.keyTtlMs;
  if (keyIsHonoured && failures < handler.retry.maxAttempts) {
    return { kind: 'claim', mode: 'call', handler, lost };
  }
  if (handler.confirm !== null && failures < handler.retry.maxAttempts + CONFIRM_TRIES) {
    return { kind: 'claim', mode: 'confirm', handler, lost };
  }
  return { kind: 'end', state: 'uncertain', error: lastError, lost };
}

const wait = (ms: number, reason: string): Verdict => ({
  kind: 'wait',
  ms: Math.max(Math.ceil(ms), LEAST_WAIT_MS),
  reason,
});
