/**
 * Judging how a world ended. True, or visibly in doubt: an ending that differs from the truth must have attention,
 * and one that needs nobody must have done everything once.
 */
import type { Machine } from '../machine.ts';
import type { Facts } from '../state.ts';
import { factOf } from './model.ts';
import type { Happening, Model, World } from './model.ts';

export interface Truth {
  /** Every status that is right: more than one where it depends on which stream is heard first; null: unknown. */
  endings: string[] | null;
  /** Effects counted by what happened (each refund) that must have been asked for, as `countedEffects` names them. */
  counted?: string[];
  /** The statuses that any reading of the story leads through. */
  passed: string[];
  /** The happening that led into the last status, if one did. */
  last: Happening | null;
  /** What is right where a deadline acted. */
  expired?: true;
}

/** What is wrong with a world at rest; nothing when all is well. `isAsked`: a person is asked. */
export function judgeRest(
  model: Model,
  world: World,
  truth: Truth,
): { problems: string[]; isAsked: boolean } {
  const { state } = world;
  const isAsked = state.attention.length > 0;
  const problems = [...world.faults];
  for (const [key, stream] of Object.entries(state.streams))
    for (const held of stream.held)
      if (!isAsked) problems.push(`${held.event} of ${key} is still held (${held.reason})`);
  problems.push(...refundProblems(model, world));
  for (const effect of Object.values(world.effects))
    if (!truth.passed.includes(effect.status) && !isStayEffect(model.machine, effect.name))
      problems.push(`${effect.name} for ${effect.status}, which the order never was in`);
  if (isAsked || world.isResolved) return { problems, isAsked };
  // A deadline that acted is inorder's own doing, unless it is known what it leads to.
  if (world.expiredAfter !== null && truth.expired !== true) return { problems, isAsked };
  if (hasTrace(model, world)) return { problems, isAsked };
  if (truth.endings?.includes(state.status) === false)
    problems.push(`the order is ${state.status} and should be ${truth.endings.join(' or ')}`);
  else problems.push(...effectProblems(model, world, truth));
  const counted = truth.counted === undefined ? [] : countedEffects(model.machine, world);
  for (const effect of truth.counted ?? [])
    if (!counted.includes(effect)) problems.push(`${effect} is missing`);
  return { problems, isAsked };
}

/** What led on from where a deadline led, or was booked, is not hidden by it. */
const hasTrace = ({ machine }: Model, world: World): boolean =>
  world.expiredTo !== null &&
  (world.expiredTo !== world.state.status || countedEffects(machine, world).length > 0);

/** The effects that are counted by a fact or an event, not once per order: the books. */
export function countedEffects(machine: Machine, world: World): string[] {
  return Object.values(world.effects)
    .filter(({ name }) => machine.effects[name]?.once !== 'order')
    .map(({ name, once }) => `${name} for ${once}`)
    .sort();
}

/** The last status's effects are there, each once. */
function effectProblems({ machine }: Model, world: World, truth: Truth): string[] {
  const { status } = world.state;
  const { last } = truth;
  if (last === null || status === machine.initial) return [];
  return (machine.statuses[status]?.effects ?? []).flatMap((name) => {
    const once = machine.effects[name]?.once ?? 'order';
    const key = `${name} ${onceOf(once, last)}`;
    if (world.effects[key] === undefined) return [`${key} is missing`];
    return [];
  });
}

function onceOf(once: string, { stream, type, facts }: Happening): string {
  if (once === 'order') return 'order';
  const named = once === 'event' ? undefined : facts[once.slice('facts.'.length)];
  return named ?? `${stream}|${factOf(type, facts)}`;
}

/** No effect that is counted by a fact runs for a fact that nothing of the story has, nor without the fact. */
function refundProblems({ machine, story }: Model, world: World): string[] {
  return Object.values(world.effects).flatMap(({ name, once }) => {
    const policy = machine.effects[name]?.once ?? 'order';
    if (!policy.startsWith('facts.')) return [];
    const fact = policy.slice('facts.'.length);
    const known = story.some(({ facts }: { facts: Facts }) => facts[fact] === once);
    return known ? [] : [`${name} ran for ${once}`];
  });
}

const isStayEffect = (machine: Machine, name: string) =>
  Object.values(machine.on).some((row) =>
    Object.values(row).some((cell) => JSON.stringify(cell).includes(`"${name}"`)),
  );
