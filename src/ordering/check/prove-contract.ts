/**
 * Proves that a table is safe under what a source promises, or finds the shortest story that goes wrong: an order that
 * ends untrue while nobody is asked. Small tales, all of them, in every order of arrival (see `tales.ts`); what is
 * longer is not looked at, so the bounds are part of the result.
 *
 * P1  A single stream ends in the true last status, or somebody is asked.
 * P2  All endings of one tale that ask nobody are equal, whatever arrived first: the status, and each effect that is
 *     counted by what happened. The first true order of several streams sets what is right.
 * P3  What was lost is made good where the provider can be asked. Where it cannot, the endings of what did arrive
 *     are equal all the same.
 */
import type { Machine } from '../machine.ts';
import type { Contract, SourcePolicy } from '../state.ts';
import { endOf, explore, START } from './explore.ts';
import type { Allowance, Counterexample, Exploration, Limits } from './explore.ts';
import { act, newWorld } from './model.ts';
import type { Copy, Model, World } from './model.ts';
import { rest } from './rest.ts';
import { interleavings, isOfOneKind, sizeOf, storyOf, talesOfOne, talesOfSeveral } from './tales.ts';
import type { Tale } from './tales.ts';
import { storyOfEnding } from './tell.ts';
import type { CounterexampleStory } from './tell.ts';
import { countedEffects } from './verdict.ts';
import type { Truth } from './verdict.ts';

export interface Promises {
  contract: Contract;
  /** The provider can be asked. */
  api: boolean;
}

export interface Bounds {
  /** The longest walk of a single stream, every event also lost; in shorter ones every event also twice. */
  single: number;
  /** The longest walk told by several streams; each event once. */
  several: number;
  /** Worlds after which the proof is given up as too large. */
  worlds: number;
}

export interface ProofFigures {
  bounds: Bounds;
  tales: number;
  worlds: number;
  endings: number;
  /** Endings with a person asked. */
  asked: number;
  /** Pairs of types for which arrival decides whether a person is asked; never how the order ends. */
  pairs: [string, string][];
}

/** `story` null: the table is too large to be proved within the bounds. */
export type Proof = ProofFigures & ({ ok: true } | { ok: false; story: CounterexampleStory | null });

/** Wide enough to find what goes wrong in practice, and done within seconds. Answers leave many more ways open. */
export const boundsOf = ({ api }: Promises): Bounds => ({ single: 3, several: api ? 3 : 4, worlds: 400_000 });

export function proveContract(machine: Machine, promises: Promises, bounds = boundsOf(promises)): Proof {
  const isByAnswers = promises.contract === 'unordered' && promises.api;
  const singles = Array.from({ length: bounds.single }, (_, at) => talesOfOne(machine, at + 1))
    .flat()
    .filter((tale) => !isByAnswers || isOfOneKind(tale));
  const tales = [...singles, ...talesOfSeveral(machine, bounds.several)];
  const proof: ProofFigures = { bounds, tales: 0, worlds: 0, endings: 0, asked: 0, pairs: [] };
  const prover = new Prover(machine, promises, proof);
  for (const tale of tales) {
    proof.tales += 1;
    const story = tale.statuses === null ? prover.proveSeveral(tale) : prover.proveSingle(tale);
    if (story !== null) return { ok: false, story, ...proof };
    if (proof.worlds > bounds.worlds) return { ok: false, story: null, ...proof };
  }
  return { ok: true, ...proof };
}

const ONCE: Allowance = { bad: 0, wakes: 0 };

class Prover {
  private readonly machine: Machine;
  private readonly promises: Promises;
  private readonly proof: ProofFigures;
  private readonly policy: SourcePolicy;
  /** By the table alone, the same events are the same tale, whatever was first; the truth may still be another. */
  private readonly explored = new Set<string>();

  constructor(machine: Machine, promises: Promises, proof: ProofFigures) {
    this.machine = machine;
    this.promises = promises;
    this.proof = proof;
    this.policy = {
      ...promises,
      find: false,
      first: promises.contract === 'sequence' ? '1' : 'any',
      gapTimeoutMs: 30_000,
      lagWindowMs: 60_000,
      askDeadlineMs: 1_800_000,
      effects: 'run',
    };
  }

  /** One stream: all its events, once and twice; the shorter ones also with losses and an answer that lags or fails. */
  proveSingle(tale: Tale): CounterexampleStory | null {
    const model = this.modelOf(tale, 0);
    const all = once(model);
    const statuses = tale.statuses as string[];
    const endings = [statuses.at(-1) as string];
    const inOrder = this.inOrder(model, all);
    const { contract, api } = this.promises;
    const truth = {
      endings,
      // By the table alone, what comes first leads the order through what it may never have been in.
      passed:
        contract === 'unordered' && !api
          ? Object.keys(this.machine.statuses)
          : [...statuses, ...inOrder.passed],
      last: model.story.at(-1) ?? null,
      counted: countedEffects(this.machine, inOrder.world),
    };
    const isShort = model.story.length < this.proof.bounds.single;
    const ways: [Copy[], Allowance][] = [
      [all, { bad: api && isShort ? 1 : 0, wakes: contract === 'sequence' ? 1 : 0 }],
      [[...all, ...all.map(({ happening }) => ({ happening, id: `${happening}.again` }))], ONCE],
    ];
    for (const [copies, allowance] of isShort ? ways : ways.slice(0, 1)) {
      const story = this.explore(model, copies, truth, allowance, { isPast: !api });
      if (story !== null) return story;
    }
    return api ? this.proveRepairs(model, all, truth) : this.proveLosses(model, all);
  }

