/** Requests by chance, as bytes on a wire: from good ones to what is no HTTP at all. */
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { sandboxWorld } from '../../unit/providers/worlds.ts';
import { oddJson, oddTexts } from '../odd-values.ts';
import { written, writings } from '../write-json.ts';
import type { Writing } from '../write-json.ts';

export const SECRET = sandboxWorld.secrets[0];

export interface BodyInput {
  values: { at: number; json: string | null }[];
  writing: Writing;
}

export interface RequestInput {
  method: string;
  target: string;
  version: string;
  /** `latin1`, as they stand. */
  headers: string[];
  /** null: the good sample. A text: these bytes. */
  body: BodyInput | string | null;
  /** By the right secret, over the body before it is encoded. */
  isSigned: boolean;
  encoding: 'none' | 'gzip' | 'br' | 'deflate' | 'bomb' | 'broken gzip';
  framing: 'length' | 'chunked' | 'short' | 'long' | 'none' | 'twice' | 'both' | 'broken chunks' | 'negative';
}

export interface Exchange {
  requests: RequestInput[];
  /** Bytes in front of, or after, all of them. */
  before: string;
  after: string;
  /** How the stranger ends: waits for the end, closes its sending side, resets, or goes in the middle (per mille). */
  ending: 'waits' | 'half-closes' | 'resets' | number;
}

const good = fc.constant(null);
const bodies: fc.Arbitrary<RequestInput['body']> = fc.oneof(
  { weight: 2, arbitrary: good },
  {
    weight: 4,
    arbitrary: fc.record({
      values: fc.array(
        fc.record({ at: fc.nat(40), json: fc.oneof({ weight: 8, arbitrary: oddJson }, fc.constant(null)) }),
        { maxLength: 3 },
      ),
      writing: writings,
    }),
  },
  oddTexts,
  fc.constantFrom('[]', '[{}]', '{"a":'.repeat(100_000), `{${'"k":1,'.repeat(100_000)}"k":2}`, '1e999'),
);

const often = <Value>(usual: Value, others: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, others);

const HEADERS = [
  ...[
    'Content-Type: application/json',
    'Content-Type: text/plain',
    'content-type: application/json; charset=utf-16',
  ],
  ...['Content-Type: multipart/form-data; boundary=x', 'Content-Type: ;', 'Content-Encoding: identity'],
  ...['Content-Encoding: gzip, gzip', 'Content-Encoding: zstd', 'Content-Encoding: ', 'Expect: 100-continue'],
  ...[
    'Expect: something-else',
    'Upgrade: h2c',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Connection: close',
  ],
  ...[
    'Connection: keep-alive',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: xchunked',
    'No colon',
  ],
  ...[
    'X-Fold: a\r\n b',
    'X-Nul: a\0b',
    'X-High: \xff\xfe',
    ': empty',
    'Host: a\r\nHost: b',
    'Content-Length: +5',
  ],
  ...['Content-Length: 0x5', 'Content-Length: 1e3', 'Content-Length: 99999999999999999999', 'Trailer: x'],
  ...[
    'webhook-id: second',
    'webhook-signature: v1,AAAA',
    'webhook-timestamp: 0',
    'X-Forwarded-For: 127.0.0.1',
  ],
  ...[`X-Long: ${'y'.repeat(20_000)}`, 'X-Many: z\r\n'.repeat(300).trimEnd(), 'traceparent: \x01'],
];

const targets = fc.oneof(
  fc.constantFrom(
    ...[
      '/webhooks/shop?x=1',
      '/webhooks/shop/',
      '/webhooks/',
      '/webhooks',
      '/webhooks/%73hop',
      '/webhooks/SHOP',
    ],
    ...[
      'http://elsewhere/webhooks/shop',
      '//webhooks/shop',
      '/webhooks/../livez',
      '/webhooks/__proto__',
      '*',
    ],
    ...['/webhooks/constructor', '/webhooks/shop%00', '/webhooks/%', '/webhooks/%ff', '/webhooks/shop#x'],
    ...['/livez', '/readyz', '/metrics', '/api/v1/orders', '/console', '/', '', `/${'a'.repeat(15_000)}`],
  ),
  oddTexts.map((text) => `/webhooks/${text.replaceAll(/[\r\n]/g, '')}`.slice(0, 300)),
);

