import { createHmac } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { checkConfig } from '../../../src/config/check.ts';
import type { Config } from '../../../src/config/resolved.ts';
import { verifyDelivery } from '../../../src/operations/verify-delivery.ts';
import type { Verification } from '../../../src/operations/verify-delivery.ts';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const EXPIRED = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const NOW_S = 1_800_000_000;

function configWith(secret: string): Config {
  const source = {
    provider: 'sandbox',
    environment: 'live',
    machine: 'order',
    unknownTypes: 'archive',
    mode: 'live',
  };
  const machine = {
    ...{ name: 'order', version: 1, initial: 'new', statuses: { new: {}, paid: {} }, effects: {} },
    on: { 'payment.captured': { new: 'paid', else: { ignore: 'paid' } } },
    unlisted: 'ask',
  };
  const sources = {
    shop: {
      ...source,
      secrets: [
        { id: 'a', value: secret },
        { id: 'old', value: EXPIRED, until: '2026-01-01T00:00:00Z' },
      ],
    },
    test: { ...source, environment: 'test', secrets: [{ id: 'b', value: OTHER }] },
  };
  const checked = checkConfig({ machines: [machine], sources, effects: {} }, 'inorder.config.ts', {});
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  return checked.config;
}

const BODY = JSON.stringify({
  ...{ id: 'evt_1', type: 'payment.captured', order: '1042', version: 3, mode: 'live' },
  object: { kind: 'payment', id: 'pay_1' },
  data: { reason: 'Zoë <a@b.example> & co/1', amount: '1000' },
});

interface Sent {
  secret?: string;
  signed?: string | Buffer;
  body?: string | Buffer;
  headers?: Record<string, string[]>;
  configured?: string;
  ageSeconds?: number;
}

function verify({
  secret = SECRET,
  signed = BODY,
  body = signed,
  headers = {},
  configured = SECRET,
  ageSeconds = 0,
}: Sent): Verification {
  const signature = signStandardWebhook(secret, {
    id: 'msg_1',
    timestampSeconds: NOW_S - ageSeconds,
    body: signed,
  });
  const own = Object.fromEntries(Object.entries(signature).map(([name, value]) => [name, [value]]));
  const config = configWith(configured);
  const source = config.sources.get('shop');
  if (source === undefined) throw new Error('no source');
  const verification = verifyDelivery(config, source, {
    headers: { ...own, ...headers },
    body: Buffer.from(body),
    atMs: NOW_S * 1_000,
    url: 'http://localhost/webhooks/shop',
  });
  // Fit to be shown around, whatever is wrong (R4).
  const shown = JSON.stringify(verification);
  for (const hidden of [SECRET, OTHER, EXPIRED, KEY.toString('base64'), 'a@b.example'])
    expect(shown).not.toContain(hidden);
  return verification;
}

it('names the secret that confirms, and what inorder makes of the event', () => {
  expect(verify({})).toMatchObject({
    valid: true,
    refused: null,
    cause: null,
    clock: { ageSeconds: 0, toleranceSeconds: 300, inside: true },
    secrets: [
      { id: 'a', confirms: true, expired: false },
      { id: 'old', confirms: false, expired: true },
    ],
    items: [
      {
        event: 'evt_1',
        type: 'payment.captured',
        object: 'payment:pay_1',
        version: '3',
        order: '1042',
        outcome: null,
      },
    ],
  });
});

it('tells a wrong clock from a wrong signature, on both sides', () => {
  for (const ageSeconds of [301, -301]) {
    expect(verify({ ageSeconds })).toMatchObject({
      valid: false,
      refused: 'timestamp_outside',
      secrets: [{ confirms: true }, {}],
      clock: { ageSeconds, inside: false },
      cause: null,
    });
  }
});

it('tells an expired secret, and the secret of another source', () => {
  expect(verify({ secret: EXPIRED })).toMatchObject({
    valid: false,
    secrets: [{}, { confirms: true, expired: true }],
  });
  expect(verify({ secret: OTHER }).cause).toMatchObject({
    in: 'secret',
    text: expect.stringContaining('source "test" (test)'),
  });
});

