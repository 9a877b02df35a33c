import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sandbox } from '../../../src/providers/sandbox.ts';
import { bodyOf, signed, startWorld } from './world.ts';
import type { World } from './world.ts';

const SMALL = 4_096;

let world: World;
beforeAll(async () => {
  world = await startWorld({
    sources: {
      shop: { maxBytes: SMALL },
      forms: { provider: { ...sandbox, mediaTypes: ['application/x-www-form-urlencoded'] } },
    },
    limits: { bodyTimeoutMs: 300 },
  });
});
afterAll(() => world.cleanup());

/** A body of exactly this many bytes. */
function bodyOfSize(bytes: number): Buffer {
  const empty = bodyOf({ id: `evt_${String(bytes)}`, data: { note: '' } });
  return bodyOf({ id: `evt_${String(bytes)}`, data: { note: 'x'.repeat(bytes - empty.length) } });
}

const secondsFromNow = (seconds: number) => ({ atMs: Date.now() + seconds * 1_000 });

describe('what is not authentic', () => {
  it('[R1] is refused with 401 by name, whatever is wrong with it', async () => {
    const body = bodyOf();
    const good = signed(body);
    const without = (name: string) =>
      Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
    const cases: [string, Record<string, string>][] = [
      ['signature_missing', without('webhook-signature')],
      ['timestamp_missing', without('webhook-timestamp')],
      ['signature_invalid', signed(body, { secret: 'whsec_c29tZWJvZHktZWxzZXMtc2VjcmV0LTAwMDE=' })],
      ['signature_invalid', { ...good, 'webhook-id': 'msg_other' }],
      ['signature_invalid', { ...good, 'webhook-signature': 'v1,' }],
      ['timestamp_unit', { ...good, 'webhook-timestamp': String(Date.now()) }],
      ['timestamp_outside', signed(body, secondsFromNow(-302))],
      ['timestamp_outside', signed(body, secondsFromNow(3_600))],
    ];
    for (const [error, headers] of cases) {
      expect(await world.post(body, headers), error).toMatchObject({ status: 401, body: { error } });
    }
    expect(await world.rows()).toEqual([]);
  });

  it('[R2] on either side of the window’s edge is told apart', async () => {
    for (const [seconds, status] of [
      [-298, 202],
      [298, 202],
      [-302, 401],
      [302, 401],
    ] as const) {
      const body = bodyOf();
      expect((await world.post(body, signed(body, secondsFromNow(seconds)))).status, String(seconds)).toBe(
        status,
      );
    }
  });

  it('[R1] is found out before anything parses it: broken bytes with a bad signature are 401, not 400', async () => {
    const body = Buffer.from('{"broken');
    expect(await world.post(body, signed('other'))).toMatchObject({ body: { error: 'signature_invalid' } });
    expect(await world.post(body, signed(body))).toMatchObject({
      status: 400,
      body: { error: 'body_truncated' },
    });
  });
});

describe('what is authentic and cannot be taken', () => {
  it('[R2] is refused with 400 or 422 by name', async () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    const event = JSON.parse(bodyOf().toString()) as Record<string, unknown>;
    const cases: [number, string, Buffer][] = [
      [400, 'body_empty', Buffer.alloc(0)],
      [400, 'body_truncated', bodyOf().subarray(0, 40)],
      [400, 'body_malformed', Buffer.from('not json')],
      [400, 'body_malformed', Buffer.from([0xff, 0xfe, 0x00])],
      [400, 'body_malformed', json([event])],
      [400, 'field_missing', json({ ...event, id: undefined })],
      [400, 'field_missing', json({ ...event, type: undefined })],
      [400, 'field_missing', json({ ...event, object: undefined })],
      [400, 'field_invalid', json({ ...event, id: { nested: true } })],
      [400, 'field_invalid', json({ ...event, version: 'one' })],
      [422, 'type_unknown', json({ ...event, type: 'payment.exploded' })],
    ];
    for (const [status, error, body] of cases) {
      expect(await world.post(body), error).toMatchObject({ status, body: { error } });
    }
  });

  it('[R2] is answered with the code, a message for people, and nothing of the delivery’s secrets', async () => {
    const answer = await world.post(bodyOf(), { ...signed('other'), 'content-type': 'application/json' });
    expect(Object.keys(answer.body)).toEqual(['error', 'message']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.stringify(answer.body)).not.toContain('whsec_');
  });
});

