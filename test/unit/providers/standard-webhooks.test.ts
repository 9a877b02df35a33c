import { describe, expect, it } from 'vitest';
import type { ApiClient, ParsedEvent, SourceSettings } from '../../../src/providers/provider.ts';
import { isRefusal } from '../../../src/providers/provider.ts';
import { standardWebhooks } from '../../../src/providers/standard-webhooks.ts';
import { describeConformance } from './conformance.ts';
import { anySenderWorld, keyPairWorld } from './worlds.ts';

describeConformance(anySenderWorld);
describe('with a key pair', () => {
  describeConformance(keyPairWorld);
});

const settingsOf = (paths: Record<string, string>, more: Partial<SourceSettings> = {}): SourceSettings => ({
  ...anySenderWorld.settings,
  paths,
  requests: {},
  ...more,
});

function parse(body: unknown, settings: SourceSettings, headers: Record<string, string[]> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const delivery = { source: 'shop', body: Buffer.from(text), url: '', receivedAtMs: 0 };
  const [event] = standardWebhooks.parse(
    { ...delivery, headers: { 'webhook-id': ['msg_9'], ...headers } },
    settings,
  );
  return event;
}
function eventOf(...args: Parameters<typeof parse>): ParsedEvent {
  const event = parse(...args);
  if (event === undefined || isRefusal(event)) throw new Error(JSON.stringify(event));
  return event;
}

const OWN = { order: 'data.order', object: 'data.order', version: 'data.version' };
const own = () => ({
  type: 'order.created',
  timestamp: '2026-11-30T10:00:00Z',
  data: { order: '1042', version: 1, amount: 1250, currency: 'EUR', email: 'ada@example.com' },
});

describe("standard-webhooks: a team's own application", () => {
  it('is read with four words of configuration', () => {
    expect(parse(own(), settingsOf(OWN))).toEqual({
      eventId: 'msg_9',
      providerType: 'order.created',
      type: 'order.created',
      object: 'order:1042',
      order: '1042',
      refs: ['order:1042'],
      version: '1',
      claimedAt: '2026-11-30T10:00:00Z',
      facts: { amount: '1250', currency: 'EUR' },
    });
  });

  it('needs no path to an object: then the order is it', () => {
    const { object: _object, ...paths } = OWN;
    expect(eventOf(own(), settingsOf(paths)).object).toBe('order:1042');
  });
});

describe('standard-webhooks: identity', () => {
  it('is the webhook-id, which stays the same at each attempt and is signed', () => {
    const event = eventOf(own(), settingsOf(OWN));
    expect(event.eventId).toBe('msg_9');
    expect(event).not.toHaveProperty('deliveryId');
  });

  it("is the body's where a path says so; the header then names the delivery (R8)", () => {
    const settings = settingsOf({ ...OWN, id: 'id' });
    expect(eventOf({ ...own(), id: 'evt_7' }, settings)).toMatchObject({
      eventId: 'evt_7',
      deliveryId: 'msg_9',
    });
    expect(parse(own(), settings)).toEqual({ refused: 'field_missing', message: 'id is missing' });
  });

  it('is missing without its header', () => {
    expect(parse(own(), settingsOf(OWN), { 'webhook-id': [] })).toMatchObject({ refused: 'field_missing' });
  });
});

describe('standard-webhooks: the older names of its headers', () => {
  const settings = settingsOf(OWN);
  const body = Buffer.from(JSON.stringify(own()));
  const secrets = [{ id: 'a', value: anySenderWorld.secrets[0], untilMs: null }];
  const standard = anySenderWorld.sign(body, anySenderWorld.secrets[0], 1_764_500_000_000);
  const svix = Object.fromEntries(
    Object.entries(standard).map(([name, value]) => [name.replace('webhook', 'svix'), [value]]),
  );
  const delivery = (headers: Record<string, string[]>) => ({
    ...{ source: 'shop', url: '', receivedAtMs: 1_764_500_000_000 },
    body,
    headers,
  });

  it('are taken where the standard ones are not there', () => {
    expect(standardWebhooks.verify(delivery(svix), secrets, settings)).toEqual({ secretId: 'a' });
    expect(standardWebhooks.parse(delivery(svix), settings)).toMatchObject([{ eventId: 'msg_1' }]);
  });

  it('are never mixed with them', () => {
    const mixed = delivery({ ...svix, 'webhook-id': ['msg_2'], 'webhook-timestamp': ['1'] });
    expect(standardWebhooks.verify(mixed, secrets, settings)).toEqual({ secretId: 'a' });
    expect(standardWebhooks.parse(mixed, settings)).toMatchObject([{ eventId: 'msg_1' }]);
    const broken = delivery({ ...svix, 'webhook-signature': ['v1,x'] });
    expect(standardWebhooks.verify(broken, secrets, settings)).toHaveProperty('refused');
  });
});

