/** A told event as its provider sends it, genuine or as a stranger would. */
import type { Source } from '../../config/resolved.ts';
import { InorderError } from '../../errors.ts';
import { signStandardWebhook } from '../../providers/standard-webhooks-signature.ts';
import { stripeDelivery } from '../stripe/delivery.ts';
import type { Forgery } from './plan.ts';
import type { ToldEvent } from './teller.ts';

export interface SignedDelivery {
  headers: Record<string, string>;
  body: Buffer;
}

const STRANGERS = `whsec_${Buffer.from('guessed by a stranger').toString('base64')}`;

export function sign(
  source: Source,
  event: ToldEvent,
  forgery: Forgery | null,
  nowMs: number,
): SignedDelivery {
  const secret = forgery === 'wrong secret' ? STRANGERS : activeSecret(source, nowMs);
  // Genuine in every byte, caught on the wire and played again an hour after it has lost its force.
  const ageMs = forgery === 'old time' ? source.settings.toleranceMs + 3_600_000 : 0;
  const timestampSeconds = Math.floor((nowMs - ageMs) / 1_000);
  const body = Buffer.from(event.body);
  const signed =
    source.provider.name === 'stripe'
      ? stripeDelivery(body, secret, timestampSeconds).headers
      : {
          'content-type': 'application/json',
          'user-agent': 'inorder-simulate',
          ...signStandardWebhook(secret, { id: event.id, timestampSeconds, body }),
        };
  return {
    headers: signed,
    body: forgery === 'changed byte' ? Buffer.concat([body, Buffer.from(' ')]) : body,
  };
}

function activeSecret({ name, secrets }: Source, nowMs: number): string {
  const active = secrets.find(({ untilMs }) => untilMs === null || untilMs > nowMs);
  if (active === undefined)
    throw new InorderError('usage', `No secret of '${name}' is active; nothing can be signed.`);
  if (active.value.startsWith('whpk_')) {
    throw new InorderError('usage', `'${name}' checks with a public key; only its sender can sign.`);
  }
  return active.value;
}
