import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

import { expect, it, onTestFinished } from 'vitest';

import { callHttp } from '../../../src/effects/http.ts';
import type { HttpCall } from '../../../src/effects/http.ts';
import { answer, reset, silence, startReceiver } from './receiver.ts';
import type { Receiver, Reply } from './receiver.ts';
import { SECRET, httpHandler, request } from './order-with-effects.ts';
import { effectWorld } from './world.ts';
import { setup } from '../setup.ts';

it('[R31] resends the stored bytes under the same key to the same address, with a new time and signature', async () => {
  const shop = await startReceiver(answer(503), reset, answer(200));
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request()]);

  let now = Date.now();
  for (let round = 1; round <= 3; round += 1) {
    await world.run({ now: () => now });
    await world.age(120_000);
    now += 120_000;
  }

  expect(await world.row()).toMatchObject({ state: 'done', attempts: 3 });
  expect(shop.calls).toHaveLength(3);
  const [first, second, third] = shop.calls;
  const key = 'order/live/10%2F42%20%C3%A9/fulfil/order';
  for (const sent of shop.calls) {
    expect(sent.method).toBe('POST');
    expect(sent.path).toBe('/hooks/effect');
    expect(sent.headers['content-type']).toBe('application/json');
    expect(sent.headers['idempotency-key']).toBe(key);
    expect(sent.headers['webhook-id']).toBe(key);
    expect(sent.body.equals((first as typeof sent).body)).toBe(true);
  }
  expect(JSON.parse(String(first?.body))).toEqual({
    effect: 'fulfil',
    order: {
      machine: 'order',
      environment: 'live',
      id: '10/42 é',
      status: 'paid',
      previous: 'new',
      revision: 1,
    },
    cause: {
      source: 'shop',
      event: 'evt_1',
      type: 'payment.captured',
      object: 'payment:pi_1',
      version: '12345678901234567890',
      claimedAt: '2026-11-30T10:00:00Z',
    },
    facts: { amount: '1250', currency: 'EUR' },
  });
  const times = shop.calls.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times[1]).toBe((times[0] as number) + 120);
  expect(second?.headers['webhook-signature']).not.toBe(third?.headers['webhook-signature']);
});

it("signs each call so that the official library takes it, and refuses another secret's", async () => {
  const shop = await startReceiver();
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  await world.run();

  const [sent] = shop.calls;
  const headers = sent?.headers as Record<string, string>;
  expect(new Webhook(SECRET).verify(String(sent?.body), headers)).toMatchObject({ effect: 'fulfil' });
  expect(() => new Webhook(`whsec_${'A'.repeat(32)}`).verify(String(sent?.body), headers)).toThrow(
    'No matching signature',
  );
});

const call = (url: string, overrides: Partial<HttpCall> = {}) =>
  callHttp({
    url,
    secret: SECRET,
    key: 'order/live/1/fulfil/order',
    body: Buffer.from('{"effect":"fulfil"}'),
    allowPrivate: true,
    timeoutMs: 5_000,
    nowMs: Date.now(),
    ...overrides,
  });

async function receiver(...replies: Reply[]): Promise<Receiver> {
  const started = await startReceiver(...replies);
  onTestFinished(started.stop);
  return started;
}

/** A server that speaks no HTTP, and its port. */
async function tcpServer(onConnection: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it.each([
  ['done', [200, 201, 202, 204]],
  ['failed', [400, 401, 403, 404, 410, 413, 422]],
  ['unknown', [301, 302, 307, 408, 409, 425, 429, 500, 502, 503, 504]],
] as const)('takes for %s the answers %j', async (kind, statuses) => {
  const { url } = await receiver(...statuses.map((status) => answer(status)));
  for (const status of statuses) {
    const end = await call(url);
    expect(end.kind).toBe(kind);
    if (end.kind !== 'done') expect(end.error).toBe(`the receiver answered ${status}`);
  }
});

it('follows no redirect', async () => {
  const elsewhere = await receiver();
  const { url } = await receiver(answer(307, { location: elsewhere.url }));
  expect(await call(url)).toMatchObject({ kind: 'unknown' });
  expect(elsewhere.calls).toEqual([]);
});

it('a time-out leaves the end unknown', async () => {
  const { url, calls } = await receiver(silence);
  expect(await call(url, { timeoutMs: 150 })).toMatchObject({
    kind: 'unknown',
    error: 'no answer within 150 ms',
  });
  expect(calls).toHaveLength(1);
});

it('a reset after the request leaves the end unknown', async () => {
  const { url } = await receiver(reset);
  expect(await call(url)).toMatchObject({ kind: 'unknown', error: 'ECONNRESET' });
});

it('an answer that is no HTTP leaves the end unknown', async () => {
  const port = await tcpServer((socket) => socket.end('hello\r\n\r\n'));
  expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'unknown' });
});