describe('standard-webhooks: objects', () => {
  const body = { ...own(), data: { ...own().data, id: 'x:1', kind: 'dispute', payment: 'pay_1' } };

  it.each([
    [{ object: 'data.id' }, 'object:x:1', ['object:x:1']],
    [{ object: 'data.id', kind: 'data.kind' }, 'dispute:x:1', ['dispute:x:1']],
    [
      { object: 'data.id', kind: 'data.kind', payment: 'data.payment' },
      'dispute:x:1',
      ['dispute:x:1', 'payment:pay_1'],
    ],
    [{ object: 'data.payment', payment: 'data.payment' }, 'payment:pay_1', ['payment:pay_1']],
    [{ object: 'data.order' }, 'order:1042', ['order:1042']],
  ])('%j are named %s', (paths, object, refs) => {
    const event = eventOf(body, settingsOf({ order: 'data.order', ...paths }));
    expect([event.object, event.refs]).toEqual([object, refs]);
  });

  it('an object that is a payment is its own bearer', () => {
    const payment = { ...body, data: { ...body.data, kind: 'payment' } };
    const settings = settingsOf({ order: 'data.order', object: 'data.id', kind: 'data.kind' });
    expect(eventOf(payment, settings)).toMatchObject({ object: 'payment:x:1', payment: 'x:1' });
  });

  it.each(['a:b', 'two words', '', '-', 'x'.repeat(40)])('a kind is a word, and %j is none', (kind) => {
    const settings = settingsOf({ order: 'data.order', object: 'data.id', kind: 'data.kind' });
    expect(parse({ ...body, data: { ...body.data, kind } }, settings)).toMatchObject({
      refused: 'field_invalid',
    });
  });

  it("takes the order from the first of the source's other paths that is there", () => {
    const settings = settingsOf({ object: 'data.id' }, { orderPaths: ['data.reference', 'data.order'] });
    expect(eventOf(body, settings)).toMatchObject({ order: '1042', object: 'object:x:1' });
    expect(eventOf(body, { ...settings, paths: { object: 'data.order' } }).object).toBe('order:1042');
    expect(eventOf({ type: 'x', data: { id: '1' } }, settings)).not.toHaveProperty('order');
  });
});

describe('standard-webhooks: events of other things', () => {
  const settings = settingsOf(OWN, { types: { 'order.updated': null, 'invoice.paid': 'payment.captured' } });

  it.each(['user.created', 'order.updated', 'constructor'])(
    'need none of the fields, since nobody wants %s',
    (type) => {
      for (const data of [undefined, {}, { order: {} }, { order: '1042', version: 'x' }]) {
        expect(eventOf({ type, data }, settings)).toMatchObject({
          providerType: type,
          object: 'event:msg_9',
          refs: ['event:msg_9'],
          facts: {},
        });
      }
      const whole = eventOf({ type, data: { order: '1042', version: 1 } }, settings);
      expect(whole).toMatchObject({ object: 'order:1042', order: '1042', version: '1' });
    },
  );

  it.each(['order.created', 'invoice.paid'])('need them all where somebody wants %s', (type) => {
    expect(parse({ type, data: { order: '1042' } }, settings)).toMatchObject({ refused: 'field_missing' });
    expect(parse({ type, data: { order: '1042', version: 'x' } }, settings)).toMatchObject({
      refused: 'field_invalid',
    });
  });
});