describe('what does not belong here', () => {
  it('[R2] is refused by path, method, media type and encoding', async () => {
    expect(await world.deliver({}, 'nobody')).toMatchObject({
      status: 404,
      body: { error: 'source_unknown' },
    });
    expect(await world.deliver({}, 'constructor')).toMatchObject({ status: 404 });
    expect((await fetch(`${world.url}/`)).status).toBe(404);
    expect((await fetch(`${world.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${world.url}/healthz`)).status).toBe(404);
    const got = await fetch(`${world.url}/webhooks/shop`);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    const body = bodyOf();
    expect(await world.post(body, { ...signed(body), 'content-type': 'text/html' })).toMatchObject({
      status: 415,
      body: {
        error: 'media_type',
        message: expect.stringContaining('application/json, application/*+json') as string,
      },
    });
    for (const encoding of ['zstd', 'gzip, gzip', 'compress']) {
      expect(await world.post(body, { ...signed(body), 'content-encoding': encoding })).toMatchObject({
        status: 415,
        body: { error: 'encoding' },
      });
    }
  });

  it('takes JSON by any of its names, with any charset, and what an adapter asks for', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/cloudevents+json',
    ]) {
      const body = bodyOf();
      expect((await world.post(body, { ...signed(body), 'content-type': type })).status, type).toBe(202);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = bodyOf();
    expect((await world.post(body, { ...signed(body), ...form }, 'forms')).status).toBe(202);
    expect((await world.post(body, { ...signed(body), ...form }, 'shop')).status).toBe(415);
  });
});

