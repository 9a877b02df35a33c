/** Letting a world come to rest: providers answer truly, and time passes while something is due. */
import { dueAt } from '../timers.ts';
import type { OrderState, StreamState } from '../state.ts';
import { act, isAnswerable } from './model.ts';
import type { Action, Model, World } from './model.ts';

/** More steps than this without coming to rest is a loop. */
const MOST_STEPS = 400;

/**
 * Answers and wakes until nothing is under way and nothing is due but the deadline of a status, which is left
 * alone: where a story ends in such a status, its end is not the deadline's doing.
 */
export const rest = (model: Model, world: World): World => toRest(model, world).world;

/** The same, with what was done for it. */
export function toRest(model: Model, world: World): { world: World; actions: Action[] } {
  const actions: Action[] = [];
  let now = world;
  for (let step = 0; step < MOST_STEPS; step++) {
    const action = nextToRest(model, now);
    if (action === null) return { world: now, actions };
    actions.push(action);
    now = act(model, now, action);
  }
  return { world: { ...now, faults: [...now.faults, 'never comes to rest'] }, actions };
}

function nextToRest(model: Model, world: World): Action | null {
  const { state } = world;
  const open = Object.keys(state.streams).filter((key) => state.streams[key]?.ask?.retryAt === null);
  for (const stream of open.length > 1 ? open.sort() : open)
    if (!isHopeless(model, world, stream)) return { do: 'answer', stream, behind: 0 };
  for (const source of Object.keys(state.finds).sort())
    if (state.finds[source]?.retryAt === null) return { do: 'found', source };
  const { deadline } = state;
  const due = dueAt({
    ...withoutHopeless(model, world),
    deadline: deadline?.phase === 'waiting' ? null : deadline,
  });
  if (due === null || (deadline?.phase === 'waiting' && deadline.at <= due)) return null;
  return { do: 'wake' };
}

/** An ask that has called a person already and that the provider will never answer. */
const isHopeless = (model: Model, world: World, stream: string): boolean =>
  world.state.streams[stream]?.ask?.late === true && !isAnswerable(model, world, stream);

function withoutHopeless(model: Model, world: World): OrderState {
  const keys = Object.keys(world.state.streams);
  if (!keys.some((key) => isHopeless(model, world, key))) return world.state;
  const streams: Record<string, StreamState> = {};
  for (const key of keys) {
    const stream = world.state.streams[key] as StreamState;
    streams[key] = isHopeless(model, world, key) ? { ...stream, ask: null } : stream;
  }
  return { ...world.state, streams };
}
