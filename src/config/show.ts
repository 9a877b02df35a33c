/**
 * A configuration as it may be shown: every field is named here, so that a new secret stays hidden until somebody
 * lists it. Of a secret only its id is shown; of a URL neither login nor query.
 */
import { VARIABLES } from './environment.ts';
import type { EnvironmentWithoutStore } from './environment.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import type { Config, EffectHandler, Source } from './resolved.ts';

export function showConfig(config: Config): Record<string, unknown> {
  return {
    file: config.file,
    machines: [...config.machines.values()].map(({ machine, digest }) => ({
      name: machine.name,
      version: machine.version,
      digest,
    })),
    orders: sharedOrders(config),
    sources: Object.fromEntries([...config.sources].map(([name, source]) => [name, showSource(source)])),
    effects: Object.fromEntries([...config.effects].map(([name, effect]) => [name, showEffect(effect)])),
    attention: config.notify === null ? null : { notify: config.notify },
    redeliverAfter: formatDuration(config.redeliverAfterMs),
    closeAfter: formatDuration(config.closeAfterMs),
    maxEventsPerRun: config.maxEventsPerRun,
  };
}

/** Which sources tell of the same orders: those that name one machine and one environment. */
export function sharedOrders({ sources }: Config): { orders: string; sources: string[] }[] {
  const shared = new Map<string, string[]>();
  for (const { name, machine, environment } of sources.values()) {
    const orders = `${machine}/${environment}`;
    shared.set(orders, [...(shared.get(orders) ?? []), name]);
  }
  return [...shared].map(([orders, names]) => ({ orders, sources: names }));
}

export function showEnvironment(environment: EnvironmentWithoutStore): Record<string, unknown> {
  const fields = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];
  return Object.fromEntries(
    fields.map((field) => {
      const { name, secret } = VARIABLES[field];
      const value = environment[field];
      return [name, secret && value !== null ? shownSecret(String(value)) : value];
    }),
  );
}

function showSource(source: Source): Record<string, unknown> {
  const { policy } = source;
  return {
    provider: `${source.provider.name} (adapter version ${source.provider.version})`,
    environment: source.environment,
    machine: source.machine,
    mode: source.mode,
    account: source.account,
    secrets: source.secrets.map(({ id, untilMs }) => ({
      id,
      until: untilMs === null ? null : new Date(untilMs).toISOString(),
    })),
    order: source.settings.orderPaths,
    paths: source.settings.paths,
    types: Object.fromEntries(
      Object.entries(source.types).map(([type, to]) => [
        type,
        typeof to === 'function' ? '(a function)' : to,
      ]),
    ),
    unknownTypes: source.unknownTypes,
    tolerance: formatDuration(source.settings.toleranceMs),
    maxBytes: source.maxBytes,
    contract: source.contract,
    first: policy.first,
    gapTimeout: formatDuration(policy.gapTimeoutMs),
    lagWindow: formatDuration(policy.lagWindowMs),
    askDeadline: formatDuration(policy.askDeadlineMs),
    effects: policy.effects,
    existingBefore: policy.existingBefore ?? null,
    canAsk: policy.api,
    canFind: policy.find,
    canList: source.lists,
    reconcile: source.reconcile === null ? null : { every: formatDuration(source.reconcile.everyMs) },
    api: showApi(source),
  };
}

function showApi({ api, settings: { requests } }: Source): Record<string, unknown> | null {
  if (api === null) return null;
  const { fetch, find, list, paths = {} } = requests;
  return {
    base: shownUrl(api.base),
    key: api.key === null ? null : '(set)',
    headers: Object.keys(api.headers ?? {}),
    ...(fetch === undefined ? {} : { fetch: withoutQuery(fetch), paths }),
    ...(find === undefined ? {} : { find: withoutQuery(find) }),
    ...(list === undefined ? {} : { list: { ...list, request: withoutQuery(list.request) } }),
    perSecond: api.perSecond,
    timeout: formatDuration(api.timeoutMs),
  };
}

function showEffect(effect: EffectHandler): Record<string, unknown> {
  return {
    kind: effect.kind,
    ...(effect.kind === 'http'
      ? { url: shownUrl(effect.url), secret: '(set)', allowPrivate: effect.allowPrivate }
      : {}),
    timeout: formatDuration(effect.timeoutMs),
    keyTtl: effect.keyTtlMs === 0 ? '0' : formatDuration(effect.keyTtlMs),
    retry: {
      maxAttempts: effect.retry.maxAttempts,
      firstDelay: formatDuration(effect.retry.firstDelayMs),
      maxDelay: formatDuration(effect.retry.maxDelayMs),
    },
    confirm: effect.confirm !== null,
  };
}

const withoutQuery = (request: string): string => request.replace(/\?.*$/, '?***');

/** Of a URL what is no secret, of anything else only that it is there. */
const shownSecret = (text: string): string => (URL.canParse(text) ? shownUrl(text) : '(set)');

function shownUrl(text: string): string {
  const url = new URL(text);
  const login = url.username === '' && url.password === '' ? '' : '***@';
  const query = url.search === '' ? '' : '?***';
  return `${url.protocol}//${login}${url.host}${url.pathname}${query}`;
}
