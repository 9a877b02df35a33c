/** How a way ends: everything comes to rest, what was lost is asked about, and everything once more changes nothing. */
import { reconcile } from '../resolve.ts';
import { act, factOf, present } from './model.ts';
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
  return { ...judged, problems: againProblems(model, end, truth, copies) };
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

/**
 * Where nobody is asked everything once more changes nothing, and so it is where no provider can be. Where a person is
 * asked, a repeated hint asks the provider once more: its answer may end the doubt, if the end is then the true one.
 */
function againProblems(model: Model, end: World, truth: Truth, copies: Copy[]): string[] {
  let again = end;
  const everything = [...copies, ...copies.map((copy) => ({ ...copy, id: `${copy.happening}.again` }))];
  for (const copy of everything) again = rest(model, present(model, again, [copy]));
  const isAskable = Object.values(model.sources).some(({ api }) => api);
  if (isAskable && end.state.attention.length > 0)
    return judgeRest(model, again, truth).problems.map((problem) => `all again: ${problem}`);
  const problems = again.faults.slice(end.faults.length);
  if (again.state.status !== end.state.status)
    problems.push(`all again: ${end.state.status} became ${again.state.status}`);
  const before = attentionsOf(end);
  const after = attentionsOf(again);
  for (const told of before) if (!after.has(told)) problems.push(`all again: attention ended, ${told}`);
  if (isOverlooking(model, end)) return problems;
  for (const key of Object.keys(again.effects))
    if (end.effects[key] === undefined) problems.push(`all again: ${key} ran`);
  for (const told of after) if (!before.has(told)) problems.push(`all again: attention ${told}`);
  return problems;
}

/**
 * An answer without a version is believed if it is of the newest hint's type. A replica that lags may know an earlier
 * news of that type only: what it has not heard of, a second refund, comes with the repeat: it is booked then, or asks a person.
 */
function isOverlooking({ machine, story }: Model, { state }: World): boolean {
  const words = story.filter(({ type }) => type !== null && machine.on[type] !== undefined);
  return Object.entries(state.streams).some(([key, { fact, version, by }]) => {
    const last = words.findLast(({ stream }) => stream === key);
    if (last === undefined || version !== null || by !== 'answer') return false;
    const isSameType = words.some(
      (word) => word.type === last.type && factOf(word.type, word.facts) === fact,
    );
    return isSameType && fact !== factOf(last.type, last.facts);
  });
}

const attentionsOf = ({ state }: World): Set<string> =>
  new Set(state.attention.map(({ kind, reason }) => `${kind}: ${reason}`));