it('an answer that breaks off, or never ends, counts by its status', async () => {
  const half: Reply = (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('only the beginning', () => response.socket?.destroy());
  };
  const endless: Reply = (response) => {
    response.writeHead(422);
    const more = () => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
  const { url } = await receiver(half, endless);
  expect(await call(url)).toEqual({ kind: 'done' });
  expect(await call(url)).toMatchObject({ kind: 'failed' });
});

it('a refused connection certainly did nothing', async () => {
  const stopped = await startReceiver();
  await stopped.stop();
  expect(await call(stopped.url)).toMatchObject({ kind: 'failed', error: 'ECONNREFUSED' });
});

it('a name that does not resolve certainly did nothing', async () => {
  expect(await call('http://nowhere.invalid/')).toMatchObject({ kind: 'failed' });
});

it('a TLS handshake that fails certainly did nothing, whatever was accepted below it', async () => {
  const { url, calls } = await receiver();
  expect(await call(url.replace('http:', 'https:'))).toMatchObject({ kind: 'failed' });
  expect(calls).toEqual([]);
});

it('a server that accepts and never shakes hands is a certain failure within the time limit', async () => {
  const port = await tcpServer(() => undefined);
  expect(await call(`https://127.0.0.1:${port}/`, { timeoutMs: 200 })).toMatchObject({
    kind: 'failed',
    error: 'no answer within 200 ms',
  });
});

it('says nothing of what an answer said', async () => {
  const { url } = await receiver(answer(400));
  expect(JSON.stringify(await call(url))).not.toContain('s3cret');
});

it.each(['', 'not a url', 'file:///etc/passwd', 'ftp://127.0.0.1/'])(
  'calls nothing for %j, which is no web address',
  async (url) => {
    expect(await call(url)).toMatchObject({ kind: 'failed' });
  },
);

it.each([
  '127.0.0.1',
  'localhost',
  'LOCALHOST',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '2130706433',
  '0x7f.1',
  '127.1',
])('refuses the private address %s unless the config allows it, and connects to nothing', async (host) => {
  let connections = 0;
  const port = await tcpServer(() => (connections += 1));
  const end = await call(`http://${host}:${port}/`, { allowPrivate: false });
  expect(end).toMatchObject({ kind: 'failed', error: expect.stringContaining('allowPrivate') as string });
  expect(connections).toBe(0);
});

it("hands on the receiver's Retry-After, and takes a malformed one for none", async () => {
  const { url } = await receiver(
    answer(503, { 'retry-after': '120' }),
    answer(422, { 'retry-after': '7' }),
    answer(503, { 'retry-after': '1e9' }),
  );
  expect(await call(url)).toMatchObject({ kind: 'unknown', retryAfterMs: 120_000 });
  expect(await call(url)).toMatchObject({ kind: 'failed', retryAfterMs: 7_000 });
  expect(await call(url)).toMatchObject({ kind: 'unknown', retryAfterMs: null });
});

it('[R34] honours Retry-After, also beyond the greatest delay of its own', async () => {
  const shop = await startReceiver(answer(503, { 'retry-after': '3600' }), answer(200));
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request()]);

  const result = await world.run();
  expect(result.state === 'pending' && result.delayMs).toBeGreaterThanOrEqual(3_600_000);
  await world.age(3_590_000);
  expect(await world.run()).toMatchObject({ state: 'pending', attempts: 1 });
  expect(shop.calls).toHaveLength(1);
  await world.age(10_000);
  expect(await world.run()).toEqual({ state: 'done' });
});
