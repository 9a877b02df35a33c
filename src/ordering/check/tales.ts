/**
 * What a table is proved on: tales of one order, told by up to three streams. A stream tells the steps of its own
 * object in their order; how the streams lie between each other is open, since nothing compares them.
 */
import type { Machine } from '../machine.ts';
import type { Contract } from '../state.ts';
import { cellOf } from '../table.ts';
import { kindOf, kindsOf, typesOf } from './kinds.ts';
import type { Happening } from './model.ts';
import { walkByChance, walksOf } from './walks.ts';
import type { Walk, Word } from './walks.ts';

export interface Tale {
  /** What each stream tells, under the stream's name: `payment:1`, `payment:2`, `dispute:1`, `order:1`. */
  streams: Record<string, Word[]>;
  /** For a single stream, the statuses it leads through. */
  statuses: string[] | null;
}

/** Who tells: one stream that tells `all`, or a stream for each kind of object named; twice: two objects of it. */
export type StreamSet = readonly string[];

export const ALL: StreamSet = ['all'];

/** Each kind of object that the machine's types speak of by a stream of its own; and two payments beside the order. */
export function severalOf(machine: Machine): StreamSet[] {
  const kinds = kindsOf(machine);
  const sets = kinds.length > 1 ? [kinds] : [];
  if (!kinds.includes('payment')) return sets;
  return [...sets, ['payment', 'payment', ...kinds.filter((kind) => kind === 'order')]];
}

export const isAll = (set: StreamSet): boolean => set.length === 1 && set[0] === 'all';

/** All tales of exactly so many events. */
export const talesOf = (machine: Machine, set: StreamSet, size: number): Tale[] =>
  isAll(set) ? talesOfOne(machine, size) : talesOfSeveral(machine, set, size);

/** One stream that tells all: every walk of so many steps. */
function talesOfOne(machine: Machine, length: number): Tale[] {
  return walksOf(machine, length, PAYMENT, { types: typesOf(machine) })
    .filter(({ words }) => words.length === length)
    .map(({ words, statuses }) => ({ streams: { 'object:1': words }, statuses }));
}

/** Of these, the walks of one kind of object: an answer that names no version speaks of one object's last state. */
export const isOfOneKind = (machine: Machine, { streams }: Tale): boolean =>
  Object.values(streams).every((words) => new Set(words.map(({ type }) => kindOf(machine, type))).size === 1);

const PAYMENT = 'p1';

/**
 * Several streams, as they may be true: a walk whose kinds of events are each told by a stream of their own; and
 * beside it further objects of a kind, as a second payment, of which any may be first.
 */
function talesOfSeveral(machine: Machine, set: StreamSet, size: number): Tale[] {
  const tales = new Map<string, Tale>();
  const { types, further } = castOf(machine, set);
  for (const walk of walksOf(machine, size, PAYMENT, { types })) {
    const streams = byKind(machine, walk.words);
    if (!isTrue(machine, streams)) continue;
    for (const beside of besides(machine, walk, streams, further, size - walk.words.length)) {
      const all = { ...streams, ...beside };
      const name = nameOf(all);
      if (!tales.has(name)) tales.set(name, { streams: all, statuses: null });
    }
  }
  return [...tales.values()];
}

