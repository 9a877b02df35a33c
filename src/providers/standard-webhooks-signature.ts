/**
 * The signature of Standard Webhooks 1.0.0: `v1` is the base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`.
 * Owns both directions, so that what inorder sends (effects) and what it takes (sources) cannot drift apart.
 *
 * 1. Only the raw bytes are signed and checked; nothing here parses or rewrites a body.
 * 2. Verifying never throws: whatever a stranger sends ends in a Refusal, and no message repeats a secret.
 * 3. Every candidate is compared in constant time, whether or not an earlier one matched.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RawDelivery, Refusal, Secret } from './provider.ts';

export const ID_HEADER = 'webhook-id';
const TIMESTAMP_HEADER = 'webhook-timestamp';
const SIGNATURE_HEADER = 'webhook-signature';

const PREFIX = 'whsec_';
/** The spec's key sizes; a text outside them that happens to be base64 is a passphrase. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;
const MAX_ID_BYTES = 256;

/** The three headers of one attempt. `timestampSeconds` is that of the attempt, not of the event. */
export function signStandardWebhook(
  secret: string,
  message: { id: string; timestampSeconds: number; body: Buffer | string },
): Record<string, string> {
  const [key] = keysOf(secret);
  if (!key) throw new TypeError('standard-webhooks: the secret is empty');
  const timestamp = String(message.timestampSeconds);
  return {
    [ID_HEADER]: message.id,
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: `v1,${digest(key, message.id, timestamp, message.body)}`,
  };
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
  if (given.length === 0) {
    return refuse('signature_invalid', `${SIGNATURE_HEADER} holds no readable v1 signature`);
  }
  for (const secret of secrets) {
    if (secret.untilMs !== null && delivery.receivedAtMs >= secret.untilMs) continue;
    for (const key of keysOf(secret.value)) {
      const expected = Buffer.from(digest(key, id.value, timestamp.value, delivery.body));
      let matches = false;
      for (const signature of given) matches = timingSafeEqual(signature, expected) || matches;
      if (matches) return { secretId: secret.id };
    }
  }
  return refuse('signature_invalid', 'no active secret of this source confirms the signature');
}

/**
 * The keys a configured secret may stand for. `whsec_` announces base64. Without it the official libraries read
 * base64 too, while senders written by hand use the bytes; a text that can be both is tried as both.
 */
function keysOf(secret: string): Buffer[] {
  const text = secret.replace(/[\r\n]+$/, '');
  if (text.startsWith(PREFIX)) {
    const key = Buffer.from(text.slice(PREFIX.length), 'base64');
    return key.length > 0 ? [key] : [];
  }
  if (text === '') return [];
  const bytes = Buffer.from(text, 'utf8');
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  const isKey = text.length % 4 === 0 && decoded.length >= MIN_KEY_BYTES && decoded.length <= MAX_KEY_BYTES;
  return isKey ? [decoded, bytes] : [bytes];
}

/**
 * All `v1` digests of the header, as text: decoding would accept several spellings of one digest. The spec separates
 * by blanks; a proxy that folds repeated lines puts ", " between them. Other versions are not ours to judge.
 */
function signaturesIn(lines: string[]): Buffer[] {
  return lines
    .flatMap((line) => line.split(/[ \t]+/))
    .map((entry) => /^v1,([A-Za-z0-9+/]{43}=),?$/.exec(entry)?.[1])
    .filter((base64) => base64 !== undefined)
    .map((base64) => Buffer.from(base64));
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
