/**
 * The signatures of Standard Webhooks 1.0.0, both over `<id>.<timestamp>.<body>`: `v1` is the base64 of an
 * HMAC-SHA256 with a shared `whsec_` secret, `v1a` that of an ed25519 signature, checked with a `whpk_` public key.
 * Owns both directions, so that what inorder sends (effects, by `v1`) and what it takes (sources) cannot drift apart.
 *
 * 1. Only the raw bytes are signed and checked; nothing here parses or rewrites a body.
 * 2. Verifying never throws: whatever a stranger sends ends in a Refusal, and no message repeats a secret.
 * 3. Every digest is compared in constant time, whether or not an earlier one matched.
 * 4. A signature has one spelling: what decodes to the same bytes by another text is another signature.
 * 5. A header cannot buy more than a few public-key operations (R1).
 */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { RawDelivery, Refusal, Secret } from './provider.ts';

export const ID_HEADER = 'webhook-id';
const TIMESTAMP_HEADER = 'webhook-timestamp';
export const SIGNATURE_HEADER = 'webhook-signature';

const SECRET_PREFIX = 'whsec_';
export const PUBLIC_KEY_PREFIX = 'whpk_';
export const PRIVATE_KEY_PREFIX = 'whsk_';
/** The spec's key sizes; a text outside them that happens to be base64 is a passphrase. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;
const MAX_ID_BYTES = 256;
const MAX_ED25519_SIGNATURES = 8;
/** What stands before the 32 bytes of an ed25519 key in DER (RFC 8410 §4). */
const ED25519_DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** The three headers of one attempt. `timestampSeconds` is that of the attempt, not of the event. */
export function signStandardWebhook(
  secret: string,
  message: { id: string; timestampSeconds: number; body: Buffer | string },
): Record<string, string> {
  const [key] = hmacKeysOf(secret);
  if (!key) throw new TypeError('standard-webhooks: the secret holds no key to sign with');
  const timestamp = String(message.timestampSeconds);
  return {
    [ID_HEADER]: message.id,
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: `v1,${digest(key, message.id, timestamp, message.body)}`,
  };
}

/** Whether a text is a shared secret: empty ones and the halves of a key pair are none. */
export const canSign = (secret: string): boolean => hmacKeysOf(secret).length > 0;

export const SVIX_HEADERS = ['svix-id', 'svix-timestamp', 'svix-signature'];

/** Senders behind Svix, where the standard comes from, use its older names for the same three headers. */
export function underStandardNames(delivery: RawDelivery): RawDelivery {
  const { headers } = delivery;
  if (headers[SIGNATURE_HEADER] !== undefined || headers['svix-signature'] === undefined) return delivery;
  const renamed = SVIX_HEADERS.map((name) => [name.replace('svix', 'webhook'), headers[name] ?? []] as const);
  return { ...delivery, headers: { ...headers, ...Object.fromEntries(renamed) } };
}

export function verifyStandardWebhook(
  delivery: RawDelivery,
  secrets: Secret[],
  toleranceMs: number,
): { secretId: string } | Refusal {
  const id = oneHeader(delivery, ID_HEADER);
  const timestamp = oneHeader(delivery, TIMESTAMP_HEADER);
  const lines = delivery.headers[SIGNATURE_HEADER] ?? [];
  if (lines.join('').trim() === '') return refuse('signature_missing', `${SIGNATURE_HEADER} is missing`);
  if (id === 'repeated' || timestamp === 'repeated') {
    return refuse('signature_invalid', `${ID_HEADER} and ${TIMESTAMP_HEADER} may stand only once`);
  }
  if (id === 'missing') return refuse('signature_missing', `${ID_HEADER} is missing`);
  if (Buffer.byteLength(id.value) > MAX_ID_BYTES) {
    return refuse('signature_invalid', `${ID_HEADER} is longer than ${MAX_ID_BYTES} bytes`);
  }
  if (timestamp === 'missing') return refuse('timestamp_missing', `${TIMESTAMP_HEADER} is missing`);

  const late = refuseTime(timestamp.value, delivery.receivedAtMs, toleranceMs);
  if (late) return late;

  const given = signaturesIn(lines);
  if (given.digests.length + given.ed25519.length === 0) {
    return refuse('signature_invalid', `${SIGNATURE_HEADER} holds no readable v1 or v1a signature`);
  }
  if (given.ed25519.length > MAX_ED25519_SIGNATURES) {
    return refuse(
      'signature_invalid',
      `${SIGNATURE_HEADER} holds more than ${MAX_ED25519_SIGNATURES} v1a signatures`,
    );
  }
  const message = { id: id.value, timestamp: timestamp.value, body: delivery.body };
  for (const secret of secrets) {
    if (secret.untilMs !== null && delivery.receivedAtMs >= secret.untilMs) continue;
    const value = withoutLineBreak(secret.value);
    const isConfirmed = value.startsWith(PUBLIC_KEY_PREFIX)
      ? confirmsByPublicKey(value, given.ed25519, message)
      : confirmsByDigest(value, given.digests, message);
    if (isConfirmed) return { secretId: secret.id };
  }
  return refuse('signature_invalid', 'no active secret of this source confirms the signature');
}

