/**
 * Tells people when attention of orders begins or ends: calls one effect of the configuration, at most once per kind
 * and source within the window. The first change is told at once, what follows is counted into the next call.
 *
 * Limits: it tells at least once, so a call whose end is unknown is repeated under its key, as often as it takes,
 * with the effect's own back-off. While a call does not get through, no other of its kind and source is made.
 */
import { randomUUID } from 'node:crypto';
import type { EffectHandler } from '../config/resolved.ts';
import { createChore } from '../dispatch/chore.ts';
import type { Chore } from '../dispatch/chore.ts';
import type { AttemptEnd } from '../effects/answer.ts';
import { callFunction } from '../effects/call-function.ts';
import { callHttp } from '../effects/http.ts';
import { retryDelayMs } from '../effects/retry.ts';
import type { Log } from '../log.ts';
import { claimCalls, delayCall, endCall, openCall, selectSubjectsToTell } from '../store/attention.ts';
import type { ClaimedCall } from '../store/attention.ts';
import type { Store } from '../store/store.ts';
import { bodyOf, callOf, keyOf } from './call.ts';

const WINDOW_MS = 5 * 60_000;
const EVERY_MS = 1_000;
/** Kinds and sources are few. */
const CALLS_PER_ROUND = 10;
/** Beyond the time limit of a call, for what lies between claim and end. */
const LEASE_MARGIN_MS = 15_000;

export interface NotifierDeps {
  store: Store;
  handler: EffectHandler;
  log: Pick<Log, 'info' | 'warn'>;
  /** How long after a call the next one of its kind and source may follow. */
  windowMs?: number;
  everyMs?: number;
  now?: () => number;
  random?: () => number;
}

export function createNotifier(deps: NotifierDeps): Chore {
  const { store, handler, log, windowMs = WINDOW_MS, everyMs = EVERY_MS } = deps;
  const { now = Date.now, random = Math.random } = deps;

  const attempt = async (call: ClaimedCall): Promise<void> => {
    const end = await tell(handler, call, now());
    const { kind, source } = call;
    if (end.kind === 'done') {
      await endCall(store, call);
      return log.info({ effect: handler.name, kind, source }, 'people were told of attention');
    }
    const delayMs = retryDelayMs(handler.retry, call.failures + 1, end.retryAfterMs, random);
    await delayCall(store, call, { delayMs, error: end.error });
    const reason = end.error;
    log.warn(
      { effect: handler.name, kind, source, attempt: call.attempt, reason },
      'nobody was told of attention',
    );
  };

  return createChore({
    name: 'calls about attention',
    everyMs,
    log,
    run: async () => {
      for (const subject of await selectSubjectsToTell(store, windowMs)) {
        await openCall(store, subject, windowMs, (changes) => ({
          id: randomUUID(),
          body: bodyOf(handler.name, changes),
        }));
      }
      const calls = await claimCalls(store, handler.timeoutMs + LEASE_MARGIN_MS, CALLS_PER_ROUND);
      // Side by side: a claim's lease has room for one call.
      await Promise.all(calls.map(attempt));
      return calls.length === CALLS_PER_ROUND;
    },
  });
}

async function tell(handler: EffectHandler, call: ClaimedCall, nowMs: number): Promise<AttemptEnd> {
  if (handler.kind === 'function') return await callFunction(handler.run, callOf(call), handler.timeoutMs);
  const { url, secret, allowPrivate, timeoutMs } = handler;
  return await callHttp({ url, secret, key: keyOf(call), body: call.body, allowPrivate, timeoutMs, nowMs });
}
