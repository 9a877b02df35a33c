import { webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { RawDelivery } from '../../../src/providers/provider.ts';
import {
  canSign,
  signStandardWebhook,
  verifyStandardWebhook,
} from '../../../src/providers/standard-webhooks-signature.ts';
import { keyPairWorld, signByPrivateKey } from './worlds.ts';
import { vectorsIn } from '../../vectors/signature-vectors.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const NOW_S = 1_764_500_000;
const TOLERANCE_MS = 300_000;

const request = (
  headers: Record<string, string | string[]>,
  body: string,
  nowMs = NOW_S * 1000,
): RawDelivery => ({
  source: 's',
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
  body: Buffer.from(body),
  url: '',
  receivedAtMs: nowMs,
});
const verify = (delivery: RawDelivery, ...secrets: string[]) =>
  verifyStandardWebhook(
    delivery,
    (secrets.length > 0 ? secrets : [SECRET]).map((value, n) => ({ id: String(n), value, untilMs: null })),
    TOLERANCE_MS,
  );
const signed = (body: string, timestampSeconds = NOW_S, secret = SECRET) =>
  signStandardWebhook(secret, { id: 'msg_1', timestampSeconds, body });

describe.each(['standard-webhooks', 'standard-webhooks-ed25519'])('the vectors of %s', (file) => {
  it.each(vectorsIn(file))('$id: $what', (vector) => {
    const body = vector.body ?? vector.bodyRepeat?.char.repeat(vector.bodyRepeat.count) ?? '';
    const verdict = verifyStandardWebhook(
      request(
        vector.headers,
        vector.bodyRepeat ? vector.bodyRepeat.char.repeat(vector.bodyRepeat.count) : body,
        vector.nowSeconds * 1000,
      ),
      [{ id: 'a', value: vector.secret, untilMs: null }],
      vector.toleranceSeconds * 1000,
    );
    expect('secretId' in verdict).toBe(vector.valid);
  });
});

describe('beside the official library', () => {
  const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  const id = fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/);

  it('signs the same bytes', () => {
    fc.assert(
      fc.property(
        key,
        id,
        text,
        fc.integer({ min: 1, max: 4_000_000_000 }),
        (bytes, messageId, body, seconds) => {
          const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
          const ours = signStandardWebhook(secret, { id: messageId, timestampSeconds: seconds, body });
          const theirs = new Webhook(secret).sign(messageId, new Date(seconds * 1000), body);
          expect(ours['webhook-signature']).toBe(theirs);
        },
      ),
    );
  });

  it('reads a secret without its prefix as the official library does', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const secret = Buffer.from(bytes).toString('base64');
        const theirs = new Webhook(secret).sign('msg_1', new Date(NOW_S * 1000), '{}');
        expect(signed('{}', NOW_S, secret)['webhook-signature']).toBe(theirs);
      }),
    );
  });

  it('is understood by it', () => {
    const now = Math.floor(Date.now() / 1000);
    const body = JSON.stringify({ emoji: '😀', separator: '\u2028' });
    expect(new Webhook(SECRET).verify(body, signed(body, now))).toEqual(JSON.parse(body));
  });
});

describe('the time window', () => {
  it.each([-300, -299, 0, 299, 300])('takes a stamp %d seconds from now', (offset) => {
    expect(verify(request(signed('{}', NOW_S + offset), '{}'))).toEqual({ secretId: '0' });
  });
  it.each([-86_400, -301, 301, 86_400])('refuses a stamp %d seconds from now', (offset) => {
    expect(verify(request(signed('{}', NOW_S + offset), '{}'))).toMatchObject({
      refused: 'timestamp_outside',
    });
  });
  it.each([
    '1764500000000',
    '1.764e9',
    '-1764500000',
    '0',
    '01764500000',
    '1764500000 ',
    'now',
    '१७६४५०००००',
  ])('refuses the stamp %j, whatever signed it', (timestamp) => {
    const headers = { ...signed('{}'), 'webhook-timestamp': timestamp };
    expect(verify(request(headers, '{}'))).toMatchObject({ refused: 'timestamp_unit' });
  });
});

