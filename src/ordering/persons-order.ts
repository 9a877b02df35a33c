/**
 * A person's orders about rows that the core does not see (R54): an effect is tried again, confirmed or skipped; an
 * event is given to the order. The decision journals who and why and takes the trouble off; whether the row allows
 * it is judged where it is stored, and if not, nothing of this is.
 */
import { decideBy } from './decide.ts';
import type { Machine } from './machine.ts';
import type { Decision, EffectAction, EventRef, OrderState } from './state.ts';

/** What has become of an effect by a person's word. */
export const DONE: Record<EffectAction, string> = { retry: 'retried', confirm: 'confirmed', skip: 'skipped' };

export interface EffectWord {
  key: string;
  action: EffectAction;
  seen: string | null;
  /** `actor: reason`, for the journal. */
  by: string;
}

export function orderEffect(machine: Machine, state: OrderState, word: EffectWord, now: number): Decision {
  const decision = decideBy(machine, state, now, (turn) => {
    const { [word.key]: trouble, ...troubles } = turn.state.troubles;
    turn.state.troubles = troubles;
    const was = trouble === undefined ? '' : ` (${trouble.name} was ${trouble.reason})`;
    turn.note('effect', {}, `${DONE[word.action]} ${word.key}, ${word.by}${was}`);
  });
  return { ...decision, person: { kind: 'effect', ...word } };
}

export function orderLink(
  machine: Machine,
  state: OrderState,
  { event, stream, by }: { event: EventRef; stream: string; by: string },
  now: number,
): Decision {
  const decision = decideBy(machine, state, now, (turn) => turn.note('linked', { stream, ref: event }, by));
  return { ...decision, person: { kind: 'link', event } };
}
