/**
 * Reads one page of a source's list and lets what it names in by the door that webhooks use: the same normalising,
 * the same commit, the same dispatch, without a signature to check. Runs on the source's own task queue: one request
 * per activity, so that the server's pace of the queue is the pace of the API, whoever asks.
 *
 * 1. What is stored already under its id, with the same news, changes nothing: no row, no delivery, no signal.
 * 2. The cursor is turned after the commit that holds the page. Run again from any instruction, an attempt finds the
 *    events it stored, and turns the page that is still to be turned.
 * 3. What nobody wants is not stored. It would be archived at the door; a list is full of it.
 * 4. A list that comes back to a page of before has no end: what it names is stored, and its cursor stays.
 * 5. Every end of the question is a returned value. What is thrown (the store is away) is tried again by Temporal.
 */
import { hash } from 'node:crypto';
import type { Config, Source } from '../src/config/resolved.ts';
import type { Dispatch } from '../src/dispatch/dispatch.ts';
import { InorderError } from '../src/errors.ts';
import type { Log } from '../src/log.ts';
import type { Metrics } from '../src/metrics.ts';
import type { Machine } from '../src/ordering/machine.ts';
import { ApiUnavailable } from '../src/providers/api-client.ts';
import type { ListedItem, ListedPage } from '../src/providers/provider.ts';
import { isRefusal } from '../src/providers/provider.ts';
import { isSameNews } from '../src/receiver/conflict.ts';
import type { GroupCommit } from '../src/receiver/group-commit.ts';
import { normalise } from '../src/receiver/normalise.ts';
import { toOffer } from '../src/receiver/to-offer.ts';
import { noteFailure, restartWindow, turnPage } from '../src/store/cursors.ts';
import { LISTED, selectKnown } from '../src/store/events.ts';
import type { NewEvent } from '../src/store/events.ts';
import type { Store } from '../src/store/store.ts';
import type { ListingCounts } from '../workflows/messages.ts';
import { sourceToAsk, unavailable } from './ask.ts';
import type { ListingActivities, ListPageInput, ListPageResult } from './listing-activities.ts';

export interface ListPageDependencies {
  config: Config;
  store: Store;
  groupCommit: Pick<GroupCommit, 'add'>;
  dispatch: Pick<Dispatch, 'offer'>;
  metrics: Pick<Metrics, 'listed'>;
  log: Log;
  now: () => number;
  /** Only crash tests pass one that does anything. */
  at: (point: string) => Promise<void>;
}

/** Answers that mean that the cursor, and not the API, is what is wrong. */
const UNKNOWN_CURSOR = new Set([400, 404, 410, 422]);

export function createListPage(deps: ListPageDependencies): ListingActivities['listPage'] {
  const { config, store, metrics, at } = deps;
  return async (input) => {
    const read = await readPage(deps, input);
    if ('kind' in read) return read;
    await at('list.read');
    const source = config.sources.get(input.source) as Source;
    const { events, counts } = sort(source, machineOf(config, source), read.items, deps.now());
    const fresh = await withoutKnown(store, events);
    counts.known = events.length - fresh.length;
    counts.found = fresh.length;
    if (input.by !== 'dry run') await enter(deps, fresh, counts);
    await at('list.stored');
    if (goesRound(read.next, input)) {
      if (input.by === 'schedule') await noteFailure(store, input.source, ROUND);
      return { kind: 'endless', error: ROUND };
    }
    if (input.by === 'schedule') await turnPage(store, input.source, { ...input, next: read.next });
    await at('list.turned');
    if (input.by !== 'dry run') metrics.listed(input.source, counts);
    return { kind: 'page', next: read.next, counts };
  };
}

/** (4) */
const ROUND = 'the list goes round: a page was named as the next one that was read before';

function goesRound(next: string | null, { page, before = null }: ListPageInput): boolean {
  return next !== null && (next === page || next === before);
}

async function readPage(
  { config, store, log }: ListPageDependencies,
  { source: name, window, page, by }: ListPageInput,
): Promise<ListedPage | Exclude<ListPageResult, { kind: 'page' }>> {
  const { source, api } = sourceToAsk(config, name);
  const { provider, settings } = source;
  if (provider.list === undefined) throw new InorderError('internal', `source ${name} lists nothing`);
  try {
    return await provider.list(api, { ...window, cursor: page }, settings);
  } catch (thrown) {
    const { error, retryAfterMs } = unavailable(thrown, name, log);
    if (page !== null && thrown instanceof ApiUnavailable && UNKNOWN_CURSOR.has(thrown.status ?? 0)) {
      if (by === 'schedule') await restartWindow(store, name, window);
      return { kind: 'restart', error };
    }
    if (by === 'schedule') await noteFailure(store, name, error);
    return { kind: 'unavailable', error, retryAfterMs };
  }
}

function machineOf(config: Config, source: Source): Machine {
  const configured = config.machines.get(source.machine);
  if (configured === undefined) throw new InorderError('internal', `source ${source.name} has no machine`);
  return configured.machine;
}

/** (3) An event that a mapping broke on is kept, as at the door. */
function sort(
  source: Source,
  machine: Machine,
  items: readonly ListedItem[],
  receivedAtMs: number,
): { events: NewEvent[]; counts: ListingCounts } {
  const counts: ListingCounts = { listed: items.length, known: 0, found: 0, unwanted: 0, unreadable: 0 };
  const events: NewEvent[] = [];
  for (const { parsed, body } of items) {
    const fingerprint = hash('sha256', body, 'buffer');
    const record = { source, machine, receivedAtMs, headers: {}, fingerprint, secretId: LISTED, body };
    const event = isRefusal(parsed) ? parsed : normalise(parsed, record);
    if (isRefusal(event)) counts[event.refused === 'type_unknown' ? 'unwanted' : 'unreadable'] += 1;
    else if (event.outcome === null || event.outcome === 'failed') events.push(event);
    else counts.unwanted += 1;
  }
  return { events, counts };
}

/** (1) The usual page is known as a whole, and costs this one statement. */
async function withoutKnown(store: Store, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const known = new Map((await selectKnown(store, events)).map((row) => [row.eventId, row]));
  return events.filter((event) => {
    const row = known.get(event.eventId);
    return row === undefined || !isSameNews(row, event);
  });
}

async function enter(
  { groupCommit, dispatch }: ListPageDependencies,
  events: readonly NewEvent[],
  counts: ListingCounts,
): Promise<void> {
  if (events.length === 0) return;
  const stored = await groupCommit.add(events);
  // A webhook was quicker, between the look and the commit.
  const known = stored.filter(({ kind }) => kind === 'known').length;
  counts.known += known;
  counts.found -= known;
  dispatch.offer(toOffer(events, stored));
}
