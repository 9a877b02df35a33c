/**
 * Asks a provider which objects belong to an order. What it finds are names to ask about, never states: a listing
 * settles nothing. Ends are returned as in `ask.ts`.
 */
import { InorderError } from '../src/errors.ts';
import { sourceToAsk, unavailable } from './ask.ts';
import type { AskDependencies } from './ask.ts';
import type { FindInput, FindResult } from './order-activities.ts';

export function createFind({
  config,
  log,
  clientOf,
}: AskDependencies): (input: FindInput) => Promise<FindResult> {
  return async ({ key, source }) => {
    const asked = sourceToAsk(config, source, clientOf);
    const { provider, settings } = asked.source;
    if (provider.find === undefined) {
      throw new InorderError('internal', `the provider of source ${source} cannot list an order's objects`);
    }
    try {
      const objects = await provider.find(asked.api, key.id, settings);
      return { kind: 'found', source, streams: [...new Set(objects)].map((object) => `${source}/${object}`) };
    } catch (thrown) {
      return { kind: 'unavailable', source, ...unavailable(thrown, source, log) };
    }
  };
}
