/** Which effects a command is about: the filters that list and verbs share. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { EFFECT_STATES } from '../effects/row.ts';
import type { EffectState } from '../effects/row.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import { parseDurationMs } from '../ordering/duration.ts';
import type { EffectFilter } from '../store/effect-listing.ts';

export interface EffectFilterOptions {
  state?: EffectState[];
  name?: string;
  order?: string;
  machine?: string;
  environment?: string;
  olderThan?: number;
}

export const withEffectFilter = (command: Command, states: readonly EffectState[]): Command =>
  command
    .option(
      '--state <states>',
      `in one of these states, with commas: ${states.join(', ')}`,
      statesAmong(states),
    )
    .option('--name <effect>', 'of this name')
    .option('--order <id>', 'of this order')
    .option('--machine <name>', 'of this machine')
    .option('--environment <name>', 'of this environment')
    .option('--older-than <duration>', "asked for longer ago than this ('1h')", duration);

export function filterOf({
  state,
  olderThan,
  name,
  order,
  machine,
  environment,
}: EffectFilterOptions): Omit<EffectFilter, 'limit'> {
  const equal = { name, order, machine, environment };
  return {
    ...Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
    ...(state === undefined ? {} : { states: state }),
    ...(olderThan === undefined ? {} : { olderThanMs: olderThan }),
  };
}

function statesAmong(allowed: readonly EffectState[]): (text: string) => EffectState[] {
  return (text) => {
    const words = text.split(',').map((word) => word.trim());
    for (const word of words) {
      if ((allowed as readonly string[]).includes(word)) continue;
      const isState = (EFFECT_STATES as readonly string[]).includes(word);
      const why = isState ? 'This cannot be done to effects that are' : 'There is no state';
      throw new InvalidArgumentError(
        `${why} '${word}'. Allowed are ${allowed.join(', ')}.${didYouMean(word, [...allowed])}`,
      );
    }
    return words as EffectState[];
  };
}

function duration(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === null)
    throw new InvalidArgumentError("It must be a duration with a unit, such as '15m' or '2h'.");
  return ms;
}
