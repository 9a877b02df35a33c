/** The request that brought an event first, as far as it is kept; null: there is no such event. */
import { InorderError } from '../errors.ts';
import { showEvents } from '../store/event-listing.ts';
import type { Queryable } from '../store/store.ts';

export interface StoredRequest {
  headers: Record<string, string[]>;
  body: Buffer;
  receivedAtMs: number;
}

export async function storedRequest(
  db: Queryable,
  { source, event }: { source: string; event: string },
): Promise<StoredRequest | null> {
  const [found] = await showEvents(db, { source, event });
  if (found === undefined) return null;
  const first = found.allDeliveries.find(({ secretId }) => secretId !== null);
  if (first === undefined) {
    throw new InorderError(
      'event_unknown',
      `'${event}' was found in the provider's list: no request brought it, so there is no signature to verify.`,
    );
  }
  if (first.body === null) {
    throw new InorderError('event_unknown', `The body of '${event}' is not kept any more.`);
  }
  const headers = Object.entries(first.headers).map(([name, value]): [string, string[]] => [name, [value]]);
  return {
    headers: Object.fromEntries(headers),
    body: first.body,
    receivedAtMs: Date.parse(first.receivedAt),
  };
}