describe('several signatures and several secrets', () => {
  const body = '{"a":1}';
  const good = () => signed(body)['webhook-signature'] as string;
  const foreign = () => signed(body, NOW_S, OTHER)['webhook-signature'] as string;

  it.each([
    ['the good one first', () => `${good()} ${foreign()}`],
    ['the good one last', () => `${foreign()} ${good()}`],
    ['among other versions', () => `v1a,AAAA v2,${good().slice(3)} ${good()}`],
    ['after one that cannot be read', () => `v1,zz ${good()}`],
    ['twice', () => `${good()} ${good()}`],
    ['joined by a proxy', () => `${foreign()}, ${good()}`],
  ])('takes them with %s', (_how, header) => {
    expect(verify(request({ ...signed(body), 'webhook-signature': header() }, body))).toEqual({
      secretId: '0',
    });
  });

  it('takes them from repeated header lines', () => {
    const headers = { ...signed(body), 'webhook-signature': [foreign(), good()] };
    expect(verify(request(headers, body))).toEqual({ secretId: '0' });
  });

  it.each([
    ['V1', () => good().replace('v1', 'V1')],
    ['v1a with the digest of v1', () => good().replace('v1', 'v1a')],
    ['base64 without padding', () => good().slice(0, -1)],
    ['url-safe base64', () => good().replaceAll('+', '-').replaceAll('/', '_') + '-'],
    ['hex', () => `v1,${Buffer.from(good().slice(3), 'base64').toString('hex')}`],
    ['another message', () => foreign()],
  ])('refuses %s', (_how, header) => {
    const headers = { ...signed(body), 'webhook-signature': header() };
    expect(verify(request(headers, body))).toMatchObject({ refused: 'signature_invalid' });
  });

  it('says which secret confirmed', () => {
    expect(verify(request(signed(body), body), OTHER, SECRET)).toEqual({ secretId: '1' });
  });

  it('takes a passphrase as its bytes', () => {
    const passphrase = 'correct horse battery staple';
    expect(verify(request(signed(body, NOW_S, passphrase), body), `${passphrase}\n`)).toEqual({
      secretId: '0',
    });
  });

  it('takes a text that is both base64 and a passphrase as either', () => {
    const text = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const asBytes = `whsec_${Buffer.from(text).toString('base64')}`;
    expect(verify(request(signed(body, NOW_S, asBytes), body), text)).toEqual({ secretId: '0' });
    expect(verify(request(signed(body, NOW_S, `whsec_${text}`), body), text)).toEqual({ secretId: '0' });
  });

  it('confirms nothing with a secret that holds no key', () => {
    for (const secret of ['', '\n', 'whsec_', 'whsec_\n']) {
      expect(verify(request(signed(body), body), secret)).toMatchObject({ refused: 'signature_invalid' });
      expect(() => signed(body, NOW_S, secret)).toThrow('no key');
    }
  });
});

describe('headers', () => {
  it.each(['webhook-id', 'webhook-timestamp'])('refuses a repeated %s, even with equal values', (name) => {
    const headers: Record<string, string | string[]> = { ...signed('{}') };
    headers[name] = [headers[name] as string, headers[name] as string];
    expect(verify(request(headers, '{}'))).toMatchObject({ refused: 'signature_invalid' });
  });

  it.each([
    ['webhook-id', 'signature_missing'],
    ['webhook-timestamp', 'timestamp_missing'],
    ['webhook-signature', 'signature_missing'],
  ])('refuses an absent or empty %s as %s', (name, refused) => {
    expect(verify(request({ ...signed('{}'), [name]: '' }, '{}'))).toMatchObject({ refused });
    expect(verify(request({ ...signed('{}'), [name]: [] }, '{}'))).toMatchObject({ refused });
  });
});

