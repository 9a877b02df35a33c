/** Effects whose end a test decides, call by call, in place of the demo's HTTP calls. */
import { NotDone } from '../../../src/effects/not-done.ts';
import type { Config, EffectCall } from '../../../src/config/resolved.ts';
import { functionHandler } from '../effects/order-with-effects.ts';

export type Mood = 'does it' | 'certainly does not' | 'leaves it open';

export interface EffectSwitch {
  mood: Mood;
  /** Keys of the calls that were done. */
  done: string[];
  calls: EffectCall[];
}

/** One attempt, and no key that is honoured: an open end is uncertain at once. */
export function switchEffect(config: Config, name: string): EffectSwitch {
  const effect: EffectSwitch = { mood: 'does it', done: [], calls: [] };
  const run = (call: EffectCall): Promise<void> => {
    effect.calls.push(call);
    if (effect.mood === 'certainly does not') return Promise.reject(new NotDone('not today'));
    if (effect.mood === 'leaves it open') return Promise.reject(new Error('no answer'));
    effect.done.push(call.idempotencyKey);
    return Promise.resolve();
  };
  const retry = { maxAttempts: 1, firstDelayMs: 100, maxDelayMs: 100 };
  config.effects.set(name, functionHandler(run, { name, keyTtlMs: 0, retry }));
  return effect;
}
