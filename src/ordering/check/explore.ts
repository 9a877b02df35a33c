/**
 * Explores a model: every order of deliveries, an answer at any moment one is awaited, also late and of a replica
 * that lags. Equal worlds are gone on from once only.
 */
import { reconcile } from '../resolve.ts';
import { dueAt } from '../timers.ts';
import { act, isAnswerable, mostBehind, newWorld, present } from './model.ts';
import type { Action, Copy, Model, World } from './model.ts';
import { rest } from './rest.ts';
import { judgeRest } from './verdict.ts';
import type { Truth } from './verdict.ts';

/** How often what is not plain good may happen on one way. */
export interface Allowance {
  /** Answers of a replica that lags, that know nothing, or that do not come. */
  bad: number;
  /** Timers that run out before all is delivered. */
  wakes: number;
}

export interface Limits {
  /** More than so many worlds are too many. */
  worlds: number;
  counterexamples: number;
  /** Whatever is asked is answered before anything else happens; leaves lag and overlap to smaller stories. */
  isPrompt?: boolean;
  /** All of the story has happened before the first delivery: enough where nobody is asked. */
  isPast?: boolean;
}

export interface Exploration {
  /** Worlds looked at, endings judged, endings with a person asked. */
  worlds: number;
  endings: number;
  asked: number;
  counterexamples: Counterexample[];
  /** The different statuses of endings that asked nobody, each with the shortest way to it. */
  silent: Map<string, { world: World; way: Action[] }>;
}
export interface Counterexample {
  problems: string[];
  way: Action[];
}

interface Node {
  world: World;
  rest: Allowance;
  way: Way | null;
}
interface Way {
  action: Action;
  before: Way | null;
}

export function explore(
  model: Model,
  copies: Copy[],
  truth: Truth,
  allowance: Allowance,
  most: Limits = { worlds: 200_000, counterexamples: 1 },
): Exploration {
  const found: Exploration = { worlds: 0, endings: 0, asked: 0, counterexamples: [], silent: new Map() };
  const seen = new Set<string>();
  const judge = rememberingJudge(model, truth, copies);
  const open: Node[] = [{ world: startOf(model, copies, most), rest: allowance, way: null }];
  // The shortest ways first, so that a counterexample is as short as any.
  for (const node of open) {
    const name = nameOf(node.world, node.rest);
    if (seen.has(name)) continue;
    seen.add(name);
    found.worlds += 1;
    if (found.worlds > most.worlds) throw new Error(`more than ${most.worlds} worlds`);
    const { world } = node;
    if (world.left.length === 0 && world.happenedAt.length === model.story.length) {
      const { problems, isAsked, end } = judge(world);
      const ending = end.state.status;
      found.endings += 1;
      if (isAsked) found.asked += 1;
      else if (!found.silent.has(ending)) found.silent.set(ending, { world: end, way: wayOf(node.way) });
      if (problems.length > 0) {
        found.counterexamples.push({ problems, way: wayOf(node.way) });
        if (found.counterexamples.length >= most.counterexamples) return found;
      }
    }
    for (const [action, left] of actionsOf(model, node, most.isPrompt === true))
      open.push({ world: act(model, world, action), rest: left, way: { action, before: node.way } });
  }
  return found;
}

/** Any fixed instant. */
export const START = 1_700_000_000_000;

function startOf(model: Model, copies: Copy[], { isPast }: Limits): World {
  const start = newWorld(model, copies, START);
  return isPast === true ? { ...start, happenedAt: model.story.map(() => START) } : start;
}

