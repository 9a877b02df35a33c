/**
 * The names a machine defines and how its parts refer to them: every reader reports to one list of problems,
 * with the path inside the definition, and goes on.
 */
import { didYouMean } from '../did-you-mean.ts';

export type Fields = Record<string, unknown>;
export type Say = (path: string, message: string) => void;
export interface Names {
  statuses: string[];
  effects: string[];
  types: string[];
  say: Say;
}

/** Words with a meaning of their own inside a row, and names that every object answers to. */
const RESERVED = new Set(['else', 'own', 'other', 'ignore', 'review', 'stay', 'inorder', 'constructor']);

export function checkNames(path: string, names: string[], pattern: RegExp, allowed: string, say: Say): void {
  for (const name of names) {
    if (RESERVED.has(name)) say(`${path}.${name}`, 'is a reserved word; choose another name');
    else if (!pattern.test(name)) say(`${path}.${name}`, `names are made of ${allowed}`);
  }
  if (names.length === 0 && path !== 'effects') say(path, 'is empty');
}

export function readStatus(path: string, value: unknown, names: Names): string | null {
  if (typeof value === 'string' && names.statuses.includes(value)) return value;
  const hint = typeof value === 'string' ? didYouMean(value, names.statuses) : '';
  names.say(path, `${show(value)} is not a status.${hint}`);
  return null;
}

export function readType(path: string, value: unknown, names: Names): string | null {
  if (typeof value === 'string' && names.types.includes(value)) return value;
  const hint = typeof value === 'string' ? didYouMean(value, names.types) : '';
  names.say(path, `${show(value)} is not a type of the table.${hint}`);
  return null;
}

export function readTypes(path: string, value: unknown, names: Names): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    names.say(path, `must be a list of types; it is ${show(value)}`);
    return [];
  }
  return unique(value.map((type, i) => readType(`${path}[${i}]`, type, names)));
}

export function readEffects(path: string, value: unknown, names: Names): string[] {
  if (!Array.isArray(value)) {
    names.say(path, `must be a list of effect names; it is ${show(value)}`);
    return [];
  }
  return unique(
    value.map((effect: unknown, i) => {
      if (typeof effect === 'string' && names.effects.includes(effect)) return effect;
      const hint = typeof effect === 'string' ? didYouMean(effect, names.effects) : '';
      names.say(`${path}[${i}]`, `${show(effect)} has no policy under 'effects'.${hint}`);
      return null;
    }),
  );
}

export function section(path: string, value: unknown, say: Say): Fields {
  if (isFields(value)) return value;
  say(path, value === undefined ? 'is missing' : `must be an object; it is ${show(value)}`);
  return {};
}

export function unknownKeys(path: string, value: Fields, known: string[], say: Say): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) say(`${path}.${key}`, `is not known here.${didYouMean(key, known)}`);
  }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unique = (names: (string | null)[]): string[] => [...new Set(names.filter((name) => name !== null))];

/** A value as a message shows it: short, and never a whole object. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null)
    return `an object with ${Object.keys(value).join(', ') || 'nothing'}`;
  return String(value);
}
