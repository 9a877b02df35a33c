/**
 * Explores a model: every order of deliveries, an answer at any moment one is awaited, also late and of a replica
 * that lags. Equal worlds are gone on from once only.
 */
import { RememberingJudge } from './ending.ts';
import { act, asksOf, newWorld } from './model.ts';
import type { Action, Copy, Model, World } from './model.ts';
import { movesOf } from './moves.ts';
import type { Allowance } from './moves.ts';
import type { Truth } from './verdict.ts';
import { WorldNames } from './world-name.ts';

export interface Limits {
  /** More than so many worlds are too many. */
  worlds: number;
  /** After so many wrong endings it ends; Infinity: all are counted, and the shortest is kept. */
  counterexamples: number;
  /** Whatever is asked is answered before anything else happens; leaves lag and overlap to smaller stories. */
  isPrompt?: boolean;
  /** All of the story has happened before the first delivery: enough where nobody is asked. */
  isPast?: boolean;
  /** What is left to be delivered may also never arrive, at any moment. */
  isLossy?: boolean;
}

/** What is right, by what arrived and by how much had happened when a deadline acted; null: that cannot be known. */
export type TruthOf = (delivered: ReadonlySet<number>, expiredAfter: number | null) => Truth | null;

export interface Exploration {
  /** Worlds looked at, endings judged, endings with a person asked, questions until all those endings. */
  worlds: number;
  endings: number;
  asked: number;
  asks: number;
  /** Endings that are wrong; of these the first ones, which are the shortest. */
  wrong: number;
  counterexamples: Counterexample[];
  /** The different statuses of whole endings that asked nobody, each with the shortest way to it. */
  silent: Map<string, { world: World; way: Action[] }>;
  /** A person is asked although all arrived and no deadline acted. */
  isAsking: boolean;
  /** False when there were too many worlds. */
  isWhole: boolean;
}
export interface Counterexample {
  problems: string[];
  way: Action[];
  /** The happenings that arrived. */
  delivered: number[];
  /** How much had happened when a deadline acted. */
  expiredAfter: number | null;
}

interface Node {
  world: World;
  rest: Allowance;
  way: Way | null;
}
interface Way {
  actions: Action[];
  before: Way | null;
}

export function explore(
  model: Model,
  copies: Copy[],
  truth: Truth | TruthOf,
  allowance: Allowance,
  most: Limits = { worlds: 200_000, counterexamples: 1 },
): Exploration {
  const search = new Search(model, copies, truth, { allowance, most });
  const open: Node[] = [{ world: startOf(model, copies, most), rest: allowance, way: null }];
  // The shortest ways first, so that a counterexample is as short as any.
  for (const node of open) {
    if (search.isKnown(node)) continue;
    if (search.found.worlds > most.worlds) {
      search.found.isWhole = false;
      break;
    }
    search.judge(node);
    if (search.found.counterexamples.length >= most.counterexamples) break;
    open.push(...search.after(node));
  }
  return search.found;
}

/** One way at random, from the first delivery to an ending; what `explore` would find on it. */
export function walkAtRandom(
  model: Model,
  copies: Copy[],
  truth: Truth | TruthOf,
  allowance: Allowance,
  most: Limits & { random: (below: number) => number },
): Exploration {
  const search = new Search(model, copies, truth, { allowance, most });
  let node: Node = { world: startOf(model, copies, most), rest: allowance, way: null };
  for (;;) {
    search.found.worlds += 1;
    const moves = movesOf(model, node.world, node.rest, most.isPrompt === true);
    const move = moves[most.random(moves.length + (node.world.left.length === 0 ? 1 : 0))];
    if (move === undefined) break;
    node = search.step(node, move.actions, move.left);
  }
  search.judge(node);
  return search.found;
}

/** Any fixed instant. */
export const START = 1_700_000_000_000;

function startOf(model: Model, copies: Copy[], { isPast }: Limits): World {
  const start = newWorld(model, copies, START);
  return isPast === true ? { ...start, happenedAt: model.story.map(() => START) } : start;
}

const KEPT = 1;

class Search {
  readonly found: Exploration = {
    worlds: 0,
    endings: 0,
    asked: 0,
    asks: 0,
    wrong: 0,
    counterexamples: [],
    silent: new Map(),
    isAsking: false,
    isWhole: true,
  };
  private readonly names = new WorldNames();
  private readonly seen = new Set<string>();
  private readonly judges: RememberingJudge;
  private readonly model: Model;
  private readonly copies: Copy[];
  private readonly truth: Truth | TruthOf;
  private readonly allowance: Allowance;
  private readonly most: Limits;

  constructor(
    model: Model,
    copies: Copy[],
    truth: Truth | TruthOf,
    { allowance, most }: { allowance: Allowance; most: Limits },
  ) {
    this.model = model;
    this.copies = copies;
    this.truth = truth;
    this.allowance = allowance;
    this.most = most;
    this.judges = new RememberingJudge(model, this.names);
  }

  isKnown({ world, rest }: Node): boolean {
    const name = this.names.of(world, rest);
    if (this.seen.has(name)) return true;
    this.seen.add(name);
    this.found.worlds += 1;
    return false;
  }

  *after(node: Node): Generator<Node> {
    for (const { actions, left } of movesOf(this.model, node.world, node.rest, this.most.isPrompt === true))
      yield this.step(node, actions, left);
  }

  step(node: Node, actions: Action[], left: Allowance): Node {
    let { world } = node;
    for (const action of actions) world = act(this.model, world, action);
    return { world, rest: left, way: { actions, before: node.way } };
  }

  judge({ world, way, rest }: Node): void {
    const { left } = world;
    if (left.length > 0 && this.most.isLossy !== true) return;
    const delivered = this.copies.filter((copy) => !left.some(({ id }) => id === copy.id));
    const heard = new Set(delivered.map(({ happening }) => happening));
    const { truth } = this;
    const judged = this.judges.judge(world, delivered, ({ expiredAfter }) =>
      typeof truth === 'function' ? truth(heard, expiredAfter) : truth,
    );
    if (judged === null) return;
    const { problems, isAsked, end } = judged;
    const { found, most } = this;
    const isWhole = heard.size === this.model.story.length && rest.deadlines === this.allowance.deadlines;
    found.endings += 1;
    found.asks += asksOf(end.state);
    if (isAsked) found.asked += 1;
    if (isAsked && isWhole) found.isAsking = true;
    const { status } = end.state;
    if (!isAsked && isWhole && !found.silent.has(status))
      found.silent.set(status, { world: end, way: wayOf(way) });
    if (problems.length === 0) return;
    found.wrong += 1;
    if (found.counterexamples.length < Math.min(KEPT, most.counterexamples))
      found.counterexamples.push({
        problems,
        way: wayOf(way),
        delivered: [...heard],
        expiredAfter: end.expiredAfter,
      });
  }
}

function wayOf(way: Way | null): Action[] {
  const parts: Action[][] = [];
  for (let at = way; at !== null; at = at.before) parts.unshift(at.actions);
  return parts.flat();
}
