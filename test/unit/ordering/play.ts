/** Plays a story by chance: every choice is a number, so that a failing play shrinks to a short one. */
import { act, mostBehind, newWorld } from '../../../src/ordering/check/model.ts';
import type { Action, Copy, Model, World } from '../../../src/ordering/check/model.ts';
import { dueAt } from '../../../src/ordering/timers.ts';

export interface Play {
  /** Per happening: 0 lost, 1 once, 2 twice under one id, 3 also under a second id, 4 with a tie, 5 with a conflict. */
  copies: number[];
  choices: number[];
  /** Whether a person may have a word. */
  hasPerson?: boolean;
}

export function copiesOf(model: Model, { copies }: Play): Copy[] {
  return model.story.flatMap((_, happening): Copy[] => {
    const once = { happening, id: `${happening}` };
    switch (copies[happening] ?? 1) {
      case 0:
        return [];
      case 2:
        return [once, once];
      case 3:
        return [once, { happening, id: `${happening}.2` }];
      case 4:
        return [once, { happening, id: `${happening}.tie`, other: 'tie' }];
      case 5:
        return [once, { happening, id: `${happening}.conflict`, other: 'conflict' }];
      default:
        return [once];
    }
  });
}

/** The world after the play, with everything happened and delivered, and the actions that led to it. */
export function play(
  model: Model,
  chance: Play,
  onStep: (world: World) => void,
): { world: World; way: Action[] } {
  let world = newWorld(model, copiesOf(model, chance), 1_700_000_000_000);
  const way: Action[] = [];
  const step = (action: Action) => {
    way.push(action);
    world = act(model, world, action);
    onStep(world);
  };
  for (const choice of chance.choices) {
    const actions = actionsOf(model, world, chance.hasPerson ?? false);
    if (actions.length === 0) break;
    step(actions[choice % actions.length] as Action);
  }
  while (world.happenedAt.length < model.story.length) step({ do: 'happen' });
  while (world.left.length > 0) step({ do: 'deliver', copies: [0] });
  return { world, way };
}

const WORDS: Extract<Action, { do: 'resolve' }>['as'][] = [
  { kind: 'ignore' },
  { kind: 'rebase' },
  ...['paid', 'shipped', 'refunded', 'cancelled'].map((status) => ({ kind: 'apply' as const, status })),
];

function actionsOf(model: Model, world: World, hasPerson: boolean): Action[] {
  const actions: Action[] = [];
  if (world.happenedAt.length < model.story.length) actions.push({ do: 'happen' }, { do: 'happen' });
  const ready = [...world.left.keys()].filter(
    (index) => (world.left[index] as Copy).happening < world.happenedAt.length,
  );
  for (const index of ready) actions.push({ do: 'deliver', copies: [index] });
  if (ready.length > 1) {
    actions.push({ do: 'deliver', copies: ready }, { do: 'deliver', copies: ready.toReversed() });
    actions.push(
      { do: 'deliver', copies: ready.slice(0, 2) },
      { do: 'deliver', copies: ready.slice(-2).reverse() },
    );
  }
  for (const [stream, { ask }] of Object.entries(world.state.streams)) {
    if (ask?.retryAt !== null) continue;
    actions.push({ do: 'answer', stream, behind: 0 }, { do: 'answer', stream, behind: 0 });
    for (let behind = mostBehind(model, world, stream); behind > 0; behind--)
      actions.push({ do: 'answer', stream, behind });
    actions.push({ do: 'gone', stream }, { do: 'unavailable', stream });
  }
  for (const [source, find] of Object.entries(world.state.finds))
    if (find.retryAt === null) actions.push({ do: 'found', source }, { do: 'searchFailed', source });
  if (hasPerson)
    for (const { stream } of world.state.attention) {
      if (stream === null) continue;
      for (const as of WORDS) actions.push({ do: 'resolve', stream, as });
    }
  if (dueAt(world.state) !== null) actions.push({ do: 'wake' });
  actions.push({ do: 'wait', ms: 700 }, { do: 'wait', ms: 61_000 });
  return actions;
}
