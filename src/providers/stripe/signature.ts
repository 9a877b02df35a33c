/**
 * `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>…][,v0=…]`: each `v1` is HMAC-SHA256 over `<t>.<body>`, in hex, with
 * the secret's characters as the key (`whsec_` belongs to it).
 *
 * 1. Verifying never throws, and no message repeats a secret.
 * 2. Both sides of the clock: the official libraries only look at the old one, and a stamp from the future would be
 *    good for ever.
 * 3. Every candidate is compared in constant time, whether or not an earlier one matched.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RawDelivery, Refusal, Secret } from '../provider.ts';

export const SIGNATURE_HEADER = 'stripe-signature';

export function verifyStripe(
  delivery: RawDelivery,
  secrets: Secret[],
  toleranceMs: number,
): { secretId: string } | Refusal {
  const lines = delivery.headers[SIGNATURE_HEADER] ?? [];
  if (lines.join('').trim() === '') return refuse('signature_missing', 'Stripe-Signature is missing');
  const entries = lines.flatMap((line) => line.split(',')).map((entry) => entry.trim());
  const times = new Set(valuesOf(entries, 't'));
  const [time] = times;
  if (time === undefined || time === '') {
    return refuse('timestamp_missing', 'Stripe-Signature holds no t=<seconds>');
  }
  // Which of two times is signed would be the sender's choice.
  if (times.size > 1) return refuse('signature_invalid', 'Stripe-Signature holds more than one time');
  const late = refuseTime(time, delivery.receivedAtMs, toleranceMs);
  if (late) return late;

  const given = valuesOf(entries, 'v1')
    .filter((hex) => /^[0-9a-f]{64}$/.test(hex))
    .map((hex) => Buffer.from(hex));
  if (given.length === 0) {
    return refuse('signature_invalid', 'Stripe-Signature holds no readable v1 signature');
  }
  for (const secret of secrets) {
    if (secret.untilMs !== null && delivery.receivedAtMs >= secret.untilMs) continue;
    const key = secret.value.replace(/[\r\n]+$/, '');
    if (key === '') continue;
    const expected = Buffer.from(digest(key, time, delivery.body));
    let matches = false;
    for (const signature of given) matches = timingSafeEqual(signature, expected) || matches;
    if (matches) return { secretId: secret.id };
  }
  return refuse('signature_invalid', 'no active secret of this source confirms the signature');
}

function valuesOf(entries: string[], scheme: string): string[] {
  return entries
    .filter((entry) => entry.startsWith(`${scheme}=`))
    .map((entry) => entry.slice(scheme.length + 1));
}

function refuseTime(time: string, nowMs: number, toleranceMs: number): Refusal | null {
  if (!/^[1-9]\d*$/.test(time)) {
    return refuse('timestamp_unit', 't in Stripe-Signature is not a whole number of seconds');
  }
  if (time.length >= 13)
    return refuse('timestamp_unit', 't in Stripe-Signature is not in seconds; it must be');
  // Whole seconds on both sides, as senders round; the bound itself is inside.
  const ageSeconds = Math.floor(nowMs / 1000) - Number(time);
  if (Math.abs(ageSeconds) * 1000 <= toleranceMs) return null;
  const side = ageSeconds > 0 ? 'old' : 'far in the future';
  return refuse(
    'timestamp_outside',
    `t in Stripe-Signature is too ${side}: compare the clock of this machine with the time; a sender signs anew at each attempt`,
  );
}

function digest(key: string, time: string, body: Buffer): string {
  return createHmac('sha256', key).update(`${time}.`).update(body).digest('hex');
}

const refuse = (refused: Refusal['refused'], message: string): Refusal => ({ refused, message });
