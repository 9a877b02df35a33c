import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';

import { ApiUnavailable, createApiClient } from '../../../src/providers/api-client.ts';
import type { ApiSettings } from '../../../src/providers/api-client.ts';

const KEY = 'sk_s3cret';

async function api(reply: (request: IncomingMessage, response: ServerResponse) => void): Promise<{
  url: string;
  requests: IncomingMessage[];
}> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    reply(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const client = (base: string, settings: Partial<ApiSettings> = {}) =>
  createApiClient({ base, key: KEY, timeoutMs: 5_000, ...settings });

async function failure(get: Promise<unknown>): Promise<ApiUnavailable> {
  const error: unknown = await get.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiUnavailable);
  const unavailable = error as ApiUnavailable;
  // Whatever went wrong, neither key nor body is told (R4).
  expect(`${unavailable.message} ${String(unavailable.stack)}`).not.toMatch(/s3cret|private/);
  return unavailable;
}

it('reads JSON below the base, with the bearer, and keeps every digit of large numbers', async () => {
  const { url, requests } = await api((_, response) =>
    response.end('{"id":12345678901234567890,"n":1.5,"small":42,"text":"1e400"}'),
  );
  for (const base of [`${url}/v1`, `${url}/v1/`]) {
    expect(await client(base).get('/objects/payment%3Api_1?expand=refunds')).toEqual({
      status: 'ok',
      body: { id: '12345678901234567890', n: 1.5, small: 42, text: '1e400' },
    });
  }
  expect(requests.map((request) => request.url)).toEqual(
    Array(2).fill('/v1/objects/payment%3Api_1?expand=refunds'),
  );
  expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, accept: 'application/json' });
});

it('sends no bearer where there is none', async () => {
  const { url, requests } = await api((_, response) => response.end('{}'));
  await client(url, { key: null }).get('/x');
  expect(requests[0]?.headers.authorization).toBeUndefined();
});

it("sends what the adapter wants beside the bearer, never in the bearer's place", async () => {
  const { url, requests } = await api((_, response) => response.end('{}'));
  const headers = { 'shop-version': '2026-11-01', authorization: 'Basic b3RoZXI=' };
  await client(url, { headers }).get('/x');
  expect(requests[0]?.headers).toMatchObject({
    'shop-version': '2026-11-01',
    authorization: `Bearer ${KEY}`,
  });
});

it.each([404, 410])('%i means gone', async (status) => {
  const { url } = await api((_, response) => response.writeHead(status).end('{"private":1}'));
  expect(await client(url).get('/x')).toEqual({ status: 'gone' });
});

it.each([400, 401, 403, 409, 429, 500, 503])('%i means not now', async (status) => {
  const { url } = await api((_, response) =>
    response.writeHead(status, { 'retry-after': '30' }).end('{"private":1}'),
  );
  const error = await failure(client(url).get('/x'));
  expect(error).toMatchObject({ message: `the API answered ${status}`, retryAfterMs: 30_000 });
});

it('follows no redirect, so that the bearer goes nowhere else', async () => {
  const elsewhere = await api((_, response) => response.end('{}'));
  const { url } = await api((_, response) =>
    response.writeHead(302, { location: `${elsewhere.url}/stolen` }).end(),
  );
  expect((await failure(client(url).get('/x'))).message).toBe('the API answered 302');
  expect(elsewhere.requests).toEqual([]);
});

it('refuses a path that leads away from the base, before anything is sent', async () => {
  const { url, requests } = await api((_, response) => response.end('{}'));
  for (const path of ['x', '', '/../admin', '/a/../../admin', '/%2e%2e/admin', '/\\../..\\admin']) {
    await expect(client(`${url}/v1`).get(path)).rejects.toThrow('an API path');
  }
  await expect(client(url).get('@elsewhere.example/')).rejects.toThrow('an API path');
  expect(requests).toEqual([]);
});

it('an empty segment stays a path of the same host', async () => {
  const { url, requests } = await api((_, response) => response.end('{}'));
  await client(url).get('//elsewhere.example/x');
  expect(requests.map((request) => request.url)).toEqual(['//elsewhere.example/x']);
});

it('gives up on an answer that is too large, also one that does not say so', async () => {
  const { url } = await api((_, response) => {
    const more = () => {
      while (response.write(`"private ${'x'.repeat(10_000)}"`));
    };
    response.on('drain', more);
    more();
  });
  const error = await failure(client(url, { maxBytes: 50_000 }).get('/x'));
  expect(error.message).toBe("the API's answer is larger than 50000 bytes");
});

it('gives up when the time is over, before the headers or within the body', async () => {
  const silent = await api(() => undefined);
  const dripping = await api((_, response) => void response.write('{"private":'));
  for (const { url } of [silent, dripping]) {
    const error = await failure(client(url, { timeoutMs: 150 }).get('/x'));
    expect(error.message).toBe('no answer from the API within 150 ms');
  }
});

it.each(['', '<html>private</html>', '{"private": ', '{"n":12345678901234567890', '﻿'])(
  'takes %j for no answer',
  async (body) => {
    const { url } = await api((_, response) => response.end(body));
    expect((await failure(client(url).get('/x'))).message).toBe("the API's answer is not JSON");
  },
);

it('names the code when no connection can be made or it breaks', async () => {
  const broken = await api((request) => request.socket.destroy());
  expect((await failure(client(broken.url).get('/x'))).message).toMatch(
    /^no connection to the API \(UND_ERR/,
  );
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const error = await failure(client(`http://127.0.0.1:${port}`).get('/x'));
  expect(error.message).toBe('no connection to the API (ECONNREFUSED)');
});
