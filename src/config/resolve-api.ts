/**
 * How a source's provider is asked. An adapter either knows where its API answers and needs a key, or takes any
 * address as `apiBase`, or leaves the requests themselves to the team: then they are URL templates. Each way has
 * its own fields, and those of another one are refused with the right ones.
 */
import type { ListTemplate, Provider, SourceSettings } from '../providers/provider.ts';
import type { Source } from './resolved.ts';
import type { Report } from './report.ts';
import type { ParsedSource } from './schema.ts';

type Way = 'key' | 'base' | 'requests' | 'none';

function wayOf(provider: Provider): Way {
  if (provider.fetch === undefined && provider.find === undefined && provider.list === undefined)
    return 'none';
  if (provider.apiBase !== undefined) return 'key';
  const isFixed =
    provider.canFetch === undefined && provider.canFind === undefined && provider.canList === undefined;
  return isFixed ? 'base' : 'requests';
}

/** Why the source's list cannot be read on a schedule, and what to do; null: it can. */
export function whyUnlisted(provider: Provider, api: Source['api'], settings: SourceSettings): string | null {
  if (provider.list === undefined) {
    return (
      `is not possible: the adapter '${provider.name}' lists nothing. Leave it out: a lost webhook shows as a gap, or ` +
      "at a status's deadline, and the provider is asked then; 'inorder orders reconcile' asks about an order now"
    );
  }
  if (provider.canList?.(settings) === false)
    return "needs 'list: { url }', the request that lists what changed";
  return api === null ? `needs ${howToAsk(provider)}, so that the provider can be asked what it sent` : null;
}

/** The fields by which it could be asked, for a sentence. */
export function howToAsk(provider: Provider): string {
  const fields = { key: "'apiKey'", base: "'apiBase'", requests: "'fetch: { url, bearer }'", none: 'an API' };
  return fields[wayOf(provider)];
}

export function requestsOf({ fetch, find, list }: ParsedSource): SourceSettings['requests'] {
  return {
    ...(list ? { list: templateOf(list) } : {}),
    ...(fetch ? { fetch: fetch.url.request, paths: fetch.paths } : {}),
    ...(find ? { find: find.url.request } : {}),
  };
}

function templateOf({ url, of, items, next, paths }: NonNullable<ParsedSource['list']>): ListTemplate {
  return {
    request: url.request,
    of,
    paths,
    ...(items === undefined ? {} : { items }),
    ...(next === undefined ? {} : { next }),
  };
}

export function resolveApi(
  path: string[],
  written: ParsedSource,
  provider: Provider,
  settings: SourceSettings,
  report: Report,
): Source['api'] {
  const way = wayOf(provider);
  refuseOtherWays(way, path, written, provider, report);
  const at =
    way === 'requests' ? atTemplates(path, written, report) : atBase(way, path, written, provider, report);
  return (
    at && {
      base: at.base,
      key: at.key ?? null,
      headers: provider.apiHeaders?.(settings) ?? {},
      perSecond: written.apiPerSecond,
      timeoutMs: written.apiTimeout,
    }
  );
}

type At = { base: string; key: string | undefined } | null;

function atBase(
  way: Way,
  path: string[],
  { apiBase, apiKey }: ParsedSource,
  provider: Provider,
  report: Report,
): At {
  if (way === 'key' && apiKey === undefined) {
    if (apiBase !== undefined) report([...path, 'apiBase'], "has no use without 'apiKey'");
    return null;
  }
  if (way === 'base' && apiBase === undefined && apiKey !== undefined) {
    report([...path, 'apiKey'], "has no use without 'apiBase', the address of the provider's API");
  }
  const base = apiBase ?? (way === 'key' ? provider.apiBase : undefined);
  return base === undefined ? null : { base: base.replace(/\/+$/, ''), key: apiKey };
}

function atTemplates(path: string[], { fetch, find, list }: ParsedSource, report: Report): At {
  const base = fetch?.url.origin ?? find?.url.origin ?? list?.url.origin;
  if (base === undefined) return null;
  for (const [field, template] of Object.entries({ find, list })) {
    if (template === undefined || template.url.origin === base) continue;
    report([...path, field, 'url'], `must be on ${base}, as 'fetch.url' is; both are sent with one bearer`);
  }
  if (fetch?.bearer !== undefined && list?.bearer !== undefined)
    report([...path, 'list', 'bearer'], "is that of 'fetch' already; remove it");
  return { base, key: fetch?.bearer ?? list?.bearer };
}

function refuseOtherWays(
  way: Way,
  path: string[],
  written: ParsedSource,
  provider: Provider,
  report: Report,
): void {
  const advice = {
    key: `the adapter '${provider.name}' knows its API; give 'apiKey'`,
    base: `the adapter '${provider.name}' knows what to request; give 'apiBase'`,
    requests: `the adapter '${provider.name}' is told what to request; give 'fetch: { url, bearer }'`,
    none: `the adapter '${provider.name}' has no way to ask its provider; remove it`,
  };
  const foreign =
    way === 'requests' ? (['apiBase', 'apiKey'] as const) : (['fetch', 'find', 'list'] as const);
  for (const field of foreign) {
    if (written[field] !== undefined) report([...path, field], advice[way]);
  }
  if (way === 'none' && written.apiBase !== undefined) report([...path, 'apiBase'], advice.none);
}
