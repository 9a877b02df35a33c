import type { Config, Source } from '../config/resolved.ts';
import { InorderError } from '../errors.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';

/** The source that a person means by its name. */
export function findSource(config: Config, name: string): Source {
  const source = config.sources.get(name);
  if (source !== undefined) return source;
  const known = [...config.sources.keys()];
  throw new InorderError(
    'usage',
    `There is no source '${name}'.${didYouMean(name, known) || ` There are: ${known.join(', ')}.`}`,
  );
}
