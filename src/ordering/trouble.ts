/** Effects that need a person, and those that do no more: what their scheduler tells the order. */
import { decideBy } from './decide.ts';
import type { Machine } from './machine.ts';
import type { Decision, OrderState } from './state.ts';

export interface EffectEnd {
  key: string;
  name: string;
  /** null: the trouble is over. */
  trouble: string | null;
}

export function noteEffects(machine: Machine, state: OrderState, ends: EffectEnd[], now: number): Decision {
  return decideBy(machine, state, now, (turn) => {
    const troubles = { ...turn.state.troubles };
    for (const end of ends) {
      if (end.trouble === null) delete troubles[end.key];
      else troubles[end.key] ??= { name: end.name, reason: end.trouble, since: now };
      turn.note('effect', {}, `${end.name}: ${end.trouble ?? 'settled'}`);
    }
    turn.state.troubles = troubles;
  });
}
