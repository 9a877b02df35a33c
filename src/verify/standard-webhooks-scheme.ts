/** Standard Webhooks: three headers, `v1` is base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`, `v1a` of ed25519. */
import type { RawDelivery } from '../providers/provider.ts';
import {
  PRIVATE_KEY_PREFIX,
  PUBLIC_KEY_PREFIX,
  publicKeyOf,
  underStandardNames,
} from '../providers/standard-webhooks-signature.ts';
import type { Scheme } from './scheme.ts';
import { keysFrom } from './signing-mistakes.ts';

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const header = (delivery: RawDelivery, name: string): string =>
  (delivery.headers[name] ?? []).join(' ').trim();

const KEY_PAIR = `; v1a is confirmed by the sender's public key, a secret that begins with ${PUBLIC_KEY_PREFIX}`;

export const standardWebhooksScheme: Scheme = {
  looks:
    'webhook-id: msg_…, webhook-timestamp: 1700000000 (seconds), webhook-signature: v1,<base64 of HMAC-SHA256 over id.timestamp.body>',

  signedAtSeconds(delivery) {
    const text = header(delivery, 'webhook-timestamp');
    if (!/^\d{1,16}$/.test(text)) return null;
    return text.length >= 13 ? Math.floor(Number(text) / 1_000) : Number(text);
  },

  oddHeaders(delivery) {
    const odd: string[] = [];
    for (const name of NAMES) {
      if (header(delivery, name) !== '') continue;
      const other = Object.keys(delivery.headers).find(
        (known) => known === name.replace('webhook-', 'svix-') || known === `x-${name}`,
      );
      odd.push(
        other === undefined
          ? `there is no ${name}`
          : `there is no ${name}, but ${other}: the sender has to use the name ${name}`,
      );
    }
    const signature = header(delivery, 'webhook-signature');
    const entries = signature.split(/[\s]+/).filter((entry) => entry !== '');
    if (signature !== '' && !entries.some((entry) => entry.startsWith('v1,'))) {
      const versions = entries
        .map((entry) => /^(v\d\w*),/.exec(entry)?.[1])
        .filter((version) => version !== undefined);
      odd.push(
        versions.length > 0
          ? `webhook-signature holds ${[...new Set(versions)].join(' and ')} only, and no v1${versions.includes('v1a') ? KEY_PAIR : ''}`
          : 'webhook-signature must begin with "v1,"; each signature stands behind its version and a comma',
      );
    }
    for (const entry of entries.filter((text) => text.startsWith('v1,'))) {
      if (!/^v1,[A-Za-z0-9+/]{43}=,?$/.test(entry)) {
        odd.push(
          `a v1 signature of ${entry.length - 3} characters; base64 of HMAC-SHA256 has 44 and ends with "="`,
        );
      }
    }
    if (/^\d{13,}$/.test(header(delivery, 'webhook-timestamp'))) {
      odd.push('webhook-timestamp is in milliseconds or finer; it has to be in seconds');
    }
    return odd;
  },

  oddSecret(secret) {
    if (secret.startsWith(PRIVATE_KEY_PREFIX)) {
      return `it is a private key; its sender has the public one, which begins with ${PUBLIC_KEY_PREFIX}`;
    }
    if (secret.startsWith(PUBLIC_KEY_PREFIX)) {
      return publicKeyOf(secret) === null
        ? `after "${PUBLIC_KEY_PREFIX}" stands the base64 of 32 bytes`
        : null;
    }
    if (!secret.startsWith('whsec_')) return null;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return key.length < 24
      ? `what follows "whsec_" is base64 of ${key.length} bytes; keys have 24 to 64`
      : null;
  },

  signings(delivery, secret) {
    if (/^wh[ps]k_/.test(secret)) return null;
    const [id, timestamp, signature] = NAMES.map((name) => header(delivery, name)) as [
      string,
      string,
      string,
    ];
    const given = signature
      .split(/\s+/)
      .map((entry) => entry.replace(/^(?:v1,|v1=|sha256=)/, '').replace(/,$/, ''))
      .filter((entry) => entry.length >= 27);
    if (given.length === 0) return null;
    const over = (prefix: string): Buffer => Buffer.concat([Buffer.from(prefix), delivery.body]);
    const looksDecodable = /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret.trim());
    return {
      given,
      encoding: 'base64',
      keys: keysFrom(secret, looksDecodable ? 'decoded' : 'as it is'),
      contents: [
        { mistake: null, value: over(`${id}.${timestamp}.`) },
        { mistake: 'made over the body alone; it has to be <id>.<timestamp>.<body>', value: over('') },
        { mistake: 'made over <timestamp>.<body>; the id in front is missing', value: over(`${timestamp}.`) },
        { mistake: 'made over <id>.<body>; the timestamp is missing', value: over(`${id}.`) },
        {
          mistake: 'made over <timestamp>.<id>.<body>; the id comes first',
          value: over(`${timestamp}.${id}.`),
        },
        { mistake: 'made without the dots between id, timestamp and body', value: over(`${id}${timestamp}`) },
      ],
    };
  },
};

/** The adapter for any sender takes the older names of the headers, too. */
export const anySenderScheme: Scheme = {
  ...standardWebhooksScheme,
  signedAtSeconds: (delivery) => standardWebhooksScheme.signedAtSeconds(underStandardNames(delivery)),
  oddHeaders: (delivery) => standardWebhooksScheme.oddHeaders(underStandardNames(delivery)),
  signings: (delivery, secret) => standardWebhooksScheme.signings(underStandardNames(delivery), secret),
};
