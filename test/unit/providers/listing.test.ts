/** What adapters list: the events of webhooks again, read by the same function, in pages. */
import { describe, expect, test } from 'vitest';
import type { ApiClient, ListRequest, SourceSettings } from '../../../src/providers/provider.ts';
import { sourceSettings } from '../../../src/providers/conformance/world.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { standardWebhooks } from '../../../src/providers/standard-webhooks.ts';
import { wantedTypes } from '../../../src/providers/stripe/list.ts';
import { stripe } from '../../../src/providers/stripe/stripe.ts';
import { answerAsStripe } from '../../../src/dev/stripe/answer.ts';
import { StripeStory } from '../../../src/dev/stripe/story.ts';
import { StripeWorld } from '../../../src/dev/stripe/world.ts';
import { anySenderWorld, sandboxWorld } from './worlds.ts';

const WINDOW = { sinceMs: Date.UTC(2026, 10, 30, 10), untilMs: Date.UTC(2026, 10, 30, 11), cursor: null };

function answering(answer: (path: string) => unknown): ApiClient & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get: (path) => {
      asked.push(path);
      return Promise.resolve({ status: 'ok', body: answer(path) });
    },
  };
}

const delivered = (body: Buffer) => ({ source: 's', headers: {}, body, url: '', receivedAtMs: 0 });

describe('Stripe', () => {
  const second = WINDOW.sinceMs / 1_000;
  const world = new StripeWorld({ seed: 'list' });
  for (let index = 0; index < 60; index += 1) {
    const story = new StripeStory(world, { order: `o${index}`, startedAt: second + index, secondsApart: 1 });
    const { payment } = story.beginPayment();
    story.succeedPayment(payment);
    story.refundPayment(payment, 100);
  }
  const settings = sourceSettings({ name: 'stripe', orderPaths: ['metadata.order_id'], mode: 'live' });
  const api = () => answering((path) => answerAsStripe(world, path).body);

  async function listAll(request: ListRequest, of: SourceSettings = settings) {
    const client = api();
    const items = [];
    let cursor = request.cursor;
    do {
      const page = await stripe.list?.(client, { ...request, cursor }, of);
      items.push(...(page?.items ?? []));
      cursor = page?.next ?? null;
    } while (cursor !== null);
    return { items, asked: client.asked };
  }

  test('lists every event of a type that somebody wants, once, as its webhook tells it', async () => {
    const { items, asked } = await listAll(WINDOW);
    const wanted = new Set(wantedTypes(settings).flat());
    const told = world.events.filter(({ type }) => wanted.has(type));
    expect(told.length).toBeGreaterThan(200);
    const listed = items.map(({ parsed }) => ('eventId' in parsed ? parsed.eventId : ''));
    expect(listed.toSorted()).toEqual(told.map(({ id }) => id).sort());
    for (const { parsed } of items) {
      const event = world.events.find(({ id }) => 'eventId' in parsed && id === parsed.eventId);
      expect([parsed]).toEqual(stripe.parse(delivered(Buffer.from(event?.body ?? '')), settings));
    }
    expect(asked.length).toBeLessThan(10);
  });

  test('asks for at most twenty types at once, and for none that this source does not want', async () => {
    const lists = wantedTypes({
      ...settings,
      types: { 'charge.refunded': null, 'invoice.paid': 'order.updated' },
    });
    expect(lists.flat()).toContain('invoice.paid');
    expect(lists.flat()).not.toContain('charge.refunded');
    expect(lists.flat()).not.toContain('charge.updated');
    expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(20);
    const { items } = await listAll({ ...WINDOW, sinceMs: WINDOW.sinceMs + 70_000 });
    expect(items).toEqual([]);
  });

  test('takes no events of the other mode for an answer', async () => {
    await expect(stripe.list?.(api(), WINDOW, { ...settings, mode: 'test' })).rejects.toThrow(
      'of different modes',
    );
  });
});

test('the sandbox lists what its webhooks tell, with every digit of a long number', async () => {
  const change = { ...sandboxWorld.sample(), order: '83897661450506690003' };
  const api = answering(() => ({ changes: [change, { id: 'broken' }], next: '100' }));
  const page = await sandbox.list?.(api, WINDOW, sandboxWorld.settings);
  expect(api.asked).toEqual([
    '/changes?since=2026-11-30T10%3A00%3A00.000Z&until=2026-11-30T11%3A00%3A00.000Z',
  ]);
  expect(page).toMatchObject({
    items: [
      { parsed: { eventId: 'evt_1', order: '83897661450506690003' } },
      { parsed: { refused: 'field_missing' } },
    ],
    next: '100',
  });
});

describe('a sender of its own', () => {
  const { settings } = anySenderWorld;

  test('lists by its template and paths, and what is no event is refused alone', async () => {
    const api = answering(() => ({ data: [anySenderWorld.sample(), 7], next: 'b&c' }));
    const page = await standardWebhooks.list?.(api, { ...WINDOW, cursor: 'a/b' }, settings);
    expect(api.asked).toEqual([
      '/events?since=2026-11-30T10%3A00%3A00.000Z&until=2026-11-30T11%3A00%3A00.000Z&after=a%2Fb',
    ]);
    expect(page).toMatchObject({
      items: [
        { parsed: { eventId: 'e-1', object: 'invoice:inv-1', version: '7' } },
        { parsed: { refused: 'field_invalid' } },
      ],
      next: 'b&c',
    });
    await expect(
      standardWebhooks.list?.(
        answering(() => ({ data: [], next: 'same' })),
        { ...WINDOW, cursor: 'same' },
        settings,
      ),
    ).rejects.toThrow('names the same page');
  });

  test('finds the id that its webhooks have in a header where the list says it', async () => {
    const list = { request: '/events?since={sinceSeconds}', of: 'events', paths: { id: 'msg' } } as const;
    const own = sourceSettings({ paths: { order: 'order' }, requests: { list } });
    const api = answering(() => [{ msg: 'm1', type: 'order.cancelled', order: '1' }]);
    const page = await standardWebhooks.list?.(api, WINDOW, own);
    expect(page).toMatchObject({ items: [{ parsed: { eventId: 'm1', object: 'order:1' } }], next: null });
    expect(api.asked).toEqual([`/events?since=${WINDOW.sinceMs / 1_000}`]);
  });

  test('lists objects as news of their own: known the next time, unless something changed', async () => {
    const list = { request: '/orders?since={since}', of: 'objects', paths: { type: 'status' } } as const;
    const idsOf = async (body: unknown, paths: Record<string, string>) => {
      const own = sourceSettings({
        paths: { order: 'order', ...paths },
        requests: { list, fetch: '/{object}' },
      });
      const page = await standardWebhooks.list?.(
        answering(() => body),
        WINDOW,
        own,
      );
      return page?.items.map(({ parsed }) => ('eventId' in parsed ? parsed.eventId : parsed.message));
    };
    const order = { order: '1', status: 'order.cancelled', version: 7, seen: 'now' };
    const [first] = (await idsOf([order], { version: 'version' })) ?? [];
    expect(first).toMatch(/^listed:[0-9a-f]{40}$/);
    expect(await idsOf([{ ...order, seen: 'later' }], { version: 'version' })).toEqual([first]);
    expect(await idsOf([{ ...order, version: 8 }], { version: 'version' })).not.toEqual([first]);
    const [hint] = (await idsOf([order], {})) ?? [];
    expect(await idsOf([{ ...order, status: 'order.shipped' }], {})).not.toEqual([hint]);
    expect(await idsOf([{ ...order, version: 8 }], {})).toEqual([hint]);
  });
});
