/**
 * Which fields of stored bodies could name the order. Names of fields are looked at and returned; values only count
 * as there or not, and equal or not, and never leave this file (R4). Pure.
 */
import { isRecord } from '../providers/json.ts';

export interface OrderCandidate {
  /** As it would be written in a configuration. */
  path: string;
  /** In how many of the bodies it stands. */
  events: number;
}

const MAX_DEPTH = 6;
const MAX_FIELDS = 200;
const MAX_CANDIDATES = 3;
const MAX_ID_BYTES = 191;
/** A word that is not about orders and is the same in all of so many bodies tells nothing apart. */
const CONSTANT_IN = 5;

/** What an id is likely to be called, the likeliest first. */
const LIKELY = [
  /^(order|order (id|no|nr|number|ref|reference|code|key|uuid))$/,
  /\border\b/,
  /\b(reference|ref|external id|merchant id)\b/,
  /\b(cart|basket|booking|reservation|purchase|invoice|ticket)\b/,
];
const UNDER_METADATA = LIKELY.length;
const DESCRIPTION = UNDER_METADATA + 1;

export function orderCandidates(objects: readonly unknown[]): OrderCandidate[] {
  const seen = new Map<string, { events: number; values: Set<string>; rank: number }>();
  for (const object of objects) {
    for (const { path, rank, value } of fieldsOf(object)) {
      const known = seen.get(path) ?? { events: 0, values: new Set<string>(), rank };
      known.events += 1;
      known.values.add(value);
      seen.set(path, known);
    }
  }
  return [...seen]
    .filter(([, { events, values, rank }]) => rank <= 1 || values.size > 1 || events < CONSTANT_IN)
    .sort(
      ([a, one], [b, other]) =>
        one.rank - other.rank || other.events - one.events || a.length - b.length || (a < b ? -1 : 1),
    )
    .slice(0, MAX_CANDIDATES)
    .map(([path, { events }]) => ({ path, events }));
}

interface Field {
  path: string;
  rank: number;
  value: string;
}

/** Lists are left out: no path leads into them. */
function fieldsOf(object: unknown, parents: readonly string[] = []): Field[] {
  if (!isRecord(object) || parents.length >= MAX_DEPTH) return [];
  return Object.entries(object)
    .slice(0, MAX_FIELDS)
    .flatMap(([name, value]) => {
      // It could not be written as a path.
      if (name === '' || /[.\s]/.test(name)) return [];
      const path = [...parents, name];
      if (isRecord(value)) return fieldsOf(value, path);
      const rank = rankOf(path);
      const text = typeof value === 'number' ? String(value) : value;
      const couldBeId =
        typeof text === 'string' && text.trim() !== '' && Buffer.byteLength(text) <= MAX_ID_BYTES;
      return rank === null || !couldBeId ? [] : [{ path: path.join('.'), rank, value: text }];
    });
}

function rankOf(path: readonly string[]): number | null {
  const words = wordsOf(path.at(-1) ?? '');
  // `order: { id }`, `order: { number }`
  const named = /^(id|no|number|key|code|uuid)$/.test(words)
    ? `${wordsOf(path.at(-2) ?? '')} ${words}`
    : words;
  const rank = LIKELY.findIndex((likely) => likely.test(named));
  if (rank >= 0) return rank;
  if (
    path
      .slice(0, -1)
      .some((name) => /^(metadata|meta|custom|customdata|notes)$/i.test(name.replaceAll('_', '')))
  ) {
    return UNDER_METADATA;
  }
  return words === 'description' ? DESCRIPTION : null;
}

/** `clientReferenceId`, `client_reference_id`: client reference id. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
