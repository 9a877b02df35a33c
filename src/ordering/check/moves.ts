/**
 * What may happen next in a world: a delivery, an answer to what was asked, a timer, the deadline of a status.
 *
 * V1  What is true becomes so at the latest moment at which it shows: with its delivery, or with an answer that tells
 *     it. Any earlier moment shows nothing else.
 * V2  Copies of one event are told in one order, since nothing tells them apart.
 */
import type { OrderState } from '../state.ts';
import { dueAt } from '../timers.ts';
import { act, isAnswerable, mostBehind } from './model.ts';
import type { Action, Model, World } from './model.ts';
import { toRest } from './rest.ts';

/** How often what is not plain good may happen on one way. */
export interface Allowance {
  /** Answers of a replica that lags, that know nothing, or that do not come. */
  bad: number;
  /** Timers that run out before all is delivered. */
  wakes: number;
  /** Deadlines of a status that pass. */
  deadlines?: number;
}

export interface Move {
  actions: Action[];
  /** What may still happen after it. */
  left: Allowance;
}

export function movesOf(model: Model, world: World, allowed: Allowance, isPrompt: boolean): Move[] {
  const asked = openAsks(world.state);
  if (isPrompt)
    for (const stream of asked) {
      const answers = answersOf(model, world, stream, allowed);
      if (answers.length > 0) return answers;
    }
  return [
    ...deliveriesOf(world, allowed),
    ...asked.flatMap((stream) => [
      ...answersOf(model, world, stream, allowed),
      ...badAnswersOf(model, world, stream, allowed),
    ]),
    ...wakesOf(world, allowed),
    ...deadlinesOf(model, world, allowed),
  ];
}

const openAsks = ({ streams }: OrderState): string[] =>
  Object.keys(streams).filter((key) => streams[key]?.ask?.retryAt === null);

const happening = (times: number): Action[] => Array.from({ length: times }, () => ({ do: 'happen' }));

function deliveriesOf({ left, happenedAt }: World, allowed: Allowance): Move[] {
  const offered = new Set<string>();
  return left.flatMap(({ happening: at, other }, index) => {
    // V2
    const name = `${at} ${other ?? ''}`;
    if (offered.has(name)) return [];
    offered.add(name);
    const actions: Action[] = [
      ...happening(Math.max(0, at + 1 - happenedAt.length)),
      { do: 'deliver', copies: [index] },
    ];
    return [{ actions, left: allowed }];
  });
}

/** True answers, of now or of any later moment of the stream (V1). */
function answersOf(model: Model, world: World, stream: string, allowed: Allowance): Move[] {
  return momentsOf(model, world, stream).flatMap((later) => {
    const then = later === 0 ? world : happened(model, world, later);
    if (!isAnswerable(model, then, stream) && later > 0) return [];
    return [{ actions: [...happening(later), { do: 'answer', stream, behind: 0 }], left: allowed }];
  });
}

function badAnswersOf(model: Model, world: World, stream: string, allowed: Allowance): Move[] {
  if (allowed.bad === 0) return [];
  const left = { ...allowed, bad: allowed.bad - 1 };
  const moves: Move[] = [{ actions: [{ do: 'unavailable', stream }], left }];
  for (const later of momentsOf(model, world, stream)) {
    const then = happened(model, world, later);
    for (let behind = mostBehind(model, then, stream); behind > 0; behind--)
      moves.push({ actions: [...happening(later), { do: 'answer', stream, behind }], left });
  }
  return moves;
}

/** After how many more happenings the stream has something new to tell; first of all, now. */
function momentsOf({ story }: Model, { happenedAt }: World, stream: string): number[] {
  const moments = [0];
  for (let at = happenedAt.length; at < story.length; at++)
    if (story[at]?.stream === stream) moments.push(at + 1 - happenedAt.length);
  return moments;
}

function happened(model: Model, world: World, times: number): World {
  let now = world;
  for (const action of happening(times)) now = act(model, now, action);
  return now;
}

function wakesOf({ state }: World, allowed: Allowance): Move[] {
  const due = dueAt(state);
  if (due === null || allowed.wakes === 0 || state.deadline?.at === due) return [];
  return [{ actions: [{ do: 'wake' }], left: { ...allowed, wakes: allowed.wakes - 1 } }];
}

/** The deadline passes after all that was asked before it is answered, whatever has happened and was not heard of. */
function deadlinesOf(model: Model, world: World, allowed: Allowance): Move[] {
  const { deadlines = 0 } = allowed;
  if (deadlines === 0 || world.state.deadline?.phase !== 'waiting') return [];
  const left = { ...allowed, deadlines: deadlines - 1 };
  const most = model.story.length - world.happenedAt.length;
  return Array.from({ length: most + 1 }, (_, times) => times).flatMap((times) => {
    const { world: still, actions } = toRest(model, happened(model, world, times));
    if (still.state.deadline?.phase !== 'waiting') return [];
    return [{ actions: [...happening(times), ...actions, { do: 'wake' }], left }];
  });
}