const requests: fc.Arbitrary<RequestInput> = fc.record({
  method: often(
    'POST',
    fc.constantFrom('GET', 'PUT', 'post', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'QUERY', '', 'P\0ST'),
  ),
  target: often('/webhooks/shop', targets),
  version: often('HTTP/1.1', fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', '', 'ICY')),
  headers: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    fc.array(fc.constantFrom(...HEADERS), { maxLength: 4 }),
  ),
  body: bodies,
  isSigned: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  encoding: often<RequestInput['encoding']>(
    'none',
    fc.constantFrom('gzip', 'br', 'deflate', 'bomb', 'broken gzip'),
  ),
  framing: often<RequestInput['framing']>(
    'length',
    fc.constantFrom('chunked', 'short', 'long', 'none', 'twice', 'both', 'broken chunks', 'negative'),
  ),
});

const noise = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  fc.constantFrom('\r\n\r\n', '\0', '\x16\x03\x01\x02\x00', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '0\r\n\r\n'),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

export const exchanges: fc.Arbitrary<Exchange> = fc.record({
  requests: fc.array(requests, { minLength: 1, maxLength: 3 }),
  before: noise,
  after: noise,
  ending: often<Exchange['ending']>(
    'waits',
    fc.oneof(fc.constantFrom('half-closes' as const, 'resets' as const), fc.nat(999)),
  ),
});

/** Nothing about it is odd but what its body says: it must be answered, and stored if it is taken. */
export const isPlain = ({ method, target, version, headers, encoding, framing }: RequestInput): boolean =>
  method === 'POST' &&
  target === '/webhooks/shop' &&
  version === 'HTTP/1.1' &&
  headers.length === 0 &&
  ['none', 'gzip', 'br', 'deflate'].includes(encoding) &&
  ['length', 'chunked'].includes(framing);

export interface WrittenRequest {
  bytes: Buffer;
  /** What a receiver has to keep of it. */
  body: Buffer;
}

/** A bomb of a hundred megabytes, made once. */
let bomb: Buffer | null = null;

export function writtenRequest(input: RequestInput): WrittenRequest {
  const body = bodyOf(input.body);
  const id = `msg_${randomBytes(8).toString('hex')}`;
  const signing = { id, timestampSeconds: Math.floor(Date.now() / 1_000), body };
  const headers: string[] = input.version.startsWith('HTTP/1.1') ? ['Host: x'] : [];
  headers.push(...input.headers);
  const secret = input.isSigned ? SECRET : sandboxWorld.secrets[1];
  for (const [name, value] of Object.entries(signStandardWebhook(secret, signing)))
    headers.push(`${name}: ${value}`);
  const wire = encoded(body, input.encoding, headers);
  const content = framed(wire, input.framing, headers);
  const head = `${input.method} ${input.target} ${input.version}\r\n${headers.join('\r\n')}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head, 'latin1'), content]), body };
}

function bodyOf(input: RequestInput['body']): Buffer {
  if (typeof input === 'string') return Buffer.from(input);
  const sample = { ...sandboxWorld.sample(), id: `evt_${randomBytes(8).toString('hex')}` };
  return input === null ? Buffer.from(JSON.stringify(sample)) : written(sample, input.values, input.writing);
}

function encoded(body: Buffer, encoding: RequestInput['encoding'], headers: string[]): Buffer {
  if (encoding === 'none') return body;
  headers.push(`Content-Encoding: ${encoding === 'br' || encoding === 'deflate' ? encoding : 'gzip'}`);
  if (encoding === 'br') return brotliCompressSync(body);
  if (encoding === 'deflate') return deflateSync(body);
  if (encoding === 'bomb') return (bomb ??= gzipSync(Buffer.alloc(100_000_000)));
  const zipped = gzipSync(body);
  return encoding === 'gzip' ? zipped : zipped.subarray(0, Math.floor(zipped.length / 2));
}

function framed(wire: Buffer, framing: RequestInput['framing'], headers: string[]): Buffer {
  const length = (value: number) => void headers.push(`Content-Length: ${value}`);
  switch (framing) {
    case 'length':
      length(wire.length);
      return wire;
    case 'short':
      length(Math.max(0, wire.length - 7));
      return wire;
    case 'long':
      length(wire.length + 7);
      return wire;
    case 'negative':
      length(-1);
      return wire;
    case 'twice':
      length(wire.length);
      length(wire.length + 1);
      return wire;
    case 'none':
      return wire;
    case 'chunked':
    case 'both':
    case 'broken chunks': {
      headers.push('Transfer-Encoding: chunked');
      if (framing === 'both') length(wire.length);
      const size = framing === 'broken chunks' ? 'zz' : wire.length.toString(16);
      if (wire.length === 0) return Buffer.from('0\r\n\r\n');
      return Buffer.concat([Buffer.from(`${size}\r\n`), wire, Buffer.from('\r\n0\r\n\r\n')]);
    }
  }
}
