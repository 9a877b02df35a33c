/** Letting a world come to rest: providers answer truly, and time passes while something is due. */
import { dueAt } from '../timers.ts';
import type { OrderState, StreamState } from '../state.ts';
import { act, isAnswerable } from './model.ts';
import type { Model, World } from './model.ts';

/** More steps than this without coming to rest is a loop. */
const MOST_STEPS = 400;

/**
 * Answers and wakes until nothing is under way and nothing is due but the deadline of a status, which is left
 * alone: where a story ends in such a status, its end is not the deadline's doing.
 */
export function rest(model: Model, world: World): World {
  let now = world;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = stepToRest(model, now);
    if (next === null) return now;
    now = next;
  }
  return { ...now, faults: [...now.faults, 'never comes to rest'] };
}

function stepToRest(model: Model, world: World): World | null {
  const state = withoutHopeless(model, world);
  for (const stream of Object.keys(state.streams).sort()) {
    if (state.streams[stream]?.ask?.retryAt === null)
      return act(model, world, { do: 'answer', stream, behind: 0 });
  }
  for (const source of Object.keys(state.finds).sort())
    if (state.finds[source]?.retryAt === null) return act(model, world, { do: 'found', source });
  const { deadline } = state;
  const due = dueAt({ ...state, deadline: deadline?.phase === 'waiting' ? null : deadline });
  if (due === null || (deadline?.phase === 'waiting' && deadline.at <= due)) return null;
  return act(model, { ...world, now: Math.max(world.now, due) }, { do: 'wake' });
}

/** The state but for asks that have called a person already and that the provider will never answer. */
function withoutHopeless(model: Model, world: World): OrderState {
  const streams: Record<string, StreamState> = {};
  for (const [key, stream] of Object.entries(world.state.streams)) {
    const isHopeless = stream.ask?.late === true && !isAnswerable(model, world, key);
    streams[key] = isHopeless ? { ...stream, ask: null } : stream;
  }
  return { ...world.state, streams };
}
