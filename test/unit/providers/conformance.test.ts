/** The conformance checks find what they are for: adapters with one mistake each. */
import { expect, it } from 'vitest';
import { conformanceChecks } from '../../../src/providers/conformance/checks.ts';
import type { ProviderWorld } from '../../../src/providers/conformance/world.ts';
import type { ParsedEvent, Provider, RawDelivery, SourceSettings } from '../../../src/providers/provider.ts';
import { isRefusal } from '../../../src/providers/provider.ts';
import { anySenderWorld } from './worlds.ts';

const { provider: good } = anySenderWorld;

async function failing(mistake: Partial<Provider>, more: Partial<ProviderWorld> = {}): Promise<string[]> {
  const names: string[] = [];
  for (const { name, run } of conformanceChecks({
    ...anySenderWorld,
    ...more,
    provider: { ...good, ...mistake },
  })) {
    try {
      await run();
    } catch {
      names.push(name);
    }
  }
  return names;
}

/** An adapter that reads well and then changes what it read. */
const changing =
  (change: (event: ParsedEvent) => Partial<ParsedEvent>): Provider['parse'] =>
  (delivery: RawDelivery, settings: SourceSettings) =>
    good
      .parse(delivery, settings)
      .map((event) => (isRefusal(event) ? event : { ...event, ...change(event) }));

it('none in an adapter without one', async () => {
  expect(await failing({})).toEqual([]);
});

it.each<[string, Partial<Provider>, string]>([
  [
    'confirms everything',
    { verify: () => ({ secretId: 'a' }) },
    'signature: every single changed bit of the body is refused',
  ],
  [
    'leaves the identity unsigned',
    {
      verify: (delivery, secrets, settings) =>
        good.verify(
          { ...delivery, headers: { ...delivery.headers, 'webhook-id': ['msg_1'] } },
          secrets,
          settings,
        ),
    },
    'signature: a changed, missing or repeated webhook-id is refused',
  ],
  [
    'takes a secret after its end',
    {
      verify: (delivery, secrets, settings) =>
        good.verify(
          delivery,
          secrets.map((secret) => ({ ...secret, untilMs: null })),
          settings,
        ),
    },
    'signature: any active secret confirms, and none after its end',
  ],
  [
    'throws for a stranger',
    {
      verify: (delivery, secrets, settings) => {
        if (!delivery.headers['webhook-timestamp']?.[0]) throw new Error('no time');
        return good.verify(delivery, secrets, settings);
      },
    },
    'signature: strangers get a refusal that holds no secret, and never an exception',
  ],
  [
    'loses digits',
    {
      parse: (delivery, settings) =>
        good.parse(
          { ...delivery, body: Buffer.from(JSON.stringify(JSON.parse(delivery.body.toString()))) },
          settings,
        ),
    },
    'body: data.order.number keeps its bytes, and all twenty digits of a number',
  ],
  [
    'throws for a body that ends early',
    {
      parse: (delivery, settings) => {
        JSON.parse(delivery.body.toString());
        return good.parse(delivery, settings);
      },
    },
    'body: one that ends early is refused, at every byte',
  ],
  [
    'trims ids',
    { parse: changing(({ eventId }) => ({ eventId: eventId.trim() })) },
    'body: meta.event keeps its bytes, and all twenty digits of a number',
  ],
  [
    'takes inherited words for types',
    { parse: changing(({ providerType }) => ({ type: good.types[providerType] })) },
    'types: a word it does not know is kept, and is unknown',
  ],
  [
    'hands on who somebody is',
    { parse: changing(({ facts }) => ({ facts: { ...facts, buyer: 'Ada Example' } })) },
    'facts: at most sixteen short texts, and none says who somebody is',
  ],
  [
    'makes up an id for each delivery',
    { parse: changing(() => ({ eventId: String(Math.random()) })) },
    'identity: the same bytes are the same event, and it names itself among its objects',
  ],
  [
    'answers a known event with a failure',
    { acknowledge: (known) => ({ status: known ? 409 : 200, contentType: 'text/plain', body: '' }) },
    'acknowledgement: a known event is answered with success as a new one is',
  ],
  [
    'believes any answer',
    {
      fetch: async (api) =>
        (await api.get('/x')).status === 'gone' ? 'gone' : { type: 'order.shipped', facts: {} },
    },
    'fetch: what is no answer is never taken for one',
  ],
  [
    'puts an id into an address as it is',
    {
      find: async (api, order) => {
        const answer = await api.get(`/orders/${order}`);
        if (answer.status === 'gone') return [];
        if (!Array.isArray(answer.body) || answer.body.length > 0) throw new Error('no list');
        return [];
      },
    },
    'find: no id leads a request elsewhere',
  ],
])('one that %s', async (_what, mistake, check) => {
  expect(await failing(mistake)).toContain(check);
});
