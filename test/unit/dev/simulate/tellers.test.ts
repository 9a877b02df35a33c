import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../../src/config/check.ts';
import type { Config, Source } from '../../../../src/config/resolved.ts';
import { createTeller } from '../../../../src/dev/simulate/create-teller.ts';
import { guard } from '../../../../src/dev/simulate/guard.ts';
import { sign } from '../../../../src/dev/simulate/sign.ts';
import type { Forgery } from '../../../../src/dev/simulate/plan.ts';
import { LIFE } from '../../../../src/dev/simulate/teller.ts';
import type { Teller, ToldEvent } from '../../../../src/dev/simulate/teller.ts';
import { isRefusal } from '../../../../src/providers/provider.ts';
import { order as machine } from '../../../../machines/order.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function configOf(): Config {
  const common = {
    environment: 'test',
    machine: 'order',
    unknownTypes: 'reject',
    secrets: [{ id: 'a', value: SECRET }],
  };
  const http = { kind: 'http', url: 'https://shop.example/', secret: SECRET };
  const sources = {
    stripe: {
      ...common,
      provider: 'stripe',
      apiKey: 'rk_test',
      mode: 'test',
      order: ['metadata.shop_order', 'client_reference_id'],
    },
    own: {
      ...{ ...common, provider: 'standard-webhooks', contract: 'sequence', first: '1' },
      paths: {
        id: 'id',
        type: 'kind.of',
        order: 'data.order',
        object: 'data.order',
        version: 'data.no',
        time: 'at',
      },
    },
    sandbox: { ...common, provider: 'sandbox' },
    production: { ...common, provider: 'sandbox', environment: 'live' },
  };
  const effects = Object.fromEntries(Object.keys(machine.effects).map((name) => [name, http]));
  const checked = checkConfig({ machines: [machine], sources, effects }, 'inorder.config.ts', {});
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  return checked.config;
}

const config = configOf();
const sourceOf = (name: string): Source => {
  const source = config.sources.get(name);
  if (source === undefined) throw new Error(name);
  return source;
};
const tell = (teller: Teller, order: string, word: string): ToldEvent[] =>
  [...teller.tell(order, word)].flat();

/** What the adapter makes of it: verified, then parsed. */
function received(source: Source, event: ToldEvent, forgery: Forgery | null = null) {
  const nowMs = Date.now();
  const { headers, body } = sign(source, event, forgery, nowMs);
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]),
  );
  const delivery = { source: source.name, headers: lowered, body, url: '', receivedAtMs: nowMs };
  const verified = source.provider.verify(delivery, source.secrets, source.settings);
  return { verified, parsed: isRefusal(verified) ? [] : source.provider.parse(delivery, source.settings) };
}

describe.each(['stripe', 'own', 'sandbox'])('what is told by %s', (name) => {
  const source = sourceOf(name);

  it('is what its adapter takes, for every word and for a life, and names the order', () => {
    const teller = createTeller(config, source, 'seed');
    expect(teller.words.length).toBeGreaterThan(10);
    for (const word of [LIFE, ...teller.words]) {
      const events = tell(teller, `order of ${word}`, word);
      expect({ word, types: events.map(({ type }) => type) }).toMatchObject({
        types: word === LIFE ? expect.any(Array) : expect.arrayContaining([word]),
      });
      for (const event of events) {
        const { verified, parsed } = received(source, event);
        expect(verified).toEqual({ secretId: 'a' });
        expect(parsed).toMatchObject([{ providerType: event.type }]);
      }
      const named = events
        .flatMap((event) => received(source, event).parsed)
        .map((item) => ('order' in item ? item.order : undefined));
      expect({ word, named }).toMatchObject({ named: expect.arrayContaining([`order of ${word}`]) });
    }
  });

  it('has an id of its own, and the same ids from the same seed', () => {
    const ids = (seed: string) => tell(createTeller(config, source, seed), '1', LIFE).map(({ id }) => id);
    expect(ids('a')).toEqual(ids('a'));
    expect(ids('a').filter((id) => ids('b').includes(id))).toEqual([]);
  });

  it('is refused when a stranger says it', () => {
    const [event] = tell(createTeller(config, source, 'seed'), '1', LIFE);
    for (const forgery of ['wrong secret', 'changed byte', 'old time'] as const) {
      expect(event && received(source, event, forgery).verified).toHaveProperty('refused');
    }
  });
});

it('an order goes on from call to call: what it has had is not told twice', () => {
  const teller = createTeller(config, sourceOf('stripe'), 'seed');
  const types = (word: string) => tell(teller, '1042', word).map(({ type }) => type);
  expect(types('payment_intent.succeeded')).toContain('charge.succeeded');
  expect(types('charge.refunded')).toEqual(['refund.created', 'charge.refunded']);
  const versions = createTeller(config, sourceOf('own'), 'seed');
  const numbers = ['order.created', 'order.shipped'].map((word) => tell(versions, '1', word)[0]?.body ?? '');
  expect(numbers.map((body) => (JSON.parse(body) as { data: { no: number } }).data.no)).toEqual([1, 2]);
});

it('orders that are told side by side tell only of themselves', () => {
  const teller = createTeller(config, sourceOf('stripe'), 'seed');
  const [one, two] = [teller.tell('1', LIFE), teller.tell('2', LIFE)];
  const told: ToldEvent[] = [];
  for (const events of one) {
    told.push(...events);
    two.next();
  }
  expect(told).toHaveLength(16);
  expect(JSON.stringify(told)).not.toMatch(/shop_order[\\": ]+2/);
});

it('what could harm has to be meant, and said', () => {
  const here = new URL('http://127.0.0.1:8080');
  const there = new URL('https://shop.example');
  const [test, production] = [sourceOf('sandbox'), sourceOf('production')];
  guard(test, here, { order: false, yes: false });
  guard(test, there, { order: false, yes: true });
  guard(production, here, { order: true, yes: true });
  expect(() => guard(test, there, { order: true, yes: false })).toThrow(
    'https://shop.example is another machine',
  );
  for (const said of [
    { order: false, yes: true },
    { order: true, yes: false },
  ]) {
    expect(() => guard(production, here, said)).toThrow('goods leave');
  }
});
