/**
 * The published vectors of each scheme, changed step by step and judged beside the scheme's official library: what it
 * refuses is never taken, what changes nothing of consequence changes no verdict, and nothing ever throws.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import type { RawDelivery } from '../../../src/providers/provider.ts';
import { isRefusal } from '../../../src/providers/provider.ts';
import { verifyStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { SIGNATURE_HEADER, verifyStripe } from '../../../src/providers/stripe/signature.ts';
import { oddTexts } from '../odd-values.ts';
import { changed, isHarmless, requestChanges } from './change-request.ts';
import type { ChangeableRequest, RequestChange } from './change-request.ts';
import { vectorsIn } from '../../vectors/signature-vectors.ts';

const VECTORS = {
  stripe: vectorsIn('stripe'),
  standard: [...vectorsIn('standard-webhooks'), ...vectorsIn('standard-webhooks-ed25519')],
};
type Scheme = keyof typeof VECTORS;

export interface SignatureInput {
  scheme: Scheme;
  vector: string;
  changes: RequestChange[];
}

export const signatures: fc.Arbitrary<SignatureInput> = fc
  .constantFrom<Scheme>('stripe', 'standard')
  .chain((scheme) =>
    fc.record({
      scheme: fc.constant(scheme),
      vector: fc.constantFrom(...VECTORS[scheme].map(({ id }) => id)),
      changes: fc.array(requestChanges(oddTexts), { maxLength: 4 }),
    }),
  );

export function findSignatureFaults({ scheme, vector: id, changes }: SignatureInput): string[] {
  const vector = VECTORS[scheme].find((one) => one.id === id);
  if (vector === undefined) return [`there is no vector ${id}`];
  const { secret, toleranceSeconds, nowSeconds } = vector;
  const given: ChangeableRequest = {
    headers: Object.entries(vector.headers),
    body: Buffer.from(vector.body ?? vector.bodyRepeat?.char.repeat(vector.bodyRepeat.count) ?? ''),
  };
  const sign = (request: ChangeableRequest) => signed(scheme, request, secret, nowSeconds);
  const request = changes.reduce((before, change) => changed(before, change, sign), given);
  const delivery = deliveryOf(request, nowSeconds);
  const secrets = [{ id: 'a', value: secret, untilMs: null }];
  const verify = scheme === 'stripe' ? verifyStripe : verifyStandardWebhook;
  const verdict = verify(delivery, secrets, toleranceSeconds * 1_000);

  const faults: string[] = [];
  const isTaken = !isRefusal(verdict);
  if (isTaken && !isGenuine(scheme, delivery, secret.trim())) faults.push(`a forgery of ${id} was taken`);
  if (isRefusal(verdict) && verdict.message.includes(secret))
    faults.push('the message of a refusal repeats the secret');
  if (isTaken !== vector.valid && changes.every(isHarmless))
    faults.push(`${id} was judged otherwise after changes that say nothing: ${JSON.stringify(verdict)}`);
  return faults;
}

const deliveryOf = ({ headers, body }: ChangeableRequest, nowSeconds: number): RawDelivery => {
  const all: Record<string, string[]> = {};
  for (const [name, value] of headers) (all[name.toLowerCase()] ??= []).push(value);
  return { source: 's', headers: all, body, url: '', receivedAtMs: nowSeconds * 1_000 };
};

// ---- the judges ----

const { webhooks } = new Stripe('sk_test_nothing_is_sent');

function isGenuine(scheme: Scheme, delivery: RawDelivery, secret: string): boolean {
  return scheme === 'stripe' ? isStripes(delivery, secret) : isStandard(delivery, secret);
}

/**
 * The package signs another text where a body is no UTF-8, does not look at empty ones, and gives up at a candidate of
 * other letters whatever stands beside it: there the rule itself is the judge.
 */
function isStripes({ headers, body, receivedAtMs }: RawDelivery, secret: string): boolean {
  const header = (headers[SIGNATURE_HEADER] ?? []).join(',');
  const isPlain = /^[ -~]*$/.test(header) && body.length > 0 && Buffer.from(body.toString()).equals(body);
  if (!isPlain) return isHmacOf(header, body, secret);
  try {
    // The window of time is looked at by the tests of signatures; here it is wide open.
    return (
      webhooks.signature?.verifyHeader(body.toString(), header, secret, 1e12, undefined, receivedAtMs) ??
      false
    );
  } catch {
    return false;
  }
}

function isHmacOf(header: string, body: Buffer, secret: string): boolean {
  const time = /(?:^|,)\s*t=(\d+)/.exec(header)?.[1] ?? '';
  return header.includes(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'));
}

/** The package knows shared secrets only, and wants to be asked in its own present. */
function isStandard(delivery: RawDelivery, secret: string): boolean {
  if (/^wh[ps]k_/.test(secret)) return isTheVectors(delivery);
  const one = (name: string) => delivery.headers[name]?.[0] ?? '';
  const id = one('webhook-id');
  const time = one('webhook-timestamp');
  const given = (delivery.headers['webhook-signature'] ?? []).join(' ').split(/[ ,]+/);
  return keysOf(secret).some((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${time}.`).update(delivery.body).digest('base64');
    return given.includes(hmac);
  });
}

/** As the package reads it, and as senders do that take the text for the key. */
const keysOf = (secret: string): Buffer[] => {
  return [Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), Buffer.from(secret)];
};

/** Nobody here has the private key: only what a vector signs is signed. */
function isTheVectors(delivery: RawDelivery): boolean {
  return VECTORS.standard.some(
    ({ valid, body, headers }) =>
      valid &&
      Buffer.from(body ?? '').equals(delivery.body) &&
      ['webhook-id', 'webhook-timestamp'].every((name) => headers[name] === delivery.headers[name]?.[0]),
  );
}

// ---- signing anew ----

/** A genuine signature over the request as it is now, by the official packages. */
function signed(
  scheme: Scheme,
  { headers, body }: ChangeableRequest,
  secret: string,
  nowSeconds: number,
): [string, string][] {
  if (scheme === 'stripe') {
    const time = String(nowSeconds);
    const hex = createHmac('sha256', secret.trim()).update(`${time}.`).update(body).digest('hex');
    return [[SIGNATURE_HEADER, `t=${time},v1=${hex}`]];
  }
  const id = headers.find(([name]) => name.toLowerCase() === 'webhook-id')?.[1] ?? 'msg_1';
  const key = secret.trim();
  if (/^wh[ps]k_/.test(key) || !/^(whsec_)?[A-Za-z0-9+/]{4,}=*$/.test(key)) return headers;
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(nowSeconds)],
    ['webhook-signature', new Webhook(key).sign(id, new Date(nowSeconds * 1_000), body.toString())],
  ];
}
