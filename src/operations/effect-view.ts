/** An effect of an order for people: how far it is, what asked for it, and what it waits for while it has not ended. */
import type { Machine } from '../ordering/machine.ts';
import type { EffectCause, OrderState } from '../ordering/state.ts';
import type { ListedEffect } from '../store/order-listing.ts';
import { openQuestions } from './open-questions.ts';

export interface EffectView {
  name: string;
  key: string;
  state: string;
  attempts: number;
  error: string | null;
  cause: EffectCause;
  askedAt: string;
  /** null: it has not ended. */
  endedAt: string | null;
  /** null: for nothing, or it has ended. */
  waitsFor: string | null;
}

/** `effects` in the order in which they were asked for. */
export function viewEffects(
  effects: readonly ListedEffect[],
  state: OrderState,
  machine: Machine | null,
  nowMs: number,
): EffectView[] {
  return effects.map((effect, index) => {
    const isOpen = isUnended(effect);
    const before = effects.slice(0, index).find((one) => one.name === effect.name && isUnended(one));
    return {
      name: effect.name,
      key: effect.key,
      state: effect.state,
      attempts: effect.attempts,
      error: effect.error,
      cause: effect.cause,
      askedAt: effect.createdAt,
      endedAt: isOpen ? null : effect.updatedAt,
      waitsFor: isOpen ? waitsFor(effect, before, state, machine, nowMs) : null,
    };
  });
}

const isUnended = ({ state }: ListedEffect): boolean => state === 'pending' || state === 'running';

/** The same order of reasons as a worker's claim goes by. */
function waitsFor(
  effect: ListedEffect,
  before: ListedEffect | undefined,
  state: OrderState,
  machine: Machine | null,
  nowMs: number,
): string {
  if (effect.state === 'running') return 'the end of an attempt that is under way';
  if (effect.nextAttemptAt !== null && Date.parse(effect.nextAttemptAt) > nowMs)
    return `its next attempt at ${effect.nextAttemptAt}`;
  if (before !== undefined) return `the ${effect.name} before it (${before.state})`;
  const questions = machine?.effects[effect.name]?.sensitive === true ? openQuestions(state) : [];
  return questions.length > 0 ? questions.join(', and ') : 'a worker';
}
