import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../src/config/check.ts';
import { showConfig } from '../../../src/config/show.ts';
import type { Source } from '../../../src/config/resolved.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { env } from '../../../src/config/written.ts';

/** Knows where its API answers, as Stripe's does. */
const fixed: Provider = {
  ...sandbox,
  name: 'fixed',
  apiBase: 'https://api.fixed.example/v1',
  apiHeaders: ({ account }) => ({ 'api-version': '2026-01', 'for-account': account ?? 'own' }),
};
/** Is told what to request. */
const told: Provider = {
  ...sandbox,
  name: 'told',
  canFetch: ({ requests }) => requests.fetch !== undefined,
  canFind: ({ requests }) => requests.find !== undefined,
};
const silent: Provider = { ...sandbox, name: 'silent' };
delete silent.fetch;
delete silent.find;
delete silent.list;

const machine = {
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: { new: {}, paid: {} },
  effects: {},
  on: { 'payment.captured': { new: 'paid', else: { ignore: 'again' } } },
};

function check(provider: Provider, fields: object, variables: Record<string, string> = {}) {
  const source = {
    provider,
    environment: 'live',
    machine: 'order',
    unknownTypes: 'archive',
    secrets: [{ id: 'a', value: 'whsec' }],
    ...fields,
  };
  return checkConfig({ machines: [machine], sources: { shop: source }, effects: {} }, '/c.ts', variables);
}

function sourceOf(...args: Parameters<typeof check>): Source {
  const checked = check(...args);
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  return checked.config.sources.get('shop') as Source;
}

describe('an adapter that knows its API', () => {
  it('asks it if there is a key, with its own headers', () => {
    const { api, policy } = sourceOf(fixed, { apiKey: 'sk', account: 'acct_1' });
    expect(api).toMatchObject({
      base: 'https://api.fixed.example/v1',
      key: 'sk',
      headers: { 'api-version': '2026-01', 'for-account': 'acct_1' },
    });
    expect(policy).toMatchObject({ api: true, find: true });
  });

  it('is not asked without one', () => {
    const { api, policy } = sourceOf(fixed, { apiKey: env('KEY', { optional: true }) });
    expect(api).toBeNull();
    expect(policy).toMatchObject({ api: false, find: false });
  });

  it('can be led elsewhere, and an optional variable that is not set leaves its own address', () => {
    const fields = { apiKey: 'sk', apiBase: env('BASE', { optional: true }) };
    expect(sourceOf(fixed, fields).api?.base).toBe('https://api.fixed.example/v1');
    const led = sourceOf(fixed, fields, { BASE: 'http://127.0.0.1:9/stand-in/' });
    expect(led.api?.base).toBe('http://127.0.0.1:9/stand-in');
  });
});

describe('an adapter that is told what to request', () => {
  const fetch = { url: 'https://Shop.example/orders/{object}?expand=all', bearer: 'token' };

  it('gets origin, bearer and both templates with their braces', () => {
    const find = { url: 'https://shop.example/orders?id={order}' };
    const { api, policy, settings } = sourceOf(told, {
      fetch: { ...fetch, paths: { type: 'status' } },
      find,
    });
    expect(api).toMatchObject({ base: 'https://shop.example', key: 'token' });
    expect(settings.requests).toEqual({
      fetch: '/orders/{object}?expand=all',
      find: '/orders?id={order}',
      paths: { type: 'status' },
    });
    expect(policy).toMatchObject({ api: true, find: true });
  });

  it('can do what it has a template for', () => {
    expect(sourceOf(told, { fetch }).policy).toMatchObject({ api: true, find: false });
    expect(sourceOf(told, {})).toMatchObject({ api: null, policy: { api: false, find: false } });
  });
});

describe('ways to ask that cannot be', () => {
  const template = { url: 'https://shop.example/orders/{object}' };
  const cases: [title: string, provider: Provider, fields: object, problem: string][] = [
    [
      'templates where the API is known',
      fixed,
      { fetch: template, find: { url: 'https://shop.example/{order}' } },
      "sources.shop.fetch: the adapter 'fixed' knows its API; give 'apiKey'",
    ],
    [
      'an address without the key',
      fixed,
      { apiBase: 'https://a' },
      "sources.shop.apiBase: has no use without 'apiKey'",
    ],
    [
      'templates where an address is enough',
      sandbox,
      { fetch: template },
      "sources.shop.fetch: the adapter 'sandbox' knows what to request; give 'apiBase'",
    ],
    [
      'a key without an address',
      sandbox,
      { apiKey: 'k' },
      "sources.shop.apiKey: has no use without 'apiBase'",
    ],
    [
      'a key where templates are needed',
      told,
      { apiKey: 'k' },
      "sources.shop.apiKey: the adapter 'told' is told what to request; give 'fetch: { url, bearer }'",
    ],
    [
      'two origins',
      told,
      { fetch: template, find: { url: 'https://other.example/{order}' } },
      "sources.shop.find.url: must be on https://shop.example, as 'fetch.url' is",
    ],
    [
      'a host that would be filled in',
      told,
      { fetch: { url: 'https://{object}.example/' } },
      "sources.shop.fetch.url: must be an http or https URL such as 'https://shop.example/orders/{object}', without a login",
    ],
    [
      'a login in an address',
      told,
      { fetch: { url: 'https://a:hidden@shop.example/{object}' } },
      'of at most 2,048 bytes; it is not shown, because it may hold a secret',
    ],
    [
      'an API where none can be asked',
      silent,
      { apiBase: 'https://a' },
      "sources.shop.apiBase: the adapter 'silent' has no way to ask its provider; remove it",
    ],
  ];
  it.each(cases)('%s', (_, provider, fields, problem) => {
    const checked = check(provider, fields);
    expect('problems' in checked ? checked.problems.join('\n') : 'accepted').toContain(problem);
  });

  it('an address that names nobody is not repeated when it hides a login', () => {
    const checked = check(told, { fetch: { url: 'https://a:hidden@shop.example/{object}' } });
    expect(JSON.stringify(checked)).not.toContain('hidden');
  });
});

it('what is shown of an API is neither key nor bearer nor query', () => {
  const fetch = { url: 'https://shop.example/orders/{object}?token=abc', bearer: 'top-secret' };
  const checked = check(told, { fetch, existingBefore: '2026-12-01T01:00:00.50+01:00' });
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  const shown = showConfig(checked.config)['sources'];
  expect(shown).toMatchObject({
    shop: {
      api: { base: 'https://shop.example/', key: '(set)', fetch: '/orders/{object}?***' },
      existingBefore: '2026-12-01T00:00:00.5Z',
    },
  });
  expect(JSON.stringify(shown)).not.toMatch(/abc|top-secret/);
});