interface Message {
  id: string;
  timestamp: string;
  body: Buffer;
}

function confirmsByDigest(secret: string, given: Buffer[], { id, timestamp, body }: Message): boolean {
  let matches = false;
  for (const key of hmacKeysOf(secret)) {
    const expected = Buffer.from(digest(key, id, timestamp, body));
    for (const signature of given) matches = timingSafeEqual(signature, expected) || matches;
  }
  return matches;
}

function confirmsByPublicKey(text: string, given: Buffer[], { id, timestamp, body }: Message): boolean {
  const key = given.length === 0 ? null : publicKeyOf(text);
  if (key === null) return false;
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  return given.some((signature) => verify(null, signed, key, signature));
}

/** The ed25519 key of a `whpk_` text, or null when it is none. */
export function publicKeyOf(text: string): KeyObject | null {
  const raw = Buffer.from(withoutLineBreak(text).slice(PUBLIC_KEY_PREFIX.length), 'base64');
  if (raw.length !== 32) return null;
  return createPublicKey({ key: Buffer.concat([ED25519_DER_HEAD, raw]), format: 'der', type: 'spki' });
}

const withoutLineBreak = (text: string): string => text.replace(/[\r\n]+$/, '');

/**
 * A half of a key pair, however it was copied: with quotation marks or blanks before it, as PEM, DER, JWK or for SSH.
 * As a shared secret it would confirm whatever somebody signs who knows the public key.
 */
export const isOfKeyPair = (text: string): boolean =>
  /^[\s"'`]*(wh[ps]k_|-----BEGIN|ssh-|\{\s*"|MCowBQYDK2VwAyEA|MC4CAQAwBQYDK2VwBCIE)/i.test(text);

/**
 * The keys a configured secret may stand for. `whsec_` announces base64. Without it the official libraries read
 * base64 too, while senders written by hand use the bytes; a text that can be both is tried as both.
 */
function hmacKeysOf(secret: string): Buffer[] {
  const text = withoutLineBreak(secret);
  if (isOfKeyPair(text)) return [];
  if (text.startsWith(SECRET_PREFIX)) {
    const key = Buffer.from(text.slice(SECRET_PREFIX.length), 'base64');
    return key.length > 0 ? [key] : [];
  }
  if (text === '') return [];
  const bytes = Buffer.from(text, 'utf8');
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  const isKey = text.length % 4 === 0 && decoded.length >= MIN_KEY_BYTES && decoded.length <= MAX_KEY_BYTES;
  return isKey ? [decoded, bytes] : [bytes];
}

/**
 * The signatures of the header: digests as text, since decoding would accept several spellings of one, and ed25519
 * ones as bytes. The spec separates by blanks; a proxy that folds repeated lines puts ", " between them. Other
 * versions are not ours to judge.
 */
function signaturesIn(lines: string[]): { digests: Buffer[]; ed25519: Buffer[] } {
  const digests: Buffer[] = [];
  const ed25519: Buffer[] = [];
  for (const entry of lines.flatMap((line) => line.split(/[ \t]+/))) {
    const v1 = /^v1,([A-Za-z0-9+/]{43}=),?$/.exec(entry)?.[1];
    if (v1 !== undefined) digests.push(Buffer.from(v1));
    const v1a = /^v1a,([A-Za-z0-9+/]{86}==),?$/.exec(entry)?.[1];
    if (v1a === undefined) continue;
    const signature = Buffer.from(v1a, 'base64');
    if (signature.toString('base64') === v1a) ed25519.push(signature);
  }
  return { digests, ed25519 };
}

/** Both sides of the clock: a stamp from the future would otherwise be good for ever. */
function refuseTime(timestamp: string, nowMs: number, toleranceMs: number): Refusal | null {
  if (!/^[1-9]\d*$/.test(timestamp)) {
    return refuse('timestamp_unit', `${TIMESTAMP_HEADER} is not a whole number of seconds`);
  }
  if (timestamp.length >= 13) {
    return refuse('timestamp_unit', `${TIMESTAMP_HEADER} is not in seconds; it must be`);
  }
  // Whole seconds on both sides, as senders round; the bound itself is inside.
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) * 1000 <= toleranceMs) return null;
  const side = ageSeconds > 0 ? 'old' : 'far in the future';
  return refuse('timestamp_outside', `${TIMESTAMP_HEADER} is too ${side}: compare the clocks of both sides`);
}

function digest(key: Buffer, id: string, timestamp: string, body: Buffer | string): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

function oneHeader(delivery: RawDelivery, name: string): { value: string } | 'missing' | 'repeated' {
  const values = delivery.headers[name] ?? [];
  if (values.length > 1) return 'repeated';
  const value = values[0] ?? '';
  return value === '' ? 'missing' : { value };
}

const refuse = (refused: Refusal['refused'], message: string): Refusal => ({ refused, message });
