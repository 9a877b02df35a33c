/** Whether a sign that a story waits for can be seen, on the real stack and in memory alike. */
import type { Observation } from './observation.ts';
import type { ScenarioUntil } from '../format/scenario.ts';

export interface Look {
  observation: Observation;
  /** Why it is not at rest; null: it is. */
  unrest: string | null;
}

/** null: it can be seen. `storysOrder`: the one that is meant where none is named. */
export function missing(
  storysOrder: string | undefined,
  wish: ScenarioUntil['until'],
  { observation, unrest }: Look,
): { expected: string; actual: string } | null {
  const { orders, events, effects, asked } = observation;
  if (wish.settled === true && unrest !== null) return { expected: 'all is at rest', actual: unrest };
  const id = wish.order ?? storysOrder ?? orders[0]?.id;
  const order = orders.find((one) => one.id === id);
  if (wish.status !== undefined && order?.status !== wish.status) {
    return {
      expected: `order ${id ?? ''} is ${wish.status}`,
      actual: order?.status ?? 'nothing was decided',
    };
  }
  if (wish.attention !== undefined && !(order?.attention ?? []).some(({ kind }) => kind === wish.attention)) {
    const kinds = order?.attention.map(({ kind }) => kind) ?? [];
    return {
      expected: `attention ${wish.attention}`,
      actual: kinds.length === 0 ? 'none' : kinds.join(', '),
    };
  }
  if (wish.event !== undefined) {
    const event = events.find((one) => one.id === wish.event || `${one.source}/${one.id}` === wish.event);
    const outcome = event === undefined ? 'not stored' : (event.outcome ?? 'waiting');
    if (wish.outcome === undefined ? event === undefined : outcome !== wish.outcome) {
      return { expected: `event ${wish.event} is ${wish.outcome ?? 'stored'}`, actual: outcome };
    }
  }
  if (wish.effect !== undefined) {
    const states = effects.filter(({ name }) => name === wish.effect).map(({ state }) => state);
    if (wish.state === undefined ? states.length === 0 : !states.includes(wish.state)) {
      const expected = `effect ${wish.effect} is ${wish.state ?? 'asked for'}`;
      return { expected, actual: states.length === 0 ? 'never asked for' : states.join(', ') };
    }
  }
  for (const [source, times] of Object.entries(wish.asked ?? {})) {
    if ((asked[source] ?? 0) < times) {
      return { expected: `${source} is asked ${times} times`, actual: String(asked[source] ?? 0) };
    }
  }
  return null;
}
