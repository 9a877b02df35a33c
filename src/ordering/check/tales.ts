/**
 * What a table is proved on: tales of one order, told by up to three streams. A stream tells the steps of its own
 * object in their order; how the streams lie between each other is open, since nothing compares them.
 */
import type { Machine } from '../machine.ts';
import type { Happening } from './model.ts';
import { walksOf } from './walks.ts';
import type { Walk, Word } from './walks.ts';

export interface Tale {
  /** What each stream tells, under the stream's name: `payment:1`, `payment:2`, `dispute:1`, `order:1`. */
  streams: Record<string, Word[]>;
  /** For a single stream, the statuses it leads through. */
  statuses: string[] | null;
}

type Kind = 'payment' | 'dispute' | 'order';

const kindOf = (type: string): Kind =>
  type.startsWith('order.') ? 'order' : type.startsWith('dispute.') ? 'dispute' : 'payment';

/** One stream that tells all: every walk of so many steps. */
export function talesOfOne(machine: Machine, length: number): Tale[] {
  return toldWalks(machine, length)
    .filter(({ words }) => words.length === length)
    .map(({ words, statuses }) => ({ streams: { 'object:1': words }, statuses }));
}

/** Of these, the walks of one kind of object: an answer that names no version speaks of one object's last state. */
export const isOfOneKind = ({ streams }: Tale): boolean =>
  Object.values(streams).every((words) => new Set(words.map(({ type }) => kindOf(type))).size === 1);

/** Without what deadlines say: that is inorder's own word, and arrives when its time has come. */
function toldWalks(machine: Machine, length: number): Walk[] {
  const deadlines = new Set(Object.values(machine.statuses).map(({ deadline }) => deadline?.type));
  const on = Object.fromEntries(Object.entries(machine.on).filter(([type]) => !deadlines.has(type)));
  return walksOf({ ...machine, on }, length, PAYMENT);
}

const PAYMENT = 'p1';

/**
 * Several streams, as they may be true: every walk of at most so many steps, each kind of event told by a stream of
 * its own; and two payments beside each other, of which either may be first.
 */
export function talesOfSeveral(machine: Machine, length: number): Tale[] {
  const tales = new Map<string, Tale>();
  const add = (streams: Record<string, Word[]>) => {
    const name = JSON.stringify(
      Object.entries(streams).map(([stream, words]) => [stream, ...words.map(typeOf)]),
    );
    if (!tales.has(name)) tales.set(name, { streams, statuses: null });
  };
  const payments: Word[][] = [];
  for (const { words } of toldWalks(machine, length)) {
    const streams = byKind(words);
    if (Object.keys(streams).length > 1) add(streams);
    else if (streams['payment:1'] !== undefined && words.length < length) payments.push(words);
  }
  for (const [at, first] of payments.entries())
    for (const second of payments.slice(at))
      if (first.length + second.length <= length)
        add({ 'payment:1': first, 'payment:2': second.map(ofSecond) });
  return [...tales.values()].sort((a, b) => sizeOf(a) - sizeOf(b));
}

const typeOf = ({ type }: Word) => type;

function byKind(words: Word[]): Record<string, Word[]> {
  const streams: Record<string, Word[]> = {};
  for (const kind of ['payment', 'dispute', 'order']) {
    const said = words.filter(({ type }) => kindOf(type) === kind);
    if (said.length > 0) streams[`${kind}:1`] = said;
  }
  return streams;
}

export const sizeOf = ({ streams }: Tale): number =>
  Object.values(streams).reduce((size, words) => size + words.length, 0);

/** A second payment's words, with refunds of its own. */
function ofSecond({ type, facts }: Word): Word {
  const own = Object.entries(facts).map(([name, value]): [string, string] => [name, `${value}b`]);
  return { type, payment: 'p2', facts: Object.fromEntries(own) };
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
      .filter(({ type, facts }) => type === word.type && facts['refund'] === word.facts['refund']);
    return before.length === 0
      ? word
      : { ...word, facts: { ...word.facts, attempt: String(before.length + 1) } };
  });
}

/** The words as what happens, with the versions that a contract promises. */
export function storyOf(
  words: [string, Word][],
  contract: 'sequence' | 'monotonic' | 'unordered',
): Happening[] {
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
