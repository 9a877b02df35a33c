/**
 * What follows from the end of an attempt: the row's next state. Pure; the rules are those of `judge-claim.ts`,
 * seen from the other side.
 */
import type { EffectHandler } from '../config/resolved.ts';
import type { AttemptEnd } from './answer.ts';
import { retryDelayMs } from './retry.ts';

export interface Attempt {
  number: number;
  mode: 'call' | 'confirm';
  handler: EffectHandler;
  claimedAtMs: number;
  /** Before this attempt. */
  failures: number;
  unknownSinceMs: number | null;
}

export type Next =
  | { state: 'done' }
  | { state: 'pending'; delayMs: number; failures: number; unknownSinceMs: number | null; error: string }
  | {
      state: 'failed' | 'uncertain';
      failures: number;
      unknownSinceMs: number | null;
      error: string;
    };

/** A confirmation's answer: `no` clears every doubt about the attempts before. */
export type Confirmation = 'yes' | 'no' | { error: string };

export function judgeEnd(attempt: Attempt, end: AttemptEnd, nowMs: number, random: () => number): Next {
  if (end.kind === 'done') return { state: 'done' };
  const { handler } = attempt;
  const failures = attempt.failures + 1;
  const unknownSinceMs =
    end.kind === 'unknown' ? (attempt.unknownSinceMs ?? attempt.claimedAtMs) : attempt.unknownSinceMs;
  const delayMs = retryDelayMs(handler.retry, failures, end.retryAfterMs, random);
  const again: Next = { state: 'pending', delayMs, failures, unknownSinceMs, error: end.error };
  if (unknownSinceMs === null) {
    if (failures < handler.retry.maxAttempts) return again;
    return { state: 'failed', failures, unknownSinceMs, error: end.error };
  }
  // Whether it may be repeated at all is known now; a person need not wait for the timer to learn that it may not.
  const honouredThen = nowMs + delayMs + handler.timeoutMs <= unknownSinceMs + handler.keyTtlMs;
  if ((honouredThen && failures < handler.retry.maxAttempts) || handler.confirm !== null) return again;
  return { state: 'uncertain', failures, unknownSinceMs, error: end.error };
}

export function judgeConfirmation(attempt: Attempt, answer: Confirmation, random: () => number): Next {
  if (answer === 'yes') return { state: 'done' };
  const { handler, failures, unknownSinceMs } = attempt;
  if (answer === 'no') {
    const error = 'the receiver says that it was not done';
    if (failures >= handler.retry.maxAttempts) {
      return { state: 'failed', failures, unknownSinceMs: null, error };
    }
    return { state: 'pending', delayMs: 0, failures, unknownSinceMs: null, error };
  }
  const delayMs = retryDelayMs(handler.retry, failures + 1, null, random);
  // Its end is judged at the next claim, which knows how many questions are enough.
  return { state: 'pending', delayMs, failures: failures + 1, unknownSinceMs, error: answer.error };
}
