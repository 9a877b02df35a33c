/**
 * One attempt of one effect: claim, call, mark. Dying at any instruction is allowed (R32): before the claim's
 * commit nothing happened; after it the lease runs out and the next claim takes the end for unknown; after the mark
 * a repeat finds the end.
 *
 * 1. No transaction is open while the effect is called (R28).
 * 2. An attempt that woke up too late to end within its lease calls nobody.
 * 3. The mark is written under the attempt's number. If a later attempt took over, what is stored counts.
 * 4. Every ordinary end is a returned value; back-off is the workflow's timer.
 */
import { performance } from 'node:perf_hooks';

import type { Config } from '../src/config/resolved.ts';
import type { AttemptEnd } from '../src/effects/answer.ts';
import { callFunction, withinTime } from '../src/effects/call-function.ts';
import type { TimedCall } from '../src/effects/call-function.ts';
import { LEASE_MARGIN_MS, STOPPED_MS, claim } from '../src/effects/claim.ts';
import type { Claim } from '../src/effects/claim.ts';
import { callHttp } from '../src/effects/http.ts';
import { judgeConfirmation, judgeEnd } from '../src/effects/judge-end.ts';
import type { Confirmation, Next } from '../src/effects/judge-end.ts';
import type { EffectRow } from '../src/effects/row.ts';
import { shortError } from '../src/effects/short-error.ts';
import type { Log } from '../src/log.ts';
import { recordAttempt, selectEffect } from '../src/store/effects.ts';
import { isNamed, openStop, selectRestores } from '../src/store/restores.ts';
import { isLockWaitTimeout, isUnavailable } from '../src/store/sql-error.ts';
import type { Store } from '../src/store/store.ts';
import type { RunEffectInput, RunEffectResult } from './order-activities.ts';

export interface RunEffectDependencies {
  store: Store;
  config: Config;
  log: Log;
  now: () => number;
  random: () => number;
  /** Called at the points where a crash matters. Does nothing but in tests and the demo. */
  at: (point: 'effect.claimed' | 'effect.sent' | 'effect.marked') => Promise<void>;
}

type RunEffect = (input: RunEffectInput) => Promise<RunEffectResult>;

/** Also a row lock that a frozen process holds until the server ends its session. */
const isPassing = (error: unknown) => isUnavailable(error) || isLockWaitTimeout(error);

const STORE_AWAY_MS = 5_000;
/** How often the mark is tried while the store is away, before the lease is left to run out. */
const MARK_PAUSES_MS = [200, 1_000, 3_000];

export function createRunEffect(deps: RunEffectDependencies): RunEffect {
  return async ({ id, key }) => {
    const elapsed = stopwatch(deps.now);
    try {
      const claimed = await claim(deps.store, deps.config, id, key);
      switch (claimed.kind) {
        case 'missing':
          return await missing(deps.store, key);
        case 'ended':
          return ended(claimed.row);
        case 'wait':
          return {
            state: 'pending',
            delayMs: claimed.ms,
            attempts: claimed.row.attempt,
            error: claimed.reason,
          };
        case 'claimed':
          return await attempt(deps, claimed, elapsed);
      }
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown;
      deps.log.warn({ effect: key, error: thrown }, 'the store is away; the effect waits');
      return {
        state: 'pending',
        delayMs: STORE_AWAY_MS,
        attempts: 0,
        error: 'the store is away',
      };
    }
  };
}

/**
 * Only a restored store can have lost it. Nothing of it is left to be run: when the order has gone back to what is
 * stored it asks for it again, and whether it was called before is a person's question then.
 */
async function missing(store: Store, key: string): Promise<RunEffectResult> {
  const error = 'the store has no such effect: it was restored';
  const isTold = await store.transaction(async (tx) => {
    const restores = await selectRestores(tx);
    if (restores.openSinceMs === null && isNamed(restores, null)) return true;
    await openStop(tx, `the store has no effect ${key}`);
    return false;
  });
  if (isTold) return { state: 'dropped' };
  return { state: 'pending', delayMs: STOPPED_MS, attempts: 0, error };
}

async function attempt(
  deps: RunEffectDependencies,
  claimed: Claim,
  elapsed: () => number,
): Promise<RunEffectResult> {
  await deps.at('effect.claimed');
  const next = await outcomeOf(deps, claimed, elapsed);
  await deps.at('effect.sent');
  const isOurs = await mark(deps, claimed, next);
  await deps.at('effect.marked');
  if (!isOurs) return await takenOver(deps, claimed);
  report(deps, claimed, next, elapsed());
  if (next.state === 'done') return { state: 'done' };
  if (next.state !== 'pending') return { state: next.state, error: next.error };
  return {
    state: 'pending',
    delayMs: next.delayMs,
    attempts: claimed.attempt.number,
    error: next.error,
  };
}

