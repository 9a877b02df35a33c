/** Reads the rows of the table: cells, and the rules for late events. */
import { didYouMean } from '../did-you-mean.ts';
import type { Cell, LateRule, SimpleCell } from '../machine.ts';
import { isFields, readEffects, readStatus, readType, section, show, unknownKeys } from './names.ts';
import type { Fields, Names } from './names.ts';

export function readRow(path: string, value: unknown, names: Names): Record<string, Cell> {
  if (!isFields(value)) {
    names.say(path, `must be a row { <status>: <cell>, else: <cell> }; it is ${show(value)}`);
    return {};
  }
  const row: Record<string, Cell> = {};
  for (const [status, written] of Object.entries(value)) {
    // `payment_failed: undefined` is what a config gets from an optional value: the same as absent.
    if (written === undefined) continue;
    if (status !== 'else' && !names.statuses.includes(status)) {
      names.say(`${path}.${status}`, `is not a status.${didYouMean(status, [...names.statuses, 'else'])}`);
      continue;
    }
    const cell = readCell(`${path}.${status}`, written, names);
    if (cell !== null) row[status] = cell;
  }
  return row;
}

function readCell(path: string, value: unknown, names: Names): Cell | null {
  if (isFields(value) && ('own' in value || 'other' in value)) {
    unknownKeys(path, value, ['own', 'other'], names.say);
    const own = readSimpleCell(`${path}.own`, value['own'], names);
    const other = readSimpleCell(`${path}.other`, value['other'], names);
    return own === null || other === null ? null : { own, other };
  }
  return readSimpleCell(path, value, names);
}

function readSimpleCell(path: string, value: unknown, names: Names): SimpleCell | null {
  if (typeof value === 'string') return readStatus(path, value, names);
  if (isFields(value)) {
    if ('ignore' in value && onlyKeys(value, ['ignore'])) {
      return readReason(path, 'ignore', value['ignore'], names)
        ? { ignore: value['ignore'] as string }
        : null;
    }
    if ('review' in value && onlyKeys(value, ['review'])) {
      return readReason(path, 'review', value['review'], names)
        ? { review: value['review'] as string }
        : null;
    }
    if ('stay' in value && onlyKeys(value, ['stay', 'effects'])) {
      const effects = readEffects(`${path}.effects`, value['effects'], names);
      return readReason(path, 'stay', value['stay'], names)
        ? { stay: value['stay'] as string, effects }
        : null;
    }
  }
  const called = typeof value === 'function' ? "; call the word with its reason, as ignore('why')" : '';
  names.say(
    path,
    `must be a status, ignore('why'), review('why'), stay('why', [effects]) or { own, other }; ` +
      `it is ${show(value)}${called}`,
  );
  return null;
}

export function readLate(type: string, value: unknown, names: Names): Record<string, LateRule> {
  readType(`late['${type}']`, type, names);
  const rules: Record<string, LateRule> = {};
  for (const [status, rule] of Object.entries(section(`late['${type}']`, value, names.say))) {
    const path = `late['${type}'].${status}`;
    if (readStatus(path, status, names) === null) continue;
    if (rule === 'ignore' || rule === 'alert' || rule === 'ask') rules[status] = rule;
    else if (isFields(rule) && 'review' in rule && onlyKeys(rule, ['review'])) {
      if (readReason(path, 'review', rule['review'], names))
        rules[status] = { review: rule['review'] as string };
    } else if (isFields(rule) && 'effects' in rule && onlyKeys(rule, ['effects'])) {
      rules[status] = { effects: readEffects(`${path}.effects`, rule['effects'], names) };
    } else {
      names.say(
        path,
        `must be 'ignore', 'alert', 'ask', review('why') or { effects: [names] }; it is ${show(rule)}`,
      );
    }
  }
  return rules;
}

function readReason(path: string, word: string, reason: unknown, names: Names): boolean {
  if (typeof reason === 'string' && reason.trim() !== '') return true;
  names.say(path, `needs a reason people can read: ${word}('why'); it is ${show(reason)}`);
  return false;
}

const onlyKeys = (value: Fields, keys: string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));
