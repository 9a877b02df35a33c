/**
 * What is right field by field and cannot be meant: words of a team's own that its table and its sources do not share.
 * Nothing stops a start for them, as a source may come later; a mistyped word would do nothing in silence.
 */
import { didYouMean } from '../ordering/did-you-mean.ts';
import { NEUTRAL_TYPES } from '../providers/neutral-types.ts';
import type { Config, Source } from './resolved.ts';

const NEUTRAL = new Set<string>(NEUTRAL_TYPES);

/** In the order of the machines and sources, one sentence each. */
export function unsaidTypes({ machines, sources }: Config): string[] {
  return [...machines.values()].flatMap(({ machine }) => {
    const feeding = [...sources.values()].filter((source) => source.machine === machine.name);
    const rows = Object.keys(machine.on);
    const said = new Set([...feeding.flatMap(wordsOf), ...deadlineTypes(machine.statuses)]);
    const rowless = feeding.flatMap((source) =>
      Object.values(source.types).flatMap((type) =>
        typeof type !== 'string' || rows.includes(type)
          ? []
          : [
              `sources.${source.name}.types: machine '${machine.name}' has no row for '${type}', so its events change nothing.${didYouMean(type, rows)}`,
            ],
      ),
    );
    // What a function says is known only when it is called.
    if (feeding.some(({ types }) => Object.values(types).some((type) => typeof type === 'function')))
      return rowless;
    return [
      ...rows
        .filter((type) => !NEUTRAL.has(type) && !said.has(type))
        .map(
          (type) =>
            `machine '${machine.name}' has a row for '${type}', and no source says that: name it under 'types' of the source that does, as { '${type}': '${type}' }.`,
        ),
      ...rowless,
    ];
  });
}

const wordsOf = ({ provider, types }: Source): string[] =>
  [...Object.values(provider.types), ...Object.values(types)].filter((type) => typeof type === 'string');

const deadlineTypes = (statuses: Record<string, { deadline?: { type: string } }>): string[] =>
  Object.values(statuses).flatMap(({ deadline }) => (deadline === undefined ? [] : [deadline.type]));
