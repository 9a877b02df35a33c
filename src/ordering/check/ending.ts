/** How a way ends: everything comes to rest, what was lost is asked about, and everything once more changes nothing. */
import { reconcile } from '../resolve.ts';
import { act, present } from './model.ts';
import type { Copy, Model, World } from './model.ts';
import { rest } from './rest.ts';
import { judgeRest } from './verdict.ts';
import type { Truth } from './verdict.ts';
import type { WorldNames } from './world-name.ts';

export interface Verdict {
  problems: string[];
  /** A person is asked. */
  isAsked: boolean;
}

export interface Judged extends Verdict {
  end: World;
}

/** Judges where a world ends if nothing but these copies ever arrives. */
export function judgeEnding(
  model: Model,
  world: World,
  truth: Truth,
  copies: Copy[],
): Verdict & { world: World } {
  const end = endOf(model, world, copies);
  return { ...judgeEnd(model, end, truth, copies), world: end };
}

/** Most ways come to rest in the same few worlds; each is judged once. */
export class RememberingJudge {
  private readonly known = new Map<string, Judged | null>();
  private readonly model: Model;
  private readonly names: WorldNames;

  constructor(model: Model, names: WorldNames) {
    this.model = model;
    this.names = names;
  }

  /** `truthOf`: what is right where the end is known; null: nobody can say. */
  judge(world: World, delivered: Copy[], truthOf: (end: World) => Truth | null): Judged | null {
    const end = endOf(this.model, world, delivered);
    const ids = delivered.map(({ id }) => id);
    const key = this.names.of(end, ids);
    let judged = this.known.get(key);
    if (judged === undefined) {
      const truth = truthOf(end);
      judged = truth === null ? null : { ...judgeEnd(this.model, end, truth, delivered), end };
      this.known.set(key, judged);
    }
    return judged;
  }
}

export function endOf(model: Model, world: World, copies: Copy[]): World {
  const heard = new Set(copies.map(({ happening }) => happening));
  let end = world;
  while (end.happenedAt.length < model.story.length) end = act(model, end, { do: 'happen' });
  end = rest(model, end);
  return heard.size < model.story.length ? rest(model, askAll(model, end)) : end;
}

function judgeEnd(model: Model, end: World, truth: Truth, copies: Copy[]): Verdict {
  const judged = judgeRest(model, end, truth);
  if (judged.problems.length > 0) return judged;
  return { ...judged, problems: againProblems(model, end, copies) };
}

/** A last answer about every stream, so that what was lost is known. */
function askAll(model: Model, world: World): World {
  let { state } = world;
  const streams = new Set(model.story.map((happening) => happening.stream));
  for (const stream of streams)
    state = reconcile(model.machine, state, { stream, by: 'check' }, world.now).state;
  state = reconcile(model.machine, state, { stream: null, by: 'check' }, world.now).state;
  return { ...world, state };
}

function againProblems(model: Model, end: World, copies: Copy[]): string[] {
  let again = end;
  const everything = [...copies, ...copies.map((copy) => ({ ...copy, id: `${copy.happening}.again` }))];
  for (const copy of everything) again = rest(model, present(model, again, [copy]));
  const problems = again.faults.slice(end.faults.length);
  // A repeated hint asks the provider once more, and an answer may end, or begin, what a person is asked for.
  const isAskable = Object.values(model.sources).some(({ api }) => api);
  if (isAskable && end.state.attention.length > 0) return problems;
  if (again.state.status !== end.state.status)
    problems.push(`all again: ${end.state.status} became ${again.state.status}`);
  for (const key of Object.keys(again.effects))
    if (end.effects[key] === undefined) problems.push(`all again: ${key} ran`);
  if (isAskable) return problems;
  const before = new Set(end.state.attention.map(({ kind, reason }) => `${kind}: ${reason}`));
  for (const { kind, reason } of again.state.attention)
    if (!before.has(`${kind}: ${reason}`)) problems.push(`all again: attention ${kind}: ${reason}`);
  return problems;
}