function actionsOf(model: Model, { world, rest: allowed }: Node, isPrompt: boolean): [Action, Allowance][] {
  const actions: [Action, Allowance][] = [];
  if (isPrompt)
    for (const [stream, { ask }] of Object.entries(world.state.streams))
      if (ask?.retryAt === null && isAnswerable(model, world, stream))
        return [[{ do: 'answer', stream, behind: 0 }, allowed]];
  if (world.happenedAt.length < model.story.length) actions.push([{ do: 'happen' }, allowed]);
  const offered = new Set<string>();
  for (const [index, copy] of world.left.entries()) {
    if (copy.happening >= world.happenedAt.length || offered.has(copy.id)) continue;
    offered.add(copy.id);
    actions.push([{ do: 'deliver', copies: [index] }, allowed]);
  }
  for (const [stream, { ask }] of Object.entries(world.state.streams)) {
    if (ask?.retryAt !== null) continue;
    actions.push([{ do: 'answer', stream, behind: 0 }, allowed]);
    if (allowed.bad === 0) continue;
    const left = { ...allowed, bad: allowed.bad - 1 };
    for (let behind = mostBehind(model, world, stream); behind > 0; behind--)
      actions.push([{ do: 'answer', stream, behind }, left]);
    actions.push([{ do: 'unavailable', stream }, left]);
  }
  const due = dueAt(world.state);
  if (due !== null && allowed.wakes > 0 && world.state.deadline?.at !== due)
    actions.push([{ do: 'wake' }, { ...allowed, wakes: allowed.wakes - 1 }]);
  return actions;
}

export interface Verdict {
  problems: string[];
  /** A person is asked. */
  isAsked: boolean;
}

/** The ending, and whether everything once more changes it. */
export function judgeEnding(
  model: Model,
  world: World,
  truth: Truth,
  copies: Copy[],
): Verdict & { world: World } {
  const end = endOf(model, world, copies);
  return { ...judgeEnd(model, end, truth, copies), world: end };
}

export function endOf(model: Model, world: World, copies: Copy[]): World {
  const delivered = new Set(copies.map((copy) => copy.happening));
  const end = rest(model, world);
  return delivered.size < model.story.length ? rest(model, askAll(model, end)) : end;
}

function judgeEnd(model: Model, end: World, truth: Truth, copies: Copy[]): Verdict {
  const judged = judgeRest(model, end, truth);
  if (judged.problems.length > 0) return judged;
  return { ...judged, problems: againProblems(model, end, copies) };
}

interface Judged extends Verdict {
  end: World;
}

/** Most ways come to rest in the same few worlds; each is judged once. */
function rememberingJudge(model: Model, truth: Truth, copies: Copy[]): (world: World) => Judged {
  const known = new Map<string, Judged>();
  return (world) => {
    const end = endOf(model, world, copies);
    const key = nameOf(end, null);
    const verdict = known.get(key) ?? { ...judgeEnd(model, end, truth, copies), end };
    known.set(key, verdict);
    return verdict;
  };
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
  // A repeated hint asks the provider once more, and a provider's answer may end what a person was asked for.
  const isOpen = end.state.attention.length > 0 && Object.values(model.sources).some(({ api }) => api);
  if (isOpen) return problems;
  if (again.state.status !== end.state.status)
    problems.push(`all again: ${end.state.status} became ${again.state.status}`);
  for (const key of Object.keys(again.effects))
    if (end.effects[key] === undefined) problems.push(`all again: ${key} ran`);
  const before = new Set(end.state.attention.map(({ kind, reason }) => `${kind}: ${reason}`));
  for (const { kind, reason } of again.state.attention)
    if (!before.has(`${kind}: ${reason}`)) problems.push(`all again: attention ${kind}: ${reason}`);
  return problems;
}

function wayOf(way: Way | null): Action[] {
  const actions: Action[] = [];
  for (let at = way; at !== null; at = at.before) actions.unshift(at.action);
  return actions;
}

/** Equal names mean equal worlds; what was done to get there does not count, nor what is the same in all of a model. */
function nameOf(world: World, allowed: Allowance | null): string {
  const { streams, sources: _sources, key: _key, ...state } = world.state;
  return JSON.stringify([
    state,
    sorted(streams),
    world.now,
    world.happenedAt,
    sorted(world.sentAt),
    world.left.map((copy) => copy.id),
    sorted(world.outcomes),
    Object.keys(world.effects).sort(),
    world.faults.length,
    allowed,
  ]);
}

function sorted(record: Record<string, unknown>): [string, unknown][] {
  return Object.keys(record)
    .sort()
    .map((key) => [key, record[key]]);
}
