/**
 * Stripe's list of events: what its webhooks told, for thirty days. Only the types that somebody wants are asked for,
 * in as many lists as their number needs; a page's cursor says which list and where in it.
 *
 * docs.stripe.com/api/events/list: newest first, `types` holds at most twenty, `created` is in whole seconds.
 */
import type { ApiClient, ListedPage, ListRequest, SourceSettings } from '../provider.ts';
import { checkMode, pageOf, unusable, withQuery } from './api.ts';
import { referenceOf } from './fields.ts';
import { parseEvent } from './parse.ts';
import { types } from './types.ts';

const PAGE = '100';
const MAX_TYPES = 20;

export async function list(
  api: ApiClient,
  { sinceMs, untilMs, cursor }: ListRequest,
  settings: SourceSettings,
): Promise<ListedPage> {
  const lists = wantedTypes(settings);
  const { at, after } = placeOf(cursor);
  const wanted = lists[at];
  if (wanted === undefined) return { items: [], next: null };
  const answer = await api.get(
    withQuery('/v1/events', [
      ['created[gte]', String(Math.floor(sinceMs / 1_000))],
      ['created[lt]', String(Math.ceil(untilMs / 1_000))],
      ['limit', PAGE],
      ...wanted.map((type) => ['types[]', type]),
      ...(after === null ? [] : [['starting_after', after]]),
    ]),
  );
  if (answer.status === 'gone') throw unusable('is not there: its events are not listed');
  const { objects, hasMore } = pageOf(answer.body);
  const items = objects.map((event) => {
    checkMode(event, settings);
    return { parsed: parseEvent(event, settings), body: Buffer.from(JSON.stringify(event)) };
  });
  return { items, next: hasMore ? `${at}:${lastOf(objects)}` : at + 1 < lists.length ? `${at + 1}:` : null };
}

/** The types that mean something to this source, in lists of even length. */
export function wantedTypes({ types: own = {} }: SourceSettings): string[][] {
  const wanted = Object.entries({ ...types, ...own })
    .filter(([, to]) => to !== null)
    .map(([type]) => type)
    .sort();
  const lists = Math.ceil(wanted.length / MAX_TYPES);
  const length = Math.ceil(wanted.length / Math.max(1, lists));
  return Array.from({ length: lists }, (_, index) => wanted.slice(index * length, (index + 1) * length));
}

function placeOf(cursor: string | null): { at: number; after: string | null } {
  if (cursor === null) return { at: 0, after: null };
  const [, at, after = ''] = /^(\d{1,3}):(.*)$/.exec(cursor) ?? [];
  if (at === undefined) throw unusable('cannot be asked for: its cursor is none of ours');
  return { at: Number(at), after: after === '' ? null : after };
}

function lastOf(events: ReturnType<typeof pageOf>['objects']): string {
  const last = referenceOf(events.at(-1)?.['id']);
  if (last === null) throw unusable('lists events without an end');
  return last;
}