it('finds what was done to the body on its way', () => {
  const value: unknown = JSON.parse(BODY);
  const pretty = JSON.stringify(value, null, 2);
  const bytes = (text: string): Buffer => Buffer.from(text);
  const cases: [string, { signed?: string | Buffer; body: string | Buffer }][] = [
    ['a line feed was added', { body: `${BODY}\n` }],
    ['the line feed at its end was taken away', { signed: `${BODY}\n`, body: BODY }],
    ['byte order mark was put in front', { body: `\uFEFF${BODY}` }],
    ['byte order mark in front was taken away', { signed: `\uFEFF${BODY}`, body: BODY }],
    ['line feeds became CR LF', { signed: pretty, body: pretty.replaceAll('\n', '\r\n') }],
    ['CR LF became line feeds', { signed: pretty.replaceAll('\n', '\r\n'), body: pretty }],
    ['written anew; signed was: pretty-printed by 2', { signed: pretty, body: BODY }],
    ['written anew; signed was: compact', { signed: BODY, body: pretty }],
    [
      'as Python writes it',
      { signed: BODY.replaceAll('":', '": ').replaceAll(',"', ', "').replace('ë', '\\u00eb'), body: BODY },
    ],
    ['as PHP writes them', { signed: BODY.replaceAll('/', '\\/').replace('ë', '\\u00eb'), body: BODY }],
    [
      'as Go and Rails',
      { signed: BODY.replace('<', '\\u003c').replace('>', '\\u003e').replace('&', '\\u0026'), body: BODY },
    ],
    ['letters as they are', { signed: BODY, body: BODY.replace('ë', '\\u00eb') }],
    ['still compressed (gzip)', { body: gzipSync(BODY) }],
    ['still compressed (deflate)', { body: deflateSync(BODY) }],
    ['still compressed (br)', { body: brotliCompressSync(BODY) }],
    ['from UTF-8 into Latin-1', { signed: BODY, body: Buffer.from(BODY, 'latin1') }],
    [
      'escaped for HTML',
      { signed: BODY, body: BODY.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;') },
    ],
    ['form field "payload"', { signed: BODY, body: `payload=${encodeURIComponent(BODY)}` }],
    ['field "body" of another JSON object', { signed: BODY, body: JSON.stringify({ body: BODY }) }],
    ['as base64', { signed: BODY, body: Buffer.from(BODY).toString('base64') }],
    ['all of it was lost', { signed: '', body: BODY }],
  ];
  for (const [expected, sent] of cases) {
    const { cause } = verify({ signed: BODY, ...sent });
    expect({ expected, cause }).toMatchObject({
      cause: { in: 'body', text: expect.stringContaining(expected) },
    });
  }
  const mojibake = bytes(BODY).toString('latin1');
  expect(verify({ signed: BODY, body: mojibake }).cause?.text).toContain('Latin-1');
});

it('says where the bytes begin to differ, and no more of them', () => {
  expect(verify({ body: `${BODY}\n` }).cause?.text).toContain(
    `${Buffer.byteLength(BODY)} bytes were signed, ${Buffer.byteLength(BODY) + 1} are here; they differ from byte ${Buffer.byteLength(BODY)} on`,
  );
});

it('undoes Content-Encoding as the receiver does', () => {
  expect(verify({ body: gzipSync(BODY), headers: { 'content-encoding': ['gzip'] } }).valid).toBe(true);
  // Whoever saved it has undone it already.
  expect(verify({ headers: { 'content-encoding': ['gzip'] } }).valid).toBe(true);
});

it('finds a secret that was copied wrongly', () => {
  expect(verify({ configured: `"${SECRET}"` })).toMatchObject({
    secrets: [{ odd: expect.stringContaining('quotes') }, {}],
    cause: { in: 'secret', text: expect.stringContaining('without the quotes') },
  });
  expect(verify({ configured: ` ${SECRET}` }).cause?.text).toContain('without the blanks');
  const passphrase = 'correct horse battery staple';
  expect(
    verify({ configured: passphrase, secret: `whsec_${Buffer.from(`${passphrase}\n`).toString('base64')}` })
      .cause?.text,
  ).toContain('line feed at the end of the secret');
});

it('finds what a sender written by hand did otherwise', () => {
  const sign = (
    key: Buffer | string,
    content: string,
    encoding: 'hex' | 'base64' | 'base64url' = 'base64',
  ): Record<string, string[]> => ({
    'webhook-signature': [`v1,${createHmac('sha256', key).update(content).digest(encoding)}`],
  });
  const content = `msg_1.${NOW_S}.${BODY}`;
  const cases: [string, Record<string, string[]>][] = [
    ['made over the body alone', sign(KEY, BODY)],
    ['made over <timestamp>.<body>', sign(KEY, `${NOW_S}.${BODY}`)],
    [
      'made with the text of the secret; its base64 has to be decoded first, after "whsec_"',
      sign(SECRET, content),
    ],
    [
      'made with the text of the secret; its base64 has to be decoded first (',
      sign(SECRET.slice(6), content),
    ],
    ['written as hex instead of base64', sign(KEY, content, 'hex')],
    ['written as base64url instead of base64', sign(KEY, content, 'base64url')],
    [
      'made over the body alone; it has to be <id>.<timestamp>.<body>, and written as hex',
      sign(KEY, BODY, 'hex'),
    ],
  ];
  for (const [expected, headers] of cases) {
    const { cause } = verify({ headers });
    expect({ expected, cause }).toMatchObject({
      cause: { in: 'sender', text: expect.stringContaining(expected) },
    });
  }
});

it('says what is odd about headers, and how they should look', () => {
  const missing = verify({ headers: { 'webhook-signature': [] } });
  expect(missing).toMatchObject({
    refused: 'signature_missing',
    odd: ['there is no webhook-signature'],
    looks: expect.stringContaining('v1,<base64'),
  });
  expect(verify({ headers: { 'webhook-id': [], 'svix-id': ['msg_1'] } }).odd[0]).toContain('but svix-id');
  expect(verify({ headers: { 'webhook-signature': ['v1a,xyz'] } }).odd[0]).toContain('v1a only');
  expect(verify({ headers: { 'webhook-timestamp': [`${NOW_S}000`] } }).odd[0]).toContain('in seconds');
  expect(verify({ headers: { 'content-length': ['5'] } }).odd[0]).toContain(
    'more than Content-Length says (5)',
  );
});

it('says what would be kept apart, and where an order was looked for', () => {
  const foreign = BODY.replace('"mode":"live"', '"mode":"test"').replace('"order":"1042",', '');
  expect(verify({ signed: foreign }).items).toMatchObject([
    { order: null, mode: 'test', outcome: 'foreign', reason: 'other_mode' },
  ]);
  expect(verify({ signed: '{"id"' }).items).toMatchObject([
    { refused: expect.stringContaining('body_truncated') },
  ]);
});