describe('standard-webhooks: versions and times', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['"2026-11-30T10:00:00.123456789+01:00"', '2026-11-30T10:00:00.123456789+01:00'],
    ['0', '0'],
  ])('keeps the version %s to its last digit', (written, version) => {
    const body = JSON.stringify(own()).replace('"version":1', `"version":${written}`);
    expect(eventOf(body, settingsOf(OWN)).version).toBe(version);
  });

  it('refuses an event without the version that its source promises', () => {
    const body = { ...own(), data: { order: '1042' } };
    expect(parse(body, settingsOf(OWN))).toEqual({
      refused: 'field_missing',
      message: 'data.version is missing',
    });
  });

  it.each([
    ['2026-11-30T10:00:00Z', '2026-11-30T10:00:00Z'],
    [1_764_500_000, '2025-11-30T10:53:20.000Z'],
    ['1764500000123', '2025-11-30T10:53:20.123Z'],
    ['yesterday', 'yesterday'],
    [1.5, undefined],
    [null, undefined],
    [{}, undefined],
  ])('reads the time %j, or does without', (timestamp, claimedAt) => {
    expect(eventOf({ ...own(), timestamp }, settingsOf(OWN)).claimedAt).toBe(claimedAt);
  });
});

describe('standard-webhooks: facts', () => {
  it('are a closed list, from `data` unless a path says otherwise', () => {
    const body = {
      ...own(),
      total: 99,
      data: { ...own().data, reason: { code: 1 }, carrier: 'x'.repeat(201) },
    };
    expect(eventOf(body, settingsOf(OWN)).facts).toEqual({ amount: '1250', currency: 'EUR' });
    expect(eventOf(body, settingsOf({ ...OWN, 'facts.amount': 'total' })).facts).toEqual({
      amount: '99',
      currency: 'EUR',
    });
  });

  it('never come from inherited names', () => {
    const settings = settingsOf({
      ...OWN,
      'facts.amount': 'constructor.name',
      'facts.reason': 'data.length',
    });
    expect(eventOf(own(), settings).facts).toEqual({ currency: 'EUR' });
  });
});

// ── API ────────────────────────────────────────────────────────────────────────────────────────────────────

function answering(body: unknown): ApiClient & { paths: string[] } {
  const paths: string[] = [];
  return {
    paths,
    get(path) {
      paths.push(path);
      return Promise.resolve(body === undefined ? { status: 'gone' } : { status: 'ok', body });
    },
  };
}

describe('standard-webhooks: answers of its API', () => {
  const settings = settingsOf(OWN, { requests: { fetch: '/orders/{object}', find: '/orders?of={order}' } });

  it('are read as an event is', async () => {
    const api = answering(own());
    expect(
      await standardWebhooks.fetch?.(api, 'order:10/42', { ...settings, paths: { ...OWN, object: 'none' } }),
    ).toEqual({
      type: 'order.created',
      providerType: 'order.created',
      version: '1',
      order: '1042',
      facts: { amount: '1250', currency: 'EUR' },
    });
    expect(api.paths).toEqual(['/orders/10%2F42']);
  });

  it("have their fields elsewhere where the source says so; the team's words are handed on", async () => {
    const elsewhere = {
      ...settings,
      requests: {
        fetch: '/orders/{object}',
        paths: { type: 'status', order: 'number', version: 'rev', created: 'since', 'facts.amount': 'total' },
      },
    };
    const body = { status: 'SHIPPED', number: 1042, rev: 3, since: 1_764_500_000, total: '1250' };
    expect(await standardWebhooks.fetch?.(answering(body), 'order:1042', elsewhere)).toEqual({
      type: undefined,
      providerType: 'SHIPPED',
      version: '3',
      order: '1042',
      createdAt: '2025-11-30T10:53:20.000Z',
      facts: { amount: '1250' },
    });
  });

  it.each([
    ['about another object', { ...own(), data: { ...own().data, order: '1043' } }],
    ['without a type', { ...own(), type: undefined }],
    ['without the version that is promised', { ...own(), data: { order: '1042' } }],
    ['with half a version', { ...own(), data: { order: '1042', version: 1.5 } }],
    ['that are a list', [own()]],
    ['that are a page', '<html>'],
  ])('%s are no answers', async (_what, body) => {
    await expect(standardWebhooks.fetch?.(answering(body), 'order:1042', settings)).rejects.toThrow(
      /standard-webhooks: the API's answer .*; it is asked again/,
    );
  });

  it('list the objects of an order: as ids, or as answers', async () => {
    const api = answering(['1042', 1043, own()]);
    expect(await standardWebhooks.find?.(api, '10 42', settings)).toEqual([
      'order:1042',
      'order:1043',
      'order:1042',
    ]);
    expect(api.paths).toEqual(['/orders?of=10%2042']);
    const kinds = { ...anySenderWorld.settings };
    const listed = { data: { invoice: { id: 'i1', kind: 'invoice' } } };
    expect(await standardWebhooks.find?.(answering([listed]), '1042', kinds)).toEqual(['invoice:i1']);
    await expect(standardWebhooks.find?.(answering(['i1']), '1042', kinds)).rejects.toThrow(/no object/);
  });

  it('can be had only where the source says how', () => {
    expect(standardWebhooks.canFetch?.(settings)).toBe(true);
    expect(standardWebhooks.canFind?.(settings)).toBe(true);
    expect(standardWebhooks.canFetch?.(settingsOf(OWN))).toBe(false);
    expect(standardWebhooks.canFind?.(settingsOf(OWN))).toBe(false);
  });
});

