/**
 * Checks a machine and brings it into the form the core works with. Pure, and ready for anything: a config
 * file runs without a type checker, so every shape is looked at before it is used. It never stops at the first
 * problem; each message names the place inside the definition and what to do.
 *
 * What is found by walking the whole table (paths, cycles, names nobody uses) lives in `check/table.ts`.
 */
import { checkTable } from './check/table.ts';
import { checkNames, isFields, readStatus, readTypes, section, show, unknownKeys } from './check/names.ts';
import type { Names, Say } from './check/names.ts';
import { readEffect, readStatusDefinition } from './check/read-policy.ts';
import { readLate, readRow } from './check/read-row.ts';
import type { Machine, MachineDefinition } from './machine.ts';

export type CompiledMachine = { machine: Machine } | { problems: string[] };

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const STATUS = /^[a-z][a-z0-9_]{0,62}$/;
const TYPE = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/;
const EFFECT = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;
const KEYS = 'name version initial statuses effects on late ahead stepsBack unlisted renamed'.split(' ');

export function compileMachine(definition: MachineDefinition): CompiledMachine {
  const problems: string[] = [];
  const say: Say = (path, message) => void problems.push(`${path}: ${message}`);

  if (!isFields(definition)) return { problems: ['machine: is not an object; write defineMachine({ … })'] };
  const written: Record<string, unknown> = definition;
  unknownKeys('machine', written, KEYS, say);

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
