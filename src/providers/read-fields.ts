/**
 * Fields of a parsed body as texts. Ids and versions are kept byte for byte (R12): a number in JSON is the text of
 * its digits, and nothing is trimmed, folded or cut.
 */
import type { Facts } from '../ordering/state.ts';
import { isRecord } from './json.ts';
import type { Refusal } from './provider.ts';
import { shown } from './shown.ts';

const MAX_FACTS = 16;
/** Of a name, and of a value. */
const MAX_FACT_TEXT_BYTES = 255;
/** Leaves room for a kind before it and a source's name before that. */
const MAX_ID_BYTES = 191;
const MAX_FACT_BYTES = 200;

/** A text, or a whole number's digits; null for everything else. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}

/** Absent and null are absent; anything but a text or a whole number is wrong. */
export function optionalText(value: unknown, name: string): { text: string } | Refusal | null {
  if (value === undefined || value === null) return null;
  const text = asText(value);
  if (text === null) return fieldInvalid(name, 'is neither a text nor a whole number');
  if (text === '') return fieldInvalid(name, 'is empty');
  if (Buffer.byteLength(text) > MAX_ID_BYTES)
    return fieldInvalid(name, `is longer than ${MAX_ID_BYTES} bytes`);
  // Half a surrogate pair has no UTF-8 form: two different ids would be stored as one.
  if (/\p{Surrogate}/u.test(text)) return fieldInvalid(name, 'holds half of a character');
  return { text };
}

export function requiredText(value: unknown, name: string): { text: string } | Refusal {
  return optionalText(value, name) ?? { refused: 'field_missing', message: `${name} is missing` };
}

export const fieldInvalid = (name: string, what: string): Refusal => ({
  refused: 'field_invalid',
  message: `${name} ${what}`,
});

/** The value under a dot path. Inherited names are not fields. */
export function valueAt(body: unknown, path: string): unknown {
  let value = body;
  for (const key of path.split('.')) {
    if (!(isRecord(value) || Array.isArray(value)) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** The facts that are there, by a closed list of names; what is no short text is left out. */
export function pickFacts(names: readonly string[], valueOf: (name: string) => unknown): Facts {
  const facts: Facts = {};
  for (const name of names) {
    const value = asText(valueOf(name));
    if (value !== null && Buffer.byteLength(value) <= MAX_FACT_BYTES) facts[name] = value;
  }
  return facts;
}

/**
 * What is wrong with the facts an adapter hands on, in words; null: nothing. Half of a surrogate pair has no bytes of
 * its own: two refunds that differ in it would be one effect.
 */
export function factsProblem(facts: unknown): string | null {
  if (!isRecord(facts)) return 'its facts are no object';
  const all = Object.entries(facts);
  if (all.length > MAX_FACTS) return `it has more than ${MAX_FACTS} facts`;
  const wrong = all.find(([name, value]) => !isFactText(name) || !isFactText(value));
  return wrong === undefined
    ? null
    : `the fact "${shown(wrong[0])}" is not a well-formed text of at most ${MAX_FACT_TEXT_BYTES} bytes`;
}

/** UTF-8 takes at most three bytes per UTF-16 unit, so that short texts need no counting. */
const isFactText = (value: unknown): boolean =>
  typeof value === 'string' &&
  (value.length * 3 <= MAX_FACT_TEXT_BYTES || Buffer.byteLength(value) <= MAX_FACT_TEXT_BYTES) &&
  !/\p{Surrogate}/u.test(value);