describe('standard-webhooks: settings that cannot work', () => {
  const problemsOf = (
    settings: SourceSettings,
    contract: 'sequence' | 'monotonic' | 'unordered' = 'sequence',
    secret = anySenderWorld.secrets[0],
  ) =>
    (
      standardWebhooks.problems?.({
        settings,
        contract,
        secrets: [{ id: 'a', value: secret, untilMs: null }],
      }) ?? []
    ).map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('are none of these', () => {
    expect(problemsOf(settingsOf(OWN))).toEqual([]);
    expect(problemsOf(anySenderWorld.settings, 'monotonic')).toEqual([]);
    expect(problemsOf(keyPairWorld.settings, 'sequence', keyPairWorld.secrets[0])).toEqual([]);
    expect(problemsOf(settingsOf({ order: 'data.order' }), 'unordered')).toEqual([]);
  });

  it.each([
    [
      settingsOf({ ...OWN, verison: 'data.version' }),
      "paths.verison: is no field of an event. Did you mean 'version'?",
    ],
    [
      settingsOf({ ...OWN, 'facts.email': 'data.email' }),
      'paths.facts.email: is no field of an event. Known: id, type,',
    ],
    [
      settingsOf({ object: 'data.id', version: 'v' }),
      "paths.order: is missing; say where the order's id is, such as 'data.order'",
    ],
    [
      settingsOf({ order: 'data.order' }),
      "paths.version: is missing; contract 'sequence' is a promise about versions",
    ],
    [settingsOf(OWN, { requests: { fetch: '/orders' } }), 'fetch.url: must hold {object}, where the id goes'],
    [
      settingsOf(OWN, { requests: { fetch: '/{kind}/{object}' } }),
      'fetch.url: knows no {kind}; it may hold {object}',
    ],
    [
      settingsOf(OWN, { requests: { find: '/orders/{object}' } }),
      'find.url: knows no {object}; it may hold {order}',
    ],
    [
      settingsOf(OWN, { requests: { fetch: '/{object}', paths: { typ: 't' } } }),
      'fetch.paths.typ: is no field',
    ],
  ])('%#: %s', (settings, problem) => {
    const [first = ''] = problemsOf(settings);
    expect(first.slice(0, problem.length)).toBe(problem);
  });

  it('versions without a promise are one', () => {
    expect(problemsOf(settingsOf(OWN), 'unordered')).toEqual([
      expect.stringContaining('contract: is missing for these versions'),
    ]);
  });

  it.each([
    'whsk_c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
    'whpk_c2hvcnQ=',
    '"whpk_c2hvcnQ="',
    '-----BEGIN PUBLIC KEY-----',
  ])('a key that confirms nothing is one, and not shown', (key) => {
    const [problem = ''] = problemsOf(settingsOf(OWN), 'sequence', key);
    expect(problem).toMatch(
      /^secrets: 'a' is (the sender's private key|no ed25519 public key|a key of a pair in another form)/,
    );
    expect(problem).not.toContain(key.slice(5, 12));
  });
});