  /** One event is lost, and a last answer makes good for it; what was lost and taken back leaves no trace. */
  private proveRepairs(
    model: Model,
    all: Copy[],
    { counted: _, ...truth }: Truth,
  ): CounterexampleStory | null {
    if (all.length === 1) return null;
    for (const lost of all) {
      const copies = all.filter((copy) => copy !== lost);
      const story = this.explore(model, copies, truth, ONCE, {});
      if (story !== null) return story;
    }
    return null;
  }

  /** Nobody can be asked: what did arrive must end in one way, since how it truly ended cannot be known. */
  private proveLosses(model: Model, all: Copy[]): CounterexampleStory | null {
    for (const copies of subsets(all)) {
      const truth = {
        ...this.truthBy([this.inOrder(model, copies)], false),
        passed: Object.keys(this.machine.statuses),
      };
      const story = this.explore(model, copies, truth, ONCE, { isPast: true });
      if (story !== null) return story;
    }
    return null;
  }

  proveSeveral(tale: Tale): CounterexampleStory | null {
    const models = interleavings(tale).map((_, at) => this.modelOf(tale, at));
    const truth = {
      ...this.truthBy(
        models.map((model) => this.inOrder(model, once(model))),
        sizeOf(tale) === Object.keys(tale.streams).length,
      ),
      // Another stream may lead the order through more than any true order shows.
      passed: Object.keys(this.machine.statuses),
    };
    const { api } = this.promises;
    // Where nobody is asked, the order in which things happened shows in nothing but the order of arrival.
    for (const model of api ? models : models.slice(0, 1)) {
      const story = this.explore(model, once(model), truth, ONCE, { isPast: !api, isPrompt: api });
      if (story !== null) return story;
    }
    return null;
  }

  /** What is right, by true orders of arrival: the first that asks nobody. Where all ask, so must others if `isStrict`. */
  private truthBy(inOrder: InOrder[], isStrict: boolean): Truth {
    const right = inOrder.find(({ world }) => world.state.attention.length === 0);
    return {
      endings: right === undefined ? (isStrict ? [] : null) : [right.world.state.status],
      passed: [...new Set(inOrder.flatMap(({ passed }) => passed))],
      last: null,
      counted: right === undefined ? [] : countedEffects(this.machine, right.world),
    };
  }

  private explore(
    model: Model,
    copies: Copy[],
    truth: Truth,
    allowance: Allowance,
    limits: Pick<Limits, 'isPast' | 'isPrompt'>,
  ): CounterexampleStory | null {
    const { proof } = this;
    const isByTable = this.promises.contract === 'unordered' && !this.promises.api;
    const name = isByTable ? nameOf(model, copies, truth) : null;
    if (name !== null && this.explored.has(name)) return null;
    if (name !== null) this.explored.add(name);
    const found = explore(model, copies, truth, allowance, {
      worlds: Infinity,
      counterexamples: 1,
      ...limits,
    });
    proof.worlds += found.worlds;
    proof.endings += found.endings;
    proof.asked += found.asked;
    this.notePair(model, found);
    const counterexample = found.counterexamples[0] ?? disagreement(found);
    return counterexample === undefined ? null : storyOfEnding(model, copies, truth, counterexample);
  }

  private notePair({ story }: Model, found: Exploration): void {
    const [a, b] = story.map(({ type }) => type as string).sort() as [string, string];
    if (story.length !== 2 || found.asked === 0 || found.silent.size === 0) return;
    if (!this.proof.pairs.some(([one, other]) => one === a && other === b)) this.proof.pairs.push([a, b]);
  }

  private modelOf(tale: Tale, interleaving: number): Model {
    const words = interleavings(tale)[interleaving] as ReturnType<typeof interleavings>[number];
    return {
      machine: this.machine,
      sources: { source: this.policy },
      story: storyOf(words, this.promises.contract),
      versionedAnswers: true,
    };
  }

  /** Everything arrives as it happens, and is answered at once. */
  private inOrder(model: Model, copies: Copy[]): InOrder {
    let world = newWorld(model, copies, START);
    const passed = [world.state.status];
    for (const happening of model.story.keys()) {
      world = act(model, world, { do: 'happen' });
      const copy = world.left.findIndex((one) => one.happening === happening);
      if (copy >= 0) world = rest(model, act(model, world, { do: 'deliver', copies: [copy] }));
      passed.push(world.state.status);
    }
    return { world: endOf(model, world, copies), passed };
  }
}

interface InOrder {
  world: World;
  /** The statuses the order was in. */
  passed: string[];
}

function nameOf({ story }: Model, copies: Copy[], { endings, counted }: Truth): string {
  const told = copies.map(({ happening }) => story[happening] as Model['story'][number]);
  const events = told.map(({ stream, type, payment, facts }) =>
    JSON.stringify([stream, type, payment, facts]),
  );
  return JSON.stringify([events.sort(), endings, counted]);
}

/** Two endings that ask nobody and are not equal. */
function disagreement({ silent }: Exploration): Counterexample | undefined {
  const [one, other] = [...silent.entries()];
  if (one === undefined || other === undefined) return undefined;
  const problem = `the order is ${other[0]}, and ${one[0]} when the same arrives in another order`;
  return { problems: [problem], way: other[1].way };
}

const once = (model: Model): Copy[] => model.story.map((_, happening) => ({ happening, id: `${happening}` }));

/** All but the whole and the empty one. */
function subsets(all: Copy[]): Copy[][] {
  const found: Copy[][] = [];
  for (let bits = 1; bits < 2 ** all.length - 1; bits++)
    found.push(all.filter((_, at) => (bits & (2 ** at)) !== 0));
  return found;
}