/** The longer of what both clocks say: one stands still while a machine sleeps, the other can be set back. */
function stopwatch(now: () => number): () => number {
  const [monotonic, wall] = [performance.now(), now()];
  return () => Math.max(performance.now() - monotonic, now() - wall);
}

async function outcomeOf(deps: RunEffectDependencies, claimed: Claim, elapsed: () => number): Promise<Next> {
  const { attempt, row } = claimed;
  // The database started the lease after our clock started, so half the margin is more than safe.
  if (elapsed() > LEASE_MARGIN_MS / 2) {
    const end: AttemptEnd = {
      kind: 'failed',
      error: 'the worker stood still before it was called',
      retryAfterMs: null,
    };
    return judgeEnd(attempt, end, row.nowMs + elapsed(), deps.random);
  }
  if (attempt.mode === 'confirm') {
    return judgeConfirmation(attempt, await confirmation(claimed), deps.random);
  }
  const end = await call(claimed, deps.now());
  return judgeEnd(attempt, end, row.nowMs + elapsed(), deps.random);
}

async function call({ attempt, row, url }: Claim, nowMs: number): Promise<AttemptEnd> {
  const { handler } = attempt;
  if (handler.kind === 'function') {
    return await callFunction(handler.run, callOf(row), handler.timeoutMs);
  }
  const { secret, allowPrivate, timeoutMs } = handler;
  const { key, body } = row;
  return await callHttp({ url: url ?? handler.url, secret, key, body, allowPrivate, timeoutMs, nowMs });
}

async function confirmation({ attempt, row }: Claim): Promise<Confirmation> {
  const { confirm, timeoutMs } = attempt.handler;
  if (confirm === null) return { error: 'nothing to confirm it with' };
  try {
    const wasDone = await withinTime((abort) => confirm({ ...callOf(row), abort }), timeoutMs);
    return wasDone ? 'yes' : 'no';
  } catch (thrown) {
    return { error: `not confirmed: ${shortError(thrown)}` };
  }
}

/** The stored body is the one source of what an effect is told, by whatever way it leaves. */
function callOf(row: EffectRow): TimedCall {
  const { order, cause, facts } = JSON.parse(row.body.toString('utf8')) as Omit<TimedCall, 'idempotencyKey'>;
  return { order, cause, facts, idempotencyKey: row.key };
}

async function mark({ store }: RunEffectDependencies, { attempt, row }: Claim, next: Next): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await recordAttempt(store, row.id, attempt.number, next);
    } catch (thrown) {
      const pauseMs = MARK_PAUSES_MS[tries];
      if (!isPassing(thrown) || pauseMs === undefined) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Nothing was written: an earlier try of this mark did count, or another attempt has claimed the row. */
async function takenOver(deps: RunEffectDependencies, { row }: Claim): Promise<RunEffectResult> {
  const stored = await selectEffect(deps.store, row.id);
  if (stored === null) return await missing(deps.store, row.key);
  if (stored.state !== 'pending' && stored.state !== 'running') return ended(stored);
  const at = stored.state === 'running' ? stored.leasedUntilMs : stored.nextAttemptAtMs;
  return {
    state: 'pending',
    delayMs: Math.max(at === null ? 0 : at - stored.nowMs, 0),
    attempts: stored.attempt,
    error: stored.error ?? 'another attempt took over',
  };
}

function ended(row: EffectRow): RunEffectResult {
  switch (row.state) {
    case 'done':
    case 'dropped':
    case 'recorded':
      return { state: row.state };
    case 'failed':
    case 'uncertain':
      return { state: row.state, error: row.error ?? '' };
    case 'pending':
    case 'running':
      throw new Error(`effect ${row.key} is ${row.state}, which is no end`);
  }
}

function report(
  { log }: RunEffectDependencies,
  { attempt, row }: Claim,
  next: Next,
  durationMs: number,
): void {
  const fields = {
    effect: row.name,
    order: row.order,
    attempt: attempt.number,
    outcome: next.state,
    durationMs: Math.round(durationMs),
  };
  if (next.state === 'done') log.debug(fields, 'effect done');
  else if (next.state === 'pending') log.info({ ...fields, reason: next.error }, 'effect is tried again');
  else log.warn({ ...fields, reason: next.error }, 'effect needs a person');
}