/** One tale drawn by chance, of at most so many events; of none where what was drawn cannot be true. */
export function taleByChance(
  machine: Machine,
  set: StreamSet,
  size: number,
  random: (below: number) => number,
): Tale {
  const { types, further } = isAll(set) ? { types: typesOf(machine), further: [] } : castOf(machine, set);
  const lengths = further.map(() => random(Math.max(1, size - 2)));
  const beside = Math.min(
    size - 1,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  const walk = walkByChance(machine, size - beside, PAYMENT, { from: machine.initial, types, random });
  if (isAll(set)) return { streams: { 'object:1': walk.words }, statuses: walk.statuses };
  const streams = byKind(machine, walk.words);
  if (!isTrue(machine, streams)) return { streams: {}, statuses: null };
  let left = size - walk.words.length;
  for (const [at, kind] of further.entries()) {
    const length = Math.min(left, lengths[at] as number);
    const own = typesOf(machine).filter((type) => kindOf(machine, type) === kind);
    const starts = startsOf(machine, kind, walk.statuses);
    const from = starts[random(starts.length)] as string;
    const words = walkByChance(machine, length, PAYMENT, { from, types: own, random }).words;
    if (words.length === 0) continue;
    left -= words.length;
    Object.assign(streams, furtherOf(streams, kind, words));
  }
  return { streams, statuses: null };
}

/** The types that the streams tell of, and the kinds of which there is more than one object. */
function castOf(machine: Machine, set: StreamSet): { types: string[]; further: string[] } {
  const types = typesOf(machine).filter((type) => set.includes(kindOf(machine, type)));
  return { types, further: set.filter((kind, at) => set.indexOf(kind) !== at) };
}

/** A payment is not refunded that was never captured, whatever the shop's events made of the order before. */
function isTrue(machine: Machine, streams: Tale['streams']): boolean {
  let status = machine.initial;
  for (const { type } of streams['payment:1'] ?? []) {
    const cell = cellOf(machine, status, type, true);
    if (cell.kind !== 'step') return false;
    ({ status } = cell);
  }
  return true;
}

/** What the further objects may tell beside a walk, of so many events in all. */
function besides(
  machine: Machine,
  walk: Walk,
  streams: Tale['streams'],
  further: string[],
  size: number,
): Tale['streams'][] {
  if (size === 0) return [{}];
  const [kind, ...others] = further;
  if (kind === undefined) return [];
  const found = besides(machine, walk, streams, others, size);
  // Of two objects of a kind the first is the walk's.
  if (streams[`${kind}:1`] === undefined) return found;
  const types = typesOf(machine).filter((type) => kindOf(machine, type) === kind);
  for (const from of startsOf(machine, kind, walk.statuses))
    for (const { words } of walksOf(machine, size, PAYMENT, { from, types })) {
      const own = furtherOf(streams, kind, words);
      for (const more of besides(machine, walk, { ...streams, ...own }, others, size - words.length))
        found.push({ ...own, ...more });
    }
  return found;
}

/** A further payment begins as any; what never begins an order, as a dispute, begins where the order has got to. */
function startsOf(machine: Machine, kind: string, statuses: string[]): string[] {
  return begins(machine, kind) ? [machine.initial] : [...new Set(statuses)];
}

const begins = (machine: Machine, kind: string): boolean =>
  typesOf(machine).some(
    (type) => kindOf(machine, type) === kind && cellOf(machine, machine.initial, type, true).kind === 'step',
  );

function furtherOf(streams: Tale['streams'], kind: string, words: Word[]): Tale['streams'] {
  const number = Object.keys(streams).filter((stream) => stream.startsWith(`${kind}:`)).length + 1;
  return { [`${kind}:${number}`]: words.map((word) => ofFurther(word, number)) };
}

/** Equal for tales that only number objects of one kind otherwise. */
export const nameOf = (streams: Tale['streams']): string =>
  JSON.stringify(
    Object.entries(streams)
      .map(([stream, words]) => [stream.split(':')[0], ...words.map(({ type }) => type)].join(' '))
      .sort(),
  );

function byKind(machine: Machine, words: Word[]): Tale['streams'] {
  const streams: Tale['streams'] = {};
  for (const word of words) (streams[`${kindOf(machine, word.type)}:1`] ??= []).push(word);
  return streams;
}

export const sizeOf = ({ streams }: Tale): number =>
  Object.values(streams).reduce((size, words) => size + words.length, 0);

/** A further payment's words, with a name and refunds of its own. */
function ofFurther({ type, payment, facts }: Word, number: number): Word {
  const own = Object.entries(facts).map(([name, value]): [string, string] => [name, `${value}-${number}`]);
  return { type, payment: payment === null ? null : `p${number}`, facts: Object.fromEntries(own) };
}

/** Every order in which the streams' words may be true, each stream's own order kept. */
export function interleavings(tale: Tale): [string, Word][][] {
  const lines = Object.entries(tale.streams).map(([stream, words]) =>
    told(words).map((word): [string, Word] => [stream, word]),
  );
  return lines.reduce((all, line) => all.flatMap((other) => merged(other, line)), [[]] as [string, Word][][]);
}

function merged(a: [string, Word][], b: [string, Word][]): [string, Word][][] {
  const [first, ...restOfA] = a;
  const [second, ...restOfB] = b;
  if (first === undefined) return [b];
  if (second === undefined) return [a];
  return [
    ...merged(restOfA, b).map((rest) => [first, ...rest]),
    ...merged(a, restOfB).map((rest) => [second, ...rest]),
  ];
}

/** The same type twice is told of another attempt: equal facts would be the same news. */
function told(words: Word[]): Word[] {
  return words.map((word, at) => {
    const before = words
      .slice(0, at)
      .filter(({ type, facts }) => type === word.type && isEqual(facts, word.facts));
    return before.length === 0
      ? word
      : { ...word, facts: { ...word.facts, attempt: String(before.length + 1) } };
  });
}

const isEqual = (a: Word['facts'], b: Word['facts']) => JSON.stringify(a) === JSON.stringify(b);

/** The words as what happens, with the versions that a contract promises. */
export function storyOf(words: [string, Word][], contract: Contract): Happening[] {
  const counts: Record<string, number> = {};
  return words.map(([stream, word], at) => {
    const count = (counts[stream] ?? 0) + 1;
    counts[stream] = count;
    return {
      stream: `source/${stream}`,
      ...word,
      version: contract === 'unordered' ? null : String(contract === 'sequence' ? count : 10 * count),
      claimedAt: `2026-01-01T00:00:0${at}Z`,
    };
  });
}