describe('the size of a body', () => {
  it('[R2] is limited to the byte, by its declared length and by what comes', async () => {
    expect((await world.post(bodyOfSize(SMALL))).status).toBe(202);
    expect(await world.post(bodyOfSize(SMALL + 1))).toMatchObject({
      status: 413,
      body: { error: 'too_large' },
    });
    const chunked = await fetch(`${world.url}/webhooks/shop`, {
      method: 'POST',
      headers: signed(''),
      body: new Blob([Buffer.alloc(SMALL + 1)]).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
  });

  it('takes a body whose length is not told beforehand', async () => {
    const body = bodyOf();
    const answer = await fetch(`${world.url}/webhooks/shop`, {
      method: 'POST',
      headers: signed(body),
      body: new Blob([body]).stream(),
      duplex: 'half',
    });
    expect(answer.status).toBe(202);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('is that of the inflated bytes, which are what is signed (%s)', async (encoding, compress) => {
    const fits = bodyOfSize(SMALL);
    const headers = { ...signed(fits), 'content-encoding': encoding };
    expect((await world.post(compress(fits), headers)).status).toBe(202);
    const large = bodyOfSize(SMALL + 1);
    expect(compress(large).length).toBeLessThan(SMALL / 4);
    expect(
      await world.post(compress(large), { ...signed(large), 'content-encoding': encoding }),
    ).toMatchObject({
      status: 413,
      body: { error: 'too_large' },
    });
  });

  it('[R2] is not taken from compressed bytes that are broken or cut short', async () => {
    const body = bodyOf();
    const headers = { ...signed(body), 'content-encoding': 'gzip' };
    expect(await world.post(gzipSync(body).subarray(0, -20), headers)).toMatchObject({
      status: 400,
      body: { error: 'body_truncated' },
    });
    expect(await world.post(body, headers)).toMatchObject({ status: 400, body: { error: 'body_malformed' } });
  });
});

describe('a body that does not come', () => {
  /** What the receiver answers to these bytes, until it closes the connection. */
  const answerTo = (bytes: string, { end = false } = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(world.receiver.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => {
        resolve(text);
      });
      socket.write(bytes);
      if (end) socket.end();
    });
  const head = (extra: string) =>
    `POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${extra}\r\n\r\n`;

  it('[R2] is waited for no longer than the limit, then answered 408', async () => {
    expect(await answerTo(`${head('Content-Length: 20')}{}`)).toMatch(/^HTTP\/1\.1 408 .*"too_slow"/s);
    expect(await answerTo(`${head('Transfer-Encoding: chunked')}2\r\n{}\r\n`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is given up at once when the sender has closed its side', async () => {
    expect(await answerTo(`${head('Content-Length: 20')}{}`, { end: true })).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('is asked for only when it is wanted: a refusal comes before "100 Continue"', async () => {
    const expecting = 'Expect: 100-continue\r\nContent-Length:';
    expect(await answerTo(head(`${expecting} ${String(SMALL + 1)}`))).toMatch(/^HTTP\/1\.1 413 /);
    expect(await answerTo(head(`${expecting} 20`))).toMatch(/^HTTP\/1\.1 100 Continue.*HTTP\/1\.1 408 /s);
  });

  it('is taken whatever else its sender expects: an unknown expectation is no reason to lose a delivery', async () => {
    const body = bodyOf().toString();
    const sent = head(
      `Expect: something-else\r\nConnection: close\r\nContent-Length: ${String(body.length)}`,
    );
    expect(await answerTo(`${sent}${body}`)).toMatch(/^HTTP\/1\.1 (202|401) .*"(status|error)"/s);
  });

  it('is not made up from the next request when the declared length is too small', async () => {
    const body = bodyOf().toString();
    const text = await answerTo(`${head(`Content-Length: ${String(body.length - 10)}`)}${body}`);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('declared twice, or beside a transfer encoding, is refused', async () => {
    expect(await answerTo(`${head('Content-Length: 2\r\nContent-Length: 3')}{}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(
      await answerTo(`${head('Content-Length: 2\r\nTransfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('refusals', () => {
  it('[R1] are counted by source and reason, and a few are kept without their bodies', async () => {
    const count = () =>
      world.metric('inorder_refused_total', { source: 'forms', reason: 'signature_invalid' });
    const before = await count();
    for (let i = 0; i < 30; i += 1) {
      const body = bodyOf({ data: { note: 'body-of-a-forger' } });
      await world.post(body, { ...signed('other'), authorization: 'Bearer forger' }, 'forms');
    }
    expect((await count()) - before).toBe(30);
    const totals = () =>
      world.store.query<{ total: string }>(
        "SELECT total FROM refusals WHERE source = 'forms' AND code = 'signature_invalid'",
      );
    await expect.poll(async () => (await totals()).map(({ total }) => Number(total))).toEqual([30]);
    const samples = await world.store.query<Record<string, unknown>>(
      "SELECT * FROM refusal_samples WHERE source = 'forms'",
    );
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.length).toBeLessThanOrEqual(20);
    const text = samples.map((sample) => Object.values(sample).map(String).join(' ')).join('\n');
    expect(text).toContain('webhook-signature');
    expect(text).not.toMatch(/body-of-a-forger|Bearer/);
  });

  it('of sources that do not exist do not become labels', async () => {
    for (let i = 0; i < 5; i += 1) await world.deliver({}, `guess-${String(i)}`);
    const text = await (await fetch(`${world.operationsUrl}/metrics`)).text();
    expect(text).not.toContain('guess-');
    expect(await world.metric('inorder_refused_total', { source: '(unknown)' })).toBeGreaterThanOrEqual(5);
  });
});
