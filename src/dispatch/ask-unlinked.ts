/**
 * Finds the order of events that name none (R11): links made by other events are tried by the sweeper; this chore
 * asks the provider about the object itself once the event has waited a while.
 *
 * Limits: at most a quarter of what the provider allows per second, one request at a time and source; ten
 * questions per event, with growing pauses, then it stays unlinked for a person. The answer's order is the only
 * thing that is used: an answer decides an order's state only when its own workflow asked.
 */
import type { Source } from '../config/resolved.ts';
import type { Log } from '../log.ts';
import { ApiUnavailable, createApiClient } from '../providers/api-client.ts';
import type { ApiClient } from '../providers/provider.ts';
import type { UnlinkedObject } from '../store/unlinked-claims.ts';
import { createChore } from './chore.ts';
import type { Chore } from './chore.ts';

const EVERY_MS = 1_000;
const ASK_AFTER_MS = 10_000;

export interface AskUnlinkedDeps {
  sources: Iterable<Source>;
  claims: {
    claim(query: { source: string; olderThanMs: number; limit: number }): Promise<UnlinkedObject[]>;
    uncount(object: UnlinkedObject): Promise<void>;
  };
  link: (object: UnlinkedObject, order: string) => Promise<void>;
  log: Pick<Log, 'info' | 'warn'>;
  askAfterMs?: number;
  everyMs?: number;
}

interface Asked {
  source: Source;
  api: ApiClient;
  perRound: number;
}

export function createUnlinkedAsker(deps: AskUnlinkedDeps): Chore {
  const { claims, link, log, askAfterMs = ASK_AFTER_MS, everyMs = EVERY_MS } = deps;
  const asked = [...deps.sources].flatMap((source): Asked[] => {
    if (source.api === null || !(source.policy.api || source.provider.orderOf !== undefined)) return [];
    const perRound = Math.max(1, Math.floor((source.api.perSecond * everyMs) / 4_000));
    return [{ source, api: createApiClient(source.api), perRound }];
  });

  return createChore({
    name: 'search for the orders of unlinked events',
    everyMs,
    log,
    run: async (isStopping) => {
      // Sources do not wait for each other: one slow provider is its own trouble.
      await Promise.all(
        asked.map(async ({ source, api, perRound }) => {
          const query = { source: source.name, olderThanMs: askAfterMs, limit: perRound };
          for (const object of await claims.claim(query)) {
            if (isStopping()) {
              await claims.uncount(object);
              continue;
            }
            const answer = await orderOf(source, api, object, log);
            if (answer === 'unavailable') await claims.uncount(object);
            else if (answer !== null) await link(object, answer.order);
          }
        }),
      );
      return false;
    },
  });
}

/** null: the provider knows no order of it. */
export async function orderOf(
  source: Source,
  api: ApiClient,
  { object }: Pick<UnlinkedObject, 'object'>,
  log: Pick<Log, 'warn'>,
): Promise<{ order: string } | null | 'unavailable'> {
  try {
    const { provider, settings } = source;
    if (provider.orderOf !== undefined) {
      const order = await provider.orderOf(api, object, settings);
      return order === null ? null : { order };
    }
    const answer = await provider.fetch?.(api, object, settings);
    if (answer === undefined || answer === 'gone' || answer.order === undefined) return null;
    return { order: answer.order };
  } catch (thrown) {
    if (thrown instanceof ApiUnavailable) return 'unavailable';
    // The message of a stranger's error may quote the answer (R4).
    const name = thrown instanceof Error ? thrown.name : typeof thrown;
    log.warn({ source: source.name, reason: name }, 'an answer about an unlinked object could not be read');
    return null;
  }
}
