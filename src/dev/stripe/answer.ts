/**
 * Stripe's API over a world: retrieve, list and search, with `expand[]`, pages and Stripe's own errors. Pure: one
 * request gives one reply, and a reader may be behind.
 *
 *   GET /v1/payment_intents/:id   /v1/payment_intents/search?query=
 *   GET /v1/charges/:id           /v1/refunds[/:id]?charge=&payment_intent=
 *   GET /v1/disputes/:id          /v1/checkout/sessions[/:id]?payment_intent=
 *   GET /v1/events?type=&types[]=&created[gte]=&created[lt]=
 */
import type { StripeObject } from './objects.ts';
import type { StripeWorld } from './world.ts';

export interface StripeReply {
  status: number;
  body: unknown;
}

/** What calls are counted by. */
export type StripeRoute = string;

const KINDS: Record<string, string> = {
  payment_intents: 'payment_intent',
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  'checkout/sessions': 'checkout.session',
};
const LISTED: Record<string, string[]> = {
  refunds: ['charge', 'payment_intent'],
  'checkout/sessions': ['payment_intent'],
};
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

interface Request {
  resource: string;
  id: string | null;
  query: URLSearchParams;
}

export function routeOf(path: string): StripeRoute {
  const { resource, id } = read(path);
  return `GET /v1/${resource}${id === null ? '' : id === 'search' ? '/search' : '/:id'}`;
}

export function answerAsStripe(world: StripeWorld, path: string, behind = 0): StripeReply {
  const { resource, id, query } = read(path);
  if (resource === 'events' && id === null) return listEvents(world, query);
  const kind = Object.hasOwn(KINDS, resource) ? (KINDS[resource] as string) : null;
  if (kind === null) return failure(404, `Unrecognized request URL (GET: ${path.split('?')[0]}).`);
  const expand = [...query.entries()]
    .filter(([name]) => /^expand\[\d*\]$/.test(name))
    .map(([, value]) => value);
  if (id === null) {
    const filters = LISTED[resource];
    if (filters === undefined) return failure(404, `Unrecognized request URL (GET: /v1/${resource}).`);
    const found = world
      .list(kind, behind)
      .filter((object) => filters.every((name) => !query.has(name) || object[name] === query.get(name)));
    return page(found, query, `/v1/${resource}`);
  }
  if (resource === 'payment_intents' && id === 'search') return search(world, query, behind);
  const object = world.find(id, behind);
  if (object?.object !== kind) return failure(404, `No such ${kind}: '${id}'`, 'resource_missing');
  return { status: 200, body: expanded(world, object, expand, behind) };
}

function read(path: string): Request {
  const url = new URL(path, 'http://stripe');
  const [, , ...parts] = url.pathname.split('/').map(decodeURIComponent);
  const depth = parts[0] === 'checkout' ? 2 : 1;
  return { resource: parts.slice(0, depth).join('/'), id: parts[depth] ?? null, query: url.searchParams };
}

/** Puts objects where their ids are, step by step along each path. */
function expanded(world: StripeWorld, object: StripeObject, paths: string[], behind: number): StripeObject {
  const whole: StripeObject = { ...object };
  for (const path of paths) {
    const [field = '', ...rest] = path.split('.');
    if (field === 'refunds' && whole.object === 'charge') {
      const refunds = world.list('refund', behind).filter((refund) => refund['charge'] === whole.id);
      whole['refunds'] = listOf(refunds, DEFAULT_LIMIT, `/v1/charges/${whole.id}/refunds`);
      continue;
    }
    const value = whole[field];
    const found = typeof value === 'string' ? world.find(value, behind) : (value as StripeObject | null);
    if (found) whole[field] = expanded(world, found, rest.length === 0 ? [] : [rest.join('.')], behind);
  }
  return whole;
}

const listOf = (objects: unknown[], limit: number, url: string) => ({
  object: 'list',
  data: objects.slice(0, limit),
  has_more: objects.length > limit,
  url,
});

function page<T extends { id: string }>(
  objects: T[],
  query: URLSearchParams,
  url: string,
  shown: (object: T) => unknown = (object) => object,
): StripeReply {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!(limit >= 1 && limit <= MAX_LIMIT))
    return failure(400, `Invalid integer: limit must be from 1 to ${MAX_LIMIT}`);
  const after = query.get('starting_after');
  const start = after === null ? 0 : objects.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) return failure(400, `No such object: '${after}'`, 'resource_missing');
  const left = objects.slice(start);
  const body = listOf(left.slice(0, limit + 1), limit, url);
  return { status: 200, body: { ...body, data: left.slice(0, limit).map(shown) } };
}

const MAX_TYPES = 20;

function listEvents(world: StripeWorld, query: URLSearchParams): StripeReply {
  const wanted = query.has('type') ? query.getAll('type') : query.getAll('types[]');
  if (wanted.length > MAX_TYPES) return failure(400, `types: at most ${MAX_TYPES} may be given`);
  const since = Number(query.get('created[gte]') ?? 0);
  const until = Number(query.get('created[lt]') ?? Infinity);
  const events = world.events
    .filter(
      ({ created, type }) =>
        created >= since && created < until && (wanted.length === 0 || wanted.includes(type)),
    )
    // Newest first, also where stories are told beside each other.
    .reverse()
    .sort((a, b) => b.created - a.created);
  return page(events, query, '/v1/events', ({ body }) => JSON.parse(body));
}

/** `metadata['key']:'value'`, alone or joined by OR: as much of the search language as shops' orders need. */
const CLAUSE = /^metadata\[(['"])((?:\\.|(?!\1).)*)\1\]:(['"])((?:\\.|(?!\3).)*)\3$/s;
const OR = / OR (?=metadata\[)/;

function search(world: StripeWorld, query: URLSearchParams, behind: number): StripeReply {
  const clauses = (query.get('query') ?? '').split(OR).map((clause) => CLAUSE.exec(clause));
  if (clauses.some((clause) => clause === null))
    return failure(400, 'We were unable to parse your search query.');
  const wanted = clauses.map((clause) => [unquoted(clause?.[2]), unquoted(clause?.[4])] as const);
  const found = world
    .list('payment_intent', behind)
    .filter(({ metadata }) =>
      wanted.some(([key, value]) => metadata[key]?.toLowerCase() === value.toLowerCase()),
    );
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  const start = Number(query.get('page') ?? 0);
  const hasMore = found.length > start + limit;
  return {
    status: 200,
    body: {
      object: 'search_result',
      data: found.slice(start, start + limit),
      has_more: hasMore,
      next_page: hasMore ? String(start + limit) : null,
      url: '/v1/payment_intents/search',
    },
  };
}

const unquoted = (text = ''): string => text.replaceAll(/\\(.)/gs, '$1');

export function failure(status: number, message: string, code?: string): StripeReply {
  return {
    status,
    body: { error: { ...(code === undefined ? {} : { code }), message, type: 'invalid_request_error' } },
  };
}