describe('ed25519', () => {
  const body = Buffer.from('{"a":1}');
  const [publicKey, otherKey] = keyPairWorld.secrets;
  const headers = signByPrivateKey(body, publicKey, NOW_S * 1000);
  const good = headers['webhook-signature'] as string;
  const foreign = signByPrivateKey(body, otherKey, NOW_S * 1000)['webhook-signature'] as string;
  const digest = signed(body.toString())['webhook-signature'] as string;
  const withSignature = (signature: string) =>
    request({ ...headers, 'webhook-signature': signature }, body.toString());

  it('takes keys and secrets side by side, and says which confirmed', () => {
    expect(verify(withSignature(good), SECRET, otherKey, publicKey)).toEqual({ secretId: '2' });
    expect(verify(withSignature(`${foreign} ${good}`), OTHER, publicKey)).toEqual({ secretId: '1' });
    expect(verify(withSignature(`${digest} ${good}`), SECRET, publicKey)).toEqual({ secretId: '0' });
    expect(verify(withSignature(digest), publicKey)).toMatchObject({ refused: 'signature_invalid' });
    expect(verify(withSignature(good), SECRET)).toMatchObject({ refused: 'signature_invalid' });
  });

  it('a public key is never a shared secret: whoever knows it could sign', () => {
    for (const secret of [publicKey, publicKey.slice(5)]) {
      const forged = signed(body.toString(), NOW_S, secret.startsWith('whpk_') ? SECRET : secret);
      expect(verify(request(forged, body.toString()), publicKey)).toMatchObject({
        refused: 'signature_invalid',
      });
    }
    expect(() => signed('{}', NOW_S, publicKey)).toThrow(/no key to sign with/);
  });

  it('nor is one that was copied with quotation marks, blanks or in the form of another program', () => {
    const der = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(publicKey.slice(5), 'base64'),
    ]).toString('base64');
    const copies = [
      ...[
        ` ${publicKey}`,
        `"${publicKey}"`,
        `'${publicKey}'`,
        publicKey.replace('whpk', 'WHPK'),
        `\n${publicKey}`,
      ],
      ...[der, `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----`, `ssh-ed25519 ${der}`],
      JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: publicKey.slice(5) }),
    ];
    const bytes = (secret: string) =>
      `whsec_${Buffer.from(secret.replace(/[\r\n]+$/, '')).toString('base64')}`;
    for (const copy of copies) {
      const forged = signed(body.toString(), NOW_S, bytes(copy));
      expect({ copy, ...verify(request(forged, body.toString()), copy) }).toMatchObject({
        refused: 'signature_invalid',
      });
      expect(canSign(copy)).toBe(false);
    }
  });

  it('looks at eight signatures of a header and refuses a ninth', () => {
    const several = (count: number) => [...Array<string>(count - 1).fill(foreign), good].join(' ');
    expect(verify(withSignature(several(8)), publicKey)).toEqual({ secretId: '0' });
    expect(verify(withSignature(several(9)), publicKey)).toMatchObject({ refused: 'signature_invalid' });
  });

  it("agrees with the platform's other implementation", async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const id = fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/);
    await fc.assert(
      fc.asyncProperty(bytes, id, fc.nat(), async (message, messageId, position) => {
        const pair = (await webcrypto.subtle.generateKey('Ed25519', true, [
          'sign',
          'verify',
        ])) as webcrypto.CryptoKeyPair;
        const raw = Buffer.from(await webcrypto.subtle.exportKey('raw', pair.publicKey)).toString('base64');
        const content = Buffer.concat([Buffer.from(`${messageId}.${NOW_S}.`), message]);
        const made = Buffer.from(await webcrypto.subtle.sign('Ed25519', pair.privateKey, content));
        const delivery = (signature: Buffer): RawDelivery => ({
          ...request(
            {
              'webhook-id': messageId,
              'webhook-timestamp': String(NOW_S),
              'webhook-signature': `v1a,${signature.toString('base64')}`,
            },
            '',
          ),
          body: Buffer.from(message),
        });
        expect(verify(delivery(made), `whpk_${raw}`)).toEqual({ secretId: '0' });
        const changed = Buffer.from(made);
        changed[position % 64] = (changed[position % 64] as number) ^ (1 << (position & 7));
        expect(verify(delivery(changed), `whpk_${raw}`)).toMatchObject({ refused: 'signature_invalid' });
      }),
      { numRuns: 50 },
    );
  });
});
