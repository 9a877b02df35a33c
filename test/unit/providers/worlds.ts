/** The worlds of this house's adapters: how each provider signs, and one good event of each. */
import { createPrivateKey, sign } from 'node:crypto';
import { sourceSettings } from '../../../src/providers/conformance/world.ts';
import type { ProviderWorld } from '../../../src/providers/conformance/world.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { standardWebhooks } from '../../../src/providers/standard-webhooks.ts';

const STANDARD_HEADERS = {
  signedHeaders: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  signatureHeader: 'webhook-signature',
};

const SHARED_SECRETS: [string, string] = [
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
];

const signByDigest: ProviderWorld['sign'] = (body, secret, nowMs) =>
  signStandardWebhook(secret, { id: 'msg_1', timestampSeconds: Math.floor(nowMs / 1000), body });

export const sandboxWorld: ProviderWorld = {
  provider: sandbox,
  settings: sourceSettings({ name: 'sandbox', environment: 'demo' }),
  secrets: SHARED_SECRETS,
  sign: signByDigest,
  ...STANDARD_HEADERS,
  brokenSignatures: [' ', 'v1', 'v1,', 'v1,====', 'v1,not base64', 'v2,x', 'null', ','.repeat(2_000)],
  sample: () => ({
    id: 'evt_1',
    type: 'payment.partially_refunded',
    created: '2026-11-30T10:00:00.123Z',
    order: '1042',
    object: { kind: 'payment', id: 'pay_1' },
    version: 3,
    data: {
      refund: 're_1',
      amount: '500',
      currency: 'EUR',
      reason: 'https://shop.example/r/1',
      customerName: 'Ada Example',
      email: 'ada@example.com',
      card: { number: '4242' },
    },
  }),
  typePath: 'type',
  requiredPaths: ['id', 'type', 'object.kind', 'object.id', 'version'],
  ids: [
    { path: 'id', shown: (event) => event.eventId },
    { path: 'order', shown: (event) => event.order },
    { path: 'object.id', shown: (event) => event.object.replace(/^payment:/, '') },
  ],
  mode: {
    path: 'mode',
    texts: [
      ['live', 'live'],
      ['test', 'test'],
    ],
  },
  personal: ['Ada', 'example.com', '4242'],
};

/** Any sender: each field somewhere of its own. */
export const anySenderWorld: ProviderWorld = {
  provider: standardWebhooks,
  settings: sourceSettings({
    name: 'shop',
    paths: {
      id: 'meta.event',
      type: 'event_type',
      order: 'data.order.number',
      object: 'data.invoice.id',
      kind: 'data.invoice.kind',
      version: 'data.invoice.revision',
      time: 'meta.at',
      created: 'data.invoice.since',
      payment: 'data.payment_id',
      mode: 'meta.env',
      account: 'meta.tenant',
      'facts.amount': 'data.invoice.total',
    },
    requests: {
      fetch: '/invoices/{object}?kind={kind}',
      find: '/invoices?order={order}',
      list: {
        ...{ request: '/events?since={since}&until={until}&after={cursor}', of: 'events' },
        ...{ items: 'data', next: 'next', paths: {} },
      },
    },
  }),
  secrets: SHARED_SECRETS,
  sign: signByDigest,
  ...STANDARD_HEADERS,
  brokenSignatures: sandboxWorld.brokenSignatures,
  sample: () => ({
    event_type: 'payment.captured',
    meta: { event: 'e-1', at: 1_764_500_000, env: 'production', tenant: 't-1' },
    data: {
      order: { number: '1042' },
      invoice: { id: 'inv-1', kind: 'invoice', revision: 7, since: '2026-11-01T00:00:00+01:00', total: 1250 },
      payment_id: 'pay_1',
      currency: 'EUR',
      customer: { name: 'Ada Example', email: 'ada@example.com' },
      reason: { card: '4242' },
    },
  }),
  typePath: 'event_type',
  requiredPaths: [
    'meta.event',
    'event_type',
    'data.invoice.id',
    'data.invoice.kind',
    'data.invoice.revision',
  ],
  ids: [
    { path: 'meta.event', shown: (event) => event.eventId },
    { path: 'data.order.number', shown: (event) => event.order },
    { path: 'data.invoice.id', shown: (event) => event.object.replace(/^invoice:/, '') },
    { path: 'data.payment_id', shown: (event) => event.payment },
  ],
  mode: { path: 'meta.env', texts: [['staging', 'staging']] },
  account: { path: 'meta.tenant', texts: [[83, '83']] },
  personal: ['Ada', 'example.com', '4242'],
};

/** Key pairs made for these tests: the public key as the sender shows it, the private one in PKCS 8. */
const PRIVATE_KEYS: Record<string, string> = {
  'whpk_9lRdFzqY5mhwToZBb0HMbufD3hsD19uEssibfeqWamA=':
    'MC4CAQAwBQYDK2VwBCIEILXo6Kift7uFChmh8KhvxHm6Pq2VpTp/GrupEkY/1oqp',
  'whpk_/3VydV+CAcZcZLBB0hjTWH0ba/obcnKf7DoE4HUp2QU=':
    'MC4CAQAwBQYDK2VwBCIEIOaexXcEEo/etK9DxEQzNXsgVQCyDO3Dd0HFW99ihoO6',
};

export const signByPrivateKey: ProviderWorld['sign'] = (body, publicKey, nowMs) => {
  const key = createPrivateKey({
    key: Buffer.from(PRIVATE_KEYS[publicKey] ?? '', 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = sign(null, Buffer.concat([Buffer.from(`msg_1.${timestamp}.`), body]), key);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1a,${signature.toString('base64')}`,
  };
};

/** A sender with a key pair, and with the paths that a team's own application would have. */
export const keyPairWorld: ProviderWorld = {
  provider: standardWebhooks,
  settings: sourceSettings({
    name: 'shop',
    paths: { order: 'data.order', version: 'data.version' },
    requests: { fetch: '/orders/{object}' },
  }),
  secrets: Object.keys(PRIVATE_KEYS) as [string, string],
  sign: signByPrivateKey,
  ...STANDARD_HEADERS,
  brokenSignatures: [
    'v1a',
    'v1a,',
    'v1a,====',
    `v1a,${'A'.repeat(86)}==`,
    `v1a,${'A'.repeat(86)}== `.repeat(100),
  ],
  sample: () => ({
    type: 'order.shipped',
    timestamp: '2026-11-30T10:00:00.123456Z',
    data: {
      order: '1042',
      version: 3,
      carrier: 'post',
      customer: { name: 'Ada Example', street: 'Main St' },
    },
  }),
  typePath: 'type',
  requiredPaths: ['type', 'data.order', 'data.version'],
  ids: [{ path: 'data.order', shown: (event) => event.order }],
  personal: ['Ada', 'Main St'],
};
