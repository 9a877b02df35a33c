/**
 * Checks a machine and brings it into the form the core works with. Pure, and ready for anything: a config
 * file runs without a type checker, so every shape is looked at before it is used. It never stops at the first
 * problem; each message names the place inside the definition and what to do.
 *
 * What is found by walking the whole table (paths, cycles, names nobody uses) lives in `check/table.ts`.
 */
import { checkTable } from './check/table.ts';
import { didYouMean } from './did-you-mean.ts';
import { parseDurationMs } from './duration.ts';
import type {
  Cell,
  EffectPolicy,
  LateRule,
  Machine,
  MachineDeadline,
  MachineDefinition,
  SimpleCell,
} from './machine.ts';

export type CompiledMachine = { machine: Machine } | { problems: string[] };

type Fields = Record<string, unknown>;

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const STATUS = /^[a-z][a-z0-9_]{0,62}$/;
const TYPE = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/;
const EFFECT = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;
const ONCE = /^(order|event|facts\.[A-Za-z][A-Za-z0-9_]*)$/;
/** Words with a meaning of their own inside a row, and names that every object answers to. */
const RESERVED = new Set(['else', 'own', 'other', 'ignore', 'review', 'stay', 'inorder', 'constructor']);

const KEYS = {
  machine: 'name version initial statuses effects on late ahead stepsBack unlisted renamed'.split(' '),
  status: ['deadline', 'effects'],
  deadline: ['after', 'type', 'unasked'],
  effect: ['once', 'whenPassed', 'sensitive', 'validIn'],
};

export function compileMachine(definition: MachineDefinition): CompiledMachine {
  const problems: string[] = [];
  const say = (path: string, message: string): void => void problems.push(`${path}: ${message}`);

  if (!isFields(definition)) return { problems: ['machine: is not an object; write defineMachine({ … })'] };
  const written: Fields = definition;
  unknownKeys('machine', written, KEYS.machine, say);

  const name = typeof written['name'] === 'string' ? written['name'] : '';
  if (!NAME.test(name))
    say('name', `must be small letters, digits, '-' or '_', at most 63; it is ${show(written['name'])}`);
  const version = written['version'];
  if (!Number.isSafeInteger(version) || (version as number) < 1) {
    say('version', `must be a whole number from 1; it is ${show(version)}`);
  }
  const unlisted = written['unlisted'] ?? null;
  if (unlisted !== null && unlisted !== 'ask' && unlisted !== 'review' && unlisted !== 'ignore') {
    say('unlisted', `must be 'ask', 'review' or 'ignore'; it is ${show(unlisted)}`);
  }

  const statuses = section('statuses', written['statuses'], say);
  const effects = section('effects', written['effects'], say);
  const on = section('on', written['on'], say);
  const names: Names = {
    statuses: Object.keys(statuses),
    effects: Object.keys(effects),
    types: Object.keys(on),
    say,
  };
  checkNames('statuses', names.statuses, STATUS, "small letters, digits and '_'", say);
  checkNames('effects', names.effects, EFFECT, "letters, digits, '-' and '_'", say);
  checkNames('on', names.types, TYPE, "words of small letters, joined by '.'", say);

  const initial = readStatus('initial', written['initial'], names);
  const machine: Machine = {
    name,
    version: version as number,
    initial: initial ?? '',
    statuses: {},
    effects: {},
    on: {},
    late: {},
    ahead: readTypes('ahead', written['ahead'], names),
    stepsBack: readTypes('stepsBack', written['stepsBack'], names),
    unlisted: unlisted as Machine['unlisted'],
    renamed: {},
  };
  for (const status of names.statuses) {
    machine.statuses[status] = readStatusDefinition(`statuses.${status}`, statuses[status], names);
  }
  for (const effect of names.effects) {
    const policy = readEffect(`effects.${effect}`, effects[effect], names);
    if (policy) machine.effects[effect] = policy;
  }
  for (const type of names.types) machine.on[type] = readRow(`on['${type}']`, on[type], names);
  for (const [type, rules] of Object.entries(section('late', written['late'] ?? {}, say))) {
    machine.late[type] = readLate(type, rules, names);
  }
  for (const [old, now] of Object.entries(section('renamed', written['renamed'] ?? {}, say))) {
    if (names.statuses.includes(old)) say(`renamed.${old}`, 'is still a status of this version');
    const status = readStatus(`renamed.${old}`, now, names);
    if (status !== null) machine.renamed[old] = status;
  }

  // The walk over the table needs a table that can be read at all.
  if (problems.length === 0) problems.push(...checkTable(machine));
  return problems.length > 0 ? { problems } : { machine };
}

type Say = (path: string, message: string) => void;
interface Names {
  statuses: string[];
  effects: string[];
  types: string[];
  say: Say;
}

function readStatusDefinition(path: string, value: unknown, names: Names): Machine['statuses'][string] {
  if (!isFields(value)) {
    names.say(path, `must be an object, {} when nothing is to be said; it is ${show(value)}`);
    return { effects: [] };
  }
  unknownKeys(path, value, KEYS.status, names.say);
  const effects =
    value['effects'] === undefined ? [] : readEffects(`${path}.effects`, value['effects'], names);
  const deadline =
    value['deadline'] === undefined ? null : readDeadline(`${path}.deadline`, value['deadline'], names);
  return deadline ? { deadline, effects } : { effects };
}

