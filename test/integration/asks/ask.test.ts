import { expect, it, onTestFinished } from 'vitest';

import { createAsk } from '../../../activities/ask.ts';
import { createFind } from '../../../activities/find.ts';
import type { Config, Source } from '../../../src/config/resolved.ts';
import type { SandboxServer } from '../../../src/dev/sandbox/server.ts';
import { startSandbox } from '../../../src/dev/sandbox/server.ts';
import type { Story } from '../../../src/dev/sandbox/story.ts';
import { World } from '../../../src/dev/sandbox/world.ts';
import { factOf } from '../../../src/fact.ts';
import { createLog } from '../../../src/log.ts';
import type { ProviderSnapshot } from '../../../src/providers/provider.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { sourceSettings } from '../../../src/providers/conformance/world.ts';

const ORDER = '1042/é';
const KEY = { machine: 'order', environment: 'live', id: ORDER };
const PAYMENT = 'payment:pi_1';
const STREAM = `money/${PAYMENT}`;
const story = { order: ORDER, numericOrder: false } as Story;

interface Asking {
  api: SandboxServer;
  world: World;
  ask: ReturnType<typeof createAsk>;
  find: ReturnType<typeof createFind>;
}

/** A source of the sandbox's payments, with an answer to give about one refunded payment. */
async function asking(overrides: Partial<Source> = {}, now: () => number = Date.now): Promise<Asking> {
  const world = new World();
  const happen = (type: string, data: Record<string, string>) =>
    world.happen(story, { object: PAYMENT, type, payment: null, data }, Date.now());
  happen('payment.captured', { amount: '1250', currency: 'EUR', name: 'Anna' });
  happen('payment.partially_refunded', { amount: '500', refund: 're_1', currency: 'EUR' });
  const api = await startSandbox(world, { payments: 'key-of-the-api' });
  onTestFinished(() => api.close());
  const source = {
    name: 'money',
    provider: sandbox,
    settings: sourceSettings({ name: 'money' }),
    api: { base: `${api.url}/payments`, key: 'key-of-the-api', perSecond: 100, timeoutMs: 5_000 },
    types: {},
    ...overrides,
  } as Source;
  const config = { sources: new Map([['money', source]]) } as unknown as Config;
  const deps = { config, log: createLog('silent', 'test'), now };
  return { api, world, ask: createAsk(deps), find: createFind(deps) };
}

it('turns an answer into a snapshot: canonical version, the fact an event would have, every refund', async () => {
  let now = 1_000;
  const { ask } = await asking({}, () => now++);
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toEqual({
    kind: 'snapshot',
    snapshot: {
      stream: STREAM,
      type: 'payment.partially_refunded',
      version: '2',
      payment: 'pi_1',
      fact: factOf('payment.partially_refunded', { amount: '500', refund: 're_1', currency: 'EUR' }),
      facts: { amount: '500', refund: 're_1', currency: 'EUR' },
      asOf: 1_000,
      parts: [
        {
          type: 'payment.partially_refunded',
          fact: factOf('payment.partially_refunded', { amount: '500', refund: 're_1', currency: 'EUR' }),
          facts: { amount: '500', refund: 're_1', currency: 'EUR' },
        },
      ],
    },
  });
});

it('an object that the provider does not know is gone, which is not the same as unavailable', async () => {
  const { ask } = await asking({}, () => 7);
  const stream = 'money/payment:pi_unknown';
  expect(await ask({ key: KEY, stream, n: 1 })).toEqual({ kind: 'gone', stream, asOf: 7 });
});

it("finds an order's objects as streams of its source; an unknown order has none", async () => {
  const { find } = await asking();
  expect(await find({ key: KEY, source: 'money' })).toEqual({
    kind: 'found',
    source: 'money',
    streams: [STREAM],
  });
  expect(await find({ key: { ...KEY, id: 'unknown' }, source: 'money' })).toEqual({
    kind: 'found',
    source: 'money',
    streams: [],
  });
});

it('the API down: returned as unavailable, and answered when it is back', async () => {
  const { api, ask, find } = await asking({}, () => 7);
  api.setMood({ down: 2 });
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toEqual({
    kind: 'unavailable',
    stream: STREAM,
    asOf: 7,
    error: 'the API answered 503',
    retryAfterMs: null,
  });
  expect(await find({ key: KEY, source: 'money' })).toEqual({
    kind: 'unavailable',
    source: 'money',
    error: 'the API answered 503',
    retryAfterMs: null,
  });
  expect(await ask({ key: KEY, stream: STREAM, n: 2 })).toMatchObject({ kind: 'snapshot' });
});

it('the API not there at all is unavailable, too', async () => {
  const { api, ask } = await asking();
  await api.close();
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'unavailable',
    error: 'no connection to the API (ECONNREFUSED)',
  });
});

