/** One tale in all its ways: every order of its streams, every arrival, losses, copies, answers, and deadlines. */
import type { Machine } from '../machine.ts';
import { explore, walkAtRandom } from './explore.ts';
import type { Counterexample, Exploration } from './explore.ts';
import type { Allowance } from './moves.ts';
import type { Copy, Model } from './model.ts';
import { onceOf, ToldTale, twiceOf } from './told-tale.ts';
import type { Promises } from './told-tale.ts';
import { isOfOneKind } from './tales.ts';
import type { Tale } from './tales.ts';
import { storyOfEnding } from './tell.ts';
import type { CounterexampleStory } from './tell.ts';

export interface Figures {
  /** Different worlds looked at, endings judged, wrong ones, such with a person asked, questions until all of them. */
  states: number;
  endings: number;
  wrong: number;
  review: number;
  asks: number;
}

export interface TaleResult extends Figures {
  counterexample: CounterexampleStory | null;
  /** Arrival decides whether a person is asked. */
  isOpen: boolean;
  /** False when there were too many ways to look at all. */
  isWhole: boolean;
}

export interface Depth {
  /** Every event may come twice; else at most once. */
  isTwice: boolean;
  allowance: Allowance;
  /** Any may also be lost. */
  isLossy: boolean;
  /** Whatever is asked is answered before anything else happens. */
  isPrompt: boolean;
  /** Ends at the first ending that is wrong. */
  isFirst: boolean;
  /** More worlds than that are too many for one order of the streams. */
  worlds: number;
}

/** Whether a tale can be told so: an answer that names no version speaks of one object's last state. */
export const isTellable = (machine: Machine, { contract, api }: Promises, tale: Tale): boolean =>
  tale.statuses === null || !api || contract !== 'unordered' || isOfOneKind(machine, tale);

export function exploreTale(machine: Machine, promises: Promises, tale: Tale, depth: Depth): TaleResult {
  const told = new ToldTale(machine, promises, tale);
  const result = nothingFound();
  const statuses = new Set<string>();
  let isAsking = false;
  // Where nobody is asked, the order in which things happened shows in nothing but the order of arrival.
  const models = promises.api ? told.models : told.models.slice(0, 1);
  for (const [at, model] of models.entries()) {
    const copies = depth.isTwice ? twiceOf(model) : onceOf(model);
    const found = explore(model, copies, told.truthOf(at), depth.allowance, {
      worlds: depth.worlds,
      counterexamples: depth.isFirst ? 1 : Infinity,
      isPrompt: depth.isPrompt,
      isPast: !promises.api,
      isLossy: depth.isLossy,
    });
    add(result, { told, at, model, copies }, found);
    for (const status of found.silent.keys()) statuses.add(status);
    isAsking ||= found.isAsking;
    if (depth.isFirst && result.counterexample !== null) return result;
  }
  result.isOpen = isAsking && statuses.size > 0;
  return result;
}

/** Some ways of a tale, drawn by chance: every event up to twice, answers that lag or fail, timers, deadlines. */
export function sampleTale(
  machine: Machine,
  promises: Promises,
  tale: Tale,
  { ways, random }: { ways: number; random: (below: number) => number },
): TaleResult {
  const told = new ToldTale(machine, promises, tale);
  const result = nothingFound();
  for (let way = 0; way < ways; way++) {
    const at = promises.api ? random(told.models.length) : 0;
    const model = told.models[at] as Model;
    const copies = copiesByChance(model, random);
    const allowance = { bad: promises.api ? random(3) : 0, wakes: random(3), deadlines: random(2) };
    const limits = { worlds: Infinity, counterexamples: 1, isPast: !promises.api, random };
    add(
      result,
      { told, at, model, copies },
      walkAtRandom(model, copies, told.truthOf(at), allowance, limits),
    );
  }
  return result;
}

/** Lost one time in eight, told again as often under a second id. */
function copiesByChance(model: Model, random: (below: number) => number): Copy[] {
  const fate = model.story.map(() => random(8));
  return twiceOf(model).filter(({ happening, id }) =>
    id.includes('.') ? fate[happening] === 1 : fate[happening] !== 0,
  );
}

export const sizeOfStory = ({ story, way }: CounterexampleStory): number => 1_000 * story.length + way.length;

const nothingFound = (): TaleResult => ({
  states: 0,
  endings: 0,
  wrong: 0,
  review: 0,
  asks: 0,
  counterexample: null,
  isOpen: false,
  isWhole: true,
});

interface Where {
  told: ToldTale;
  at: number;
  model: Model;
  copies: Copy[];
}

function add(result: TaleResult, where: Where, found: Exploration): void {
  result.states += found.worlds;
  result.endings += found.endings;
  result.review += found.asked;
  result.asks += found.asks;
  result.isWhole &&= found.isWhole;
  result.wrong += found.wrong;
  const counterexample = found.counterexamples[0] ?? disagreement(found);
  if (counterexample === undefined) return;
  if (found.wrong === 0) result.wrong += 1;
  const story = tell(where, counterexample);
  if (result.counterexample === null || sizeOfStory(story) < sizeOfStory(result.counterexample))
    result.counterexample = story;
}

function tell({ told, at, model, copies }: Where, counterexample: Counterexample): CounterexampleStory {
  const { delivered, expiredAfter } = counterexample;
  const truth = told.truthOf(at)(new Set(delivered), expiredAfter);
  return storyOfEnding(model, copies, truth ?? { endings: null, passed: [], last: null }, counterexample);
}

/** Two endings that ask nobody and are not equal. */
function disagreement({ silent }: Exploration): Counterexample | undefined {
  const [one, other] = [...silent.entries()];
  if (one === undefined || other === undefined) return undefined;
  const { world, way } = other[1];
  const problem = `the order is ${other[0]}, and ${one[0]} when the same arrives in another order`;
  const delivered = [...new Set(Object.keys(world.outcomes).map((id) => Number(id.split('.')[0])))];
  return { problems: [problem], way, delivered, expiredAfter: null };
}
