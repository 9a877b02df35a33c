/**
 * Proves that a table is safe under what a source promises, or finds the shortest story that goes wrong: an order that
 * ends untrue while nobody is asked. Small tales, all of them, in every order of arrival (see `tales.ts`, and P1 to P4
 * in `told-tale.ts`); what is longer is not looked at, so the bounds are part of the result.
 */
import type { Machine } from '../machine.ts';
import { exploreTale, isTellable } from './explore-tale.ts';
import type { Depth } from './explore-tale.ts';
import type { Allowance } from './moves.ts';
import { ALL, nameOf, severalOf, sizeOf, talesOf } from './tales.ts';
import type { Tale } from './tales.ts';
import type { CounterexampleStory } from './tell.ts';
import type { Promises } from './told-tale.ts';

export interface Bounds {
  /** The longest walk of a single stream, every event also lost; in shorter ones every event also twice. */
  single: number;
  /** The longest walk told by several streams; each event at most once. */
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

/**
 * Wide enough to find what goes wrong in practice, and done within seconds. Answers leave many more ways open; what
 * goes wrong where versions only rise takes four events, of which one never arrives.
 */
export const boundsOf = ({ contract, api }: Promises): Bounds =>
  contract === 'monotonic' && !api
    ? { single: 4, several: 3, worlds: 50_000 }
    : { single: 3, several: api ? 3 : 4, worlds: 400_000 };

export function proveContract(machine: Machine, promises: Promises, bounds = boundsOf(promises)): Proof {
  const proof: ProofFigures = { bounds, tales: 0, worlds: 0, endings: 0, asked: 0, pairs: [] };
  for (const tale of talesWithin(machine, bounds)) {
    if (!isTellable(machine, promises, tale)) continue;
    proof.tales += 1;
    for (const depth of depthsOf(promises, tale, sizeOf(tale) < bounds.single)) {
      const found = exploreTale(machine, promises, tale, depth);
      proof.worlds += found.states;
      proof.endings += found.endings;
      proof.asked += found.review;
      if (found.isOpen) notePair(proof.pairs, tale);
      if (found.counterexample !== null) return { ok: false, story: found.counterexample, ...proof };
      if (proof.worlds > bounds.worlds) return { ok: false, story: null, ...proof };
    }
  }
  return { ok: true, ...proof };
}

function* talesWithin(machine: Machine, bounds: Bounds): Generator<Tale> {
  for (let size = 1; size <= bounds.single; size++) yield* talesOf(machine, ALL, size);
  const known = new Set<string>();
  for (let size = 2; size <= bounds.several; size++)
    for (const set of severalOf(machine))
      for (const tale of talesOf(machine, set, size)) {
        const name = nameOf(tale.streams);
        if (Object.keys(tale.streams).length > 1 && !known.has(name)) yield tale;
        known.add(name);
      }
}

/** What is looked at of a tale in every way; the shorter ones of one stream also with copies and bad answers. */
function depthsOf({ contract, api }: Promises, tale: Tale, isShort: boolean): Depth[] {
  const isSingle = tale.statuses !== null;
  const depth = {
    isFirst: true,
    worlds: Infinity,
    isTwice: false,
    isLossy: api || isSingle,
    isPrompt: api && !isSingle,
  };
  const wakes = isSingle && contract === 'sequence' ? 1 : 0;
  const plain: Allowance = { bad: 0, wakes: 0, deadlines: 1 };
  if (!isSingle || !isShort) return [{ ...depth, allowance: { ...plain, wakes } }];
  return [
    { ...depth, allowance: { bad: api ? 1 : 0, wakes, deadlines: 0 } },
    { ...depth, isTwice: true, allowance: plain },
  ];
}

/** Notes the types of a tale of two events. */
export function notePair(pairs: [string, string][], tale: Tale): void {
  const types = Object.values(tale.streams).flatMap((words) => words.map(({ type }) => type));
  if (types.length !== 2) return;
  const [a, b] = types.sort() as [string, string];
  if (!pairs.some(([one, other]) => one === a && other === b)) pairs.push([a, b]);
}
