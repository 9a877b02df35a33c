/**
 * Asks a provider about one stream. Runs on the source's own task queue, which paces it, and touches no store, so
 * that no transaction can be open while it waits (R28).
 *
 * 1. Every end of a question is a returned value: a provider that is down, slow, wrong or gone is ordinary. Only a
 *    question that can never be asked (a bug) throws.
 * 2. `asOf` is the instant before the first request left, so that an answer never claims to know what happened
 *    while it was under way.
 * 3. An answer that cannot be read is no answer; one that speaks of another order decides nothing of this one.
 */
import type { Config, Source } from '../src/config/resolved.ts';
import { whereThrown } from '../src/where-thrown.ts';
import { InorderError } from '../src/errors.ts';
import type { Log } from '../src/log.ts';
import type { Answer } from '../src/ordering/state.ts';
import { ApiUnavailable, createApiClient } from '../src/providers/api-client.ts';
import type { ApiClient, ProviderSnapshot } from '../src/providers/provider.ts';
import { readAnswer } from '../src/providers/read-answer.ts';
import type { AskInput } from './order-activities.ts';

export interface AskDependencies {
  config: Config;
  log: Log;
  /** On the clock of the order's workflow, before the first request leaves. */
  now: () => number;
  /** How a source's API is read; for whoever plays it in memory. */
  clientOf?: (source: Source) => ApiClient;
}

export function createAsk({
  config,
  log,
  now,
  clientOf,
}: AskDependencies): (input: AskInput) => Promise<Answer> {
  return async ({ key, stream }) => {
    const { source, object } = splitStream(stream);
    const asked = sourceToAsk(config, source, clientOf);
    const { provider } = asked.source;
    if (provider.fetch === undefined) {
      throw new InorderError('internal', `the provider of source ${source} cannot be asked about an object`);
    }
    const asOf = now();
    let answer: ProviderSnapshot | 'gone';
    try {
      answer = await provider.fetch(asked.api, object, asked.source.settings);
      if (answer === 'gone') return { kind: 'gone', stream, asOf };
      if (answer.order !== undefined && answer.order !== key.id) {
        return { kind: 'other', stream, asOf, order: answer.order };
      }
      const { types } = asked.source;
      return { kind: 'snapshot', snapshot: readAnswer(answer, { stream, asOf, types }) };
    } catch (thrown) {
      return { kind: 'unavailable', stream, asOf, ...unavailable(thrown, source, log) };
    }
  };
}

/** The short words for "not known now". An adapter's own exceptions count among them, and are logged. */
export function unavailable(
  thrown: unknown,
  source: string,
  log: Log,
): { error: string; retryAfterMs: number | null } {
  if (thrown instanceof ApiUnavailable) return { error: thrown.message, retryAfterMs: thrown.retryAfterMs };
  const reason = thrown instanceof InorderError ? thrown.message : whereThrown(thrown);
  log.warn({ source, reason }, 'an answer could not be read');
  if (thrown instanceof InorderError) return { error: reason, retryAfterMs: null };
  return { error: `the adapter could not read the answer (${reason})`, retryAfterMs: null };
}

export function sourceToAsk(
  config: Config,
  name: string,
  clientOf?: AskDependencies['clientOf'],
): { source: Source; api: ApiClient } {
  const source = config.sources.get(name);
  if (source === undefined) {
    throw new InorderError('internal', `source ${name} is not in this worker's configuration`);
  }
  if (source.api === null) throw new InorderError('internal', `source ${name} has no API to ask`);
  return { source, api: clientOf?.(source) ?? createApiClient(source.api) };
}

/** A source's name holds no slash, an object may. */
function splitStream(stream: string): { source: string; object: string } {
  const slash = stream.indexOf('/');
  if (slash < 1) throw new InorderError('internal', 'a stream is written <source>/<object>');
  return { source: stream.slice(0, slash), object: stream.slice(slash + 1) };
}
