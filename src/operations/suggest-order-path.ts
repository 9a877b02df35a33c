/**
 * How many of a source's last events found no order, and which field of theirs could name it: what a newcomer has
 * to know after the first webhooks. Of stored bodies only the names of fields are told (R4).
 */
import type { Source } from '../config/resolved.ts';
import { isRefusal } from '../providers/provider.ts';
import { parseJsonBody } from '../providers/json.ts';
import { selectBodies } from '../store/bodies.ts';
import { selectNewestOfSource } from '../store/source-events.ts';
import type { Queryable } from '../store/store.ts';
import { orderCandidates } from './order-candidates.ts';
import type { OrderCandidate } from './order-candidates.ts';

export interface UnlinkedShare {
  source: string;
  /** The newest events that were looked at. */
  events: number;
  /** How many of them no order is known of. */
  unlinked: number;
  /** The field of the source's configuration that says where the order's id is; null: the adapter knows by itself. */
  field: 'order' | 'paths.order' | null;
  candidates: OrderCandidate[];
}

const MAX_BODIES = 50;

export async function suggestOrderPath(
  db: Queryable,
  source: Pick<Source, 'name' | 'provider' | 'settings'>,
  which: { limit: number; afterSeq?: string; olderThanMs?: number },
): Promise<UnlinkedShare> {
  const rows = await selectNewestOfSource(db, { source: source.name, ...which });
  const unlinked = rows.filter(({ outcome }) => outcome === 'unlinked');
  const bodies: unknown[] = [];
  for (const { seq } of unlinked.slice(0, MAX_BODIES)) {
    const [first] = (await selectBodies(db, seq)).values();
    const parsed = first === undefined ? null : parseJsonBody(first);
    if (parsed !== null && !isRefusal(parsed)) bodies.push(parsed.value);
  }
  const from = source.provider.orderPathsFrom;
  const objects = bodies.map((body) => (from === undefined ? body : at(body, from)));
  return {
    source: source.name,
    events: rows.length,
    unlinked: unlinked.length,
    field:
      from === undefined ? (source.settings.paths['order'] === undefined ? null : 'paths.order') : 'order',
    candidates: orderCandidates(objects),
  };
}

const at = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

/** For a person: what was seen, and what to do about it. */
export function tellUnlinked({ events, unlinked, field, candidates }: UnlinkedShare): {
  seen: string;
  fix: string | null;
} {
  if (unlinked === 0) return { seen: `of the last ${events} events all found their order`, fix: null };
  const seen = `of the last ${events} events ${unlinked} found no order`;
  const [best] = candidates;
  if (best === undefined || field === null) {
    return {
      seen,
      fix: 'have the sender put the id of the order into what it sends; no field of these looks like one',
    };
  }
  const others = candidates
    .map(({ path, events: inEvents }) => `${path} (in ${inEvents} of ${unlinked})`)
    .join(', ');
  const set = field === 'order' ? `order: ['${best.path}']` : `paths: { order: '${best.path}' }`;
  return {
    seen: `${seen}; fields that could name it: ${others}`,
    fix: `if it is the id of your order, set ${set} in the source`,
  };
}
