import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/dev/sandbox/random.ts';
import { startSandbox, type SandboxServer } from '../../../../src/dev/sandbox/server.ts';
import { tellStories } from '../../../../src/dev/sandbox/stories.ts';
import type { Story } from '../../../../src/dev/sandbox/story.ts';
import { World } from '../../../../src/dev/sandbox/world.ts';
import { createApiClient } from '../../../../src/providers/api-client.ts';
import { readAnswer } from '../../../../src/providers/read-answer.ts';
import { sandbox as provider } from '../../../../src/providers/sandbox.ts';
import { sourceSettings } from '../../../../src/providers/conformance/world.ts';

const settings = sourceSettings({ name: 'payments', environment: 'demo', toleranceMs: 1 });
const storyOf = (title: string): Story =>
  tellStories(400, createRandom('server')).find((story) => story.title === title) as Story;

describe('the sandbox API', () => {
  const story = storyOf('all of the money went back');
  const payment = story.happenings.find(({ object }) => object.startsWith('payment:'))?.object as string;
  const versions = story.happenings.filter(({ object }) => object === payment).length;
  let server: SandboxServer;

  beforeEach(async () => {
    const world = new World();
    for (const happening of story.happenings) world.happen(story, happening, 0);
    server = await startSandbox(world, { shop: 'key_s', payments: 'key_p' });
  });
  afterEach(() => server.close());

  const ask = (path: string, key = 'key_p') =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const client = () => createApiClient({ base: `${server.url}/payments`, key: 'key_p', timeoutMs: 300 });
  const fetchPayment = async () => await provider.fetch?.(client(), payment, settings);

  it('answers with what its adapter reads: state, version, each refund', async () => {
    const refunds = story.happenings.filter(({ data }) => data['refund'] !== undefined);
    expect(await fetchPayment()).toMatchObject({
      type: 'payment.refunded',
      version: String(versions),
      order: story.order,
      facts: { refund: refunds.at(-1)?.data['refund'] },
      parts: refunds.map(({ data }) => ({ facts: { refund: data['refund'] } })),
    });
  });

  it('lists of an order what belongs to the provider that is asked', async () => {
    const objects = await provider.find?.(client(), story.order, settings);
    expect(objects).toContain(payment);
    expect(objects?.filter((object) => object.startsWith('order:'))).toEqual([]);
    expect(await provider.find?.(client(), 'nobody', settings)).toEqual([]);
  });

  it('knows nothing of other providers, other objects and other keys', async () => {
    const path = encodeURIComponent(payment);
    expect((await ask(`/shop/objects/${path}`, 'key_s')).status).toBe(404);
    expect((await ask('/payments/objects/payment%3Anone')).status).toBe(404);
    expect((await ask('/constructor/objects/x')).status).toBe(404);
    expect((await ask(`/payments/objects/${path}`, 'key_s')).status).toBe(401);
    expect(await provider.fetch?.(client(), 'payment:none', settings)).toBe('gone');
  });

  it('is down for as many requests as was said', async () => {
    server.setMood({ down: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i++)
      statuses.push((await ask(`/payments/objects/${encodeURIComponent(payment)}`)).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(server.asked).toBe(3);
  });

  it('is slower than the client waits', async () => {
    server.setMood({ delayMs: 2_000 });
    await expect(fetchPayment()).rejects.toThrow('within 300 ms');
  });

  it('lags by as many versions as was said', async () => {
    server.setMood({ versionsBehind: 1 });
    expect(await fetchPayment()).toMatchObject({ version: String(versions - 1) });
    server.setMood({ versionsBehind: versions });
    expect(await fetchPayment()).toBe('gone');
  });

  it.each(['another_object', 'a_page', 'half', 'an_unknown_type'] as const)(
    'gives %s instead of an answer, and the adapter does not believe it',
    async (wrong) => {
      server.setMood({ wrong });
      const read = async () => {
        const answer = await fetchPayment();
        return answer === undefined || answer === 'gone'
          ? answer
          : readAnswer(answer, { stream: 's', asOf: 0, types: {} });
      };
      await expect(read()).rejects.toThrow(/answer/);
      server.setMood({ wrong: null });
      expect(await fetchPayment()).toMatchObject({ type: 'payment.refunded' });
    },
  );

  it('refuses more requests than its limit, and says when to come back', async () => {
    server.setMood({ perSecond: 2 });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => ask(`/payments/orders/${story.order}`)),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  it('takes a mood over HTTP, and none that it does not know', async () => {
    const change = (body: string) => fetch(`${server.url}/admin/mood`, { method: 'POST', body });
    expect(await (await change('{"down":1,"delayMs":5}')).json()).toMatchObject({ down: 1, delayMs: 5 });
    for (const body of ['{"dwon":1}', '{"delayMs":-1}', '{"wrong":"everything"}', 'down', '[]x', 'null']) {
      expect((await change(body)).status, body).toBe(400);
    }
    expect(await (await fetch(`${server.url}/admin/mood`)).json()).toMatchObject({ down: 1, delayMs: 5 });
  });
});

describe('the world', () => {
  it('answers of each moment with what was announced until then', () => {
    for (const story of tellStories(150, createRandom('world'))) {
      const world = new World();
      for (const happening of story.happenings) {
        const event = world.happen(story, happening, 0);
        const answer = world.answerAbout(event.object);
        expect(answer === null || answer.version === event.version).toBe(true);
        if (answer !== null && answer.type === event.type) expect(answer.data).toEqual(happening.data);
      }
    }
  });

  it('writes the order as a number where the story says so', () => {
    const story = tellStories(20, createRandom('n')).find(({ numericOrder }) => numericOrder) as Story;
    const { body } = new World().happen(story, story.happenings[0] as Story['happenings'][0], 0);
    expect(body).toContain(`"order":${story.order},`);
    expect(story.order).toMatch(/^\d{20}$/);
  });
});