it('the API slow: given up after the time limit, which one answer never exceeds', async () => {
  const { api, ask } = await asking();
  const { api: slow, ask: askSlow } = await asking({
    api: { base: `${api.url}/payments`, key: 'key-of-the-api', perSecond: 100, timeoutMs: 150 },
  });
  await slow.close();
  api.setMood({ delayMs: 20_000 });
  expect(await askSlow({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'unavailable',
    error: 'no answer from the API within 150 ms',
  });
  api.setMood({ delayMs: 0 });
  expect(await ask({ key: KEY, stream: STREAM, n: 2 })).toMatchObject({ kind: 'snapshot' });
});

it('the API lagging: its answer is told with the version it has, for the core to refuse', async () => {
  const { api, ask } = await asking();
  api.setMood({ versionsBehind: 1 });
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'snapshot',
    snapshot: { version: '1', type: 'payment.captured' },
  });
  // A replica that has not heard of the object at all.
  api.setMood({ versionsBehind: 2 });
  expect(await ask({ key: KEY, stream: STREAM, n: 2 })).toMatchObject({ kind: 'gone' });
});

it.each(['another_object', 'a_page', 'half', 'an_unknown_type'] as const)(
  'the API wrong (%s): no answer, and nothing of it is repeated',
  async (wrong) => {
    const { api, ask } = await asking();
    api.setMood({ wrong });
    const answer = await ask({ key: KEY, stream: STREAM, n: 1 });
    expect(answer).toMatchObject({ kind: 'unavailable', retryAfterMs: null });
    expect(JSON.stringify(answer)).not.toMatch(/doctype|somebody|strange|re_1/);
  },
);

it("a type that only the source's own map knows is read by it, as an event's is", async () => {
  const refunds = (body: unknown) =>
    (body as { refunds: unknown[] }).refunds.length > 0 ? 'payment.refunded' : null;
  const { api, ask } = await asking({ types: { 'object.became_strange': refunds } });
  api.setMood({ wrong: 'an_unknown_type' });
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'snapshot',
    snapshot: { type: 'payment.refunded', version: '2' },
  });
  api.setMood({ wrong: 'an_unknown_type', versionsBehind: 1 });
  expect(await ask({ key: KEY, stream: STREAM, n: 2 })).toMatchObject({
    kind: 'snapshot',
    snapshot: { type: null, version: '1' },
  });
});

it("a function of the team's that throws makes the answer unavailable", async () => {
  const { ask } = await asking({
    types: {
      'payment.partially_refunded': () => {
        throw new Error('no such field');
      },
    },
  });
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'unavailable',
    error: expect.stringMatching(/^types: Error at ask\.test\.ts:\d+$/) as string,
  });
});

it('too many requests: told with how long the provider wants to be left alone', async () => {
  const { api, ask } = await asking();
  api.setMood({ perSecond: 0 });
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'unavailable',
    error: 'the API answered 429',
    retryAfterMs: 1_000,
  });
});

it('a wrong key is unavailable, not gone', async () => {
  const { api } = await asking();
  const { ask } = await asking({
    api: { base: `${api.url}/payments`, key: 'a wrong key', perSecond: 100, timeoutMs: 5_000 },
  });
  const answer = await ask({ key: KEY, stream: STREAM, n: 1 });
  expect(answer).toMatchObject({ kind: 'unavailable', error: 'the API answered 401' });
  expect(JSON.stringify(answer)).not.toContain('a wrong key');
});

it('an answer that names another order is told as one, and not as what it says', async () => {
  const { ask } = await asking();
  expect(await ask({ key: { ...KEY, id: 'another' }, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'other',
    order: KEY.id,
  });
});

const answering = (answer: () => ProviderSnapshot) =>
  asking({ provider: { ...sandbox, fetch: () => Promise.resolve().then(answer) } });

it('an adapter that cannot cope with an answer makes it unavailable, without saying what was in it', async () => {
  const { ask } = await answering(() => {
    throw new TypeError('cannot read \'x\' of {"card":"4242"}');
  });
  expect(await ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    kind: 'unavailable',
    error: expect.stringMatching(
      /^the adapter could not read the answer \(TypeError at ask\.test\.ts:\d+\)$/,
    ) as string,
  });
});

it('versions of an answer are made canonical, and what is none makes it no answer', async () => {
  const facts = {};
  const instant = await answering(() => ({ type: 't', version: '2026-11-30T11:00:00.50+01:00', facts }));
  expect(await instant.ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    snapshot: { version: '2026-11-30T10:00:00.5Z' },
  });
  const huge = await answering(() => ({ type: 't', version: '0012345678901234567890', facts }));
  expect(await huge.ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({
    snapshot: { version: '12345678901234567890' },
  });
  const none = await answering(() => ({ type: 't', facts }));
  expect(await none.ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({ snapshot: { version: null } });
  const bad = await answering(() => ({ type: 't', version: 'yesterday', facts }));
  expect(await bad.ask({ key: KEY, stream: STREAM, n: 1 })).toMatchObject({ kind: 'unavailable' });
});

it('throws only when it could never be asked', async () => {
  const { ask, find } = await asking({ api: null });
  await expect(ask({ key: KEY, stream: STREAM, n: 1 })).rejects.toThrow('has no API to ask');
  await expect(ask({ key: KEY, stream: 'other/x', n: 1 })).rejects.toThrow('not in this worker');
  await expect(ask({ key: KEY, stream: 'no slash', n: 1 })).rejects.toThrow('<source>/<object>');
  await expect(find({ key: KEY, source: 'money' })).rejects.toThrow('has no API to ask');
});