function readDeadline(path: string, value: unknown, names: Names): MachineDeadline | null {
  if (!isFields(value)) {
    names.say(path, `must be { after: '24h', type: '…' }; it is ${show(value)}`);
    return null;
  }
  unknownKeys(path, value, KEYS.deadline, names.say);
  const after = value['after'];
  const afterMs = typeof after === 'string' ? parseDurationMs(after) : null;
  if (afterMs === null || afterMs <= 0) {
    names.say(
      `${path}.after`,
      `must be a duration such as '30s', '15m', '24h' or '7d'; it is ${show(after)}`,
    );
  }
  const type = readType(`${path}.type`, value['type'], names);
  const unasked = value['unasked'] ?? 'review';
  if (unasked !== 'review' && unasked !== 'act') {
    names.say(`${path}.unasked`, `must be 'review' or 'act'; it is ${show(unasked)}`);
    return null;
  }
  return afterMs === null || type === null ? null : { afterMs, type, unasked };
}

function readEffect(path: string, value: unknown, names: Names): EffectPolicy | null {
  if (!isFields(value)) {
    names.say(path, `must be { once, whenPassed }; it is ${show(value)}`);
    return null;
  }
  unknownKeys(path, value, KEYS.effect, names.say);
  const { once, whenPassed, sensitive, validIn } = value as Partial<Record<keyof EffectPolicy, unknown>>;
  if (typeof once !== 'string' || !ONCE.test(once)) {
    const given = once === undefined ? 'it is missing' : `it is ${show(once)}`;
    names.say(
      `${path}.once`,
      `must say what one run is counted by: 'order', 'event' or 'facts.<name>'; ${given}. ` +
        'A status can be entered again, so there is no safe guess',
    );
  }
  if (whenPassed !== 'run' && whenPassed !== 'skip') {
    const given = whenPassed === undefined ? 'it is missing' : `it is ${show(whenPassed)}`;
    names.say(
      `${path}.whenPassed`,
      `must say what happens when the status was passed unseen: 'run' or 'skip'; ${given}`,
    );
  }
  if (sensitive !== undefined && typeof sensitive !== 'boolean') {
    names.say(`${path}.sensitive`, `must be true or false; it is ${show(sensitive)}`);
  }
  const policy = { once, whenPassed } as EffectPolicy;
  if (sensitive === true) policy.sensitive = true;
  if (validIn !== undefined) {
    if (!Array.isArray(validIn) || validIn.length === 0) {
      names.say(`${path}.validIn`, 'must list at least one status, or be left out');
    } else {
      const known = validIn.map((status, i) => readStatus(`${path}.validIn[${i}]`, status, names));
      policy.validIn = known.filter((status) => status !== null);
    }
  }
  return policy;
}

function readRow(path: string, value: unknown, names: Names): Record<string, Cell> {
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

function readLate(type: string, value: unknown, names: Names): Record<string, LateRule> {
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

function readStatus(path: string, value: unknown, names: Names): string | null {
  if (typeof value === 'string' && names.statuses.includes(value)) return value;
  const hint = typeof value === 'string' ? didYouMean(value, names.statuses) : '';
  names.say(path, `${show(value)} is not a status.${hint}`);
  return null;
}

function readType(path: string, value: unknown, names: Names): string | null {
  if (typeof value === 'string' && names.types.includes(value)) return value;
  const hint = typeof value === 'string' ? didYouMean(value, names.types) : '';
  names.say(path, `${show(value)} is not a type of the table.${hint}`);
  return null;
}

function readTypes(path: string, value: unknown, names: Names): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    names.say(path, `must be a list of types; it is ${show(value)}`);
    return [];
  }
  return unique(value.map((type, i) => readType(`${path}[${i}]`, type, names)));
}

function readEffects(path: string, value: unknown, names: Names): string[] {
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

function section(path: string, value: unknown, say: Say): Fields {
  if (isFields(value)) return value;
  say(path, value === undefined ? 'is missing' : `must be an object; it is ${show(value)}`);
  return {};
}

function checkNames(path: string, names: string[], pattern: RegExp, allowed: string, say: Say): void {
  for (const name of names) {
    if (RESERVED.has(name)) say(`${path}.${name}`, 'is a reserved word; choose another name');
    else if (!pattern.test(name)) say(`${path}.${name}`, `names are made of ${allowed}`);
  }
  if (names.length === 0 && path !== 'effects') say(path, 'is empty');
}

function unknownKeys(path: string, value: Fields, known: string[], say: Say): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) say(`${path}.${key}`, `is not known here.${didYouMean(key, known)}`);
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const onlyKeys = (value: Fields, keys: string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));
const unique = (names: (string | null)[]): string[] => [...new Set(names.filter((name) => name !== null))];

/** A value as a message shows it: short, and never a whole object. */
function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null)
    return `an object with ${Object.keys(value).join(', ') || 'nothing'}`;
  return String(value);
}
