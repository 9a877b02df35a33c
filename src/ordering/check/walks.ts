/** What can be true of one stream: walks over a machine's cells, with the facts a provider would tell. */
import type { Machine } from '../machine.ts';
import type { Facts } from '../state.ts';
import { cellOf } from '../table.ts';
import { namesPayment, repeats, tellsNew } from './kinds.ts';

export interface Word {
  type: string;
  payment: string | null;
  facts: Facts;
}

/** A walk and the statuses it leads through, the first included. */
export interface Walk {
  words: Word[];
  statuses: string[];
}

/** Every walk of at most `length` steps from a status (the initial), the shorter ones first; of these types alone. */
export function walksOf(
  machine: Machine,
  length: number,
  payment: string | null,
  { from = machine.initial, types = Object.keys(machine.on) }: { from?: string; types?: string[] } = {},
): Walk[] {
  const walks: Walk[] = [];
  let ends: Walk[] = [{ words: [], statuses: [from] }];
  for (let step = 0; step < length; step++) {
    ends = ends.flatMap((walk) => longer(machine, walk, payment, types));
    walks.push(...ends);
  }
  return walks;
}

/** One walk of so many steps, or fewer where it can go no further; each step drawn by chance. */
export function walkByChance(
  machine: Machine,
  length: number,
  payment: string | null,
  { from, types, random }: { from: string; types: string[]; random: (below: number) => number },
): Walk {
  let walk: Walk = { words: [], statuses: [from] };
  for (let step = 0; step < length; step++) {
    const ways = longer(machine, walk, payment, types);
    const next = ways[random(ways.length)];
    if (next === undefined) break;
    walk = next;
  }
  return walk;
}

function longer(machine: Machine, walk: Walk, payment: string | null, types: string[]): Walk[] {
  const from = walk.statuses.at(-1) as string;
  return types.flatMap((type) => {
    const cell = cellOf(machine, from, type, true);
    if (cell.kind !== 'step') return [];
    return [
      {
        words: [...walk.words, wordOf(machine, walk, type, payment)],
        statuses: [...walk.statuses, cell.status],
      },
    ];
  });
}

function wordOf(machine: Machine, walk: Walk, type: string, payment: string | null): Word {
  return { type, payment: namesPayment(machine, type) ? payment : null, facts: factsOf(machine, walk, type) };
}

/** A refund has a name of its own; one that failed names the last. */
function factsOf(machine: Machine, { words }: Walk, type: string): Facts {
  const facts: Facts = {};
  const nameOf = (fact: string, at: number) => `${fact.slice(0, 2)}_${at}`;
  const before = (fact: string) => words.filter((word) => tellsNew(machine, word.type).includes(fact)).length;
  for (const fact of tellsNew(machine, type)) facts[fact] = nameOf(fact, before(fact) + 1);
  for (const fact of repeats(machine, type)) facts[fact] = nameOf(fact, before(fact));
  return facts;
}
