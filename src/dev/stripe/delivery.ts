/** An event as Stripe delivers it: signed anew at each attempt, with the bytes it always had. */
import { createHmac } from 'node:crypto';

export interface StripeDelivery {
  headers: Record<string, string>;
  body: Buffer;
}

/** With several secrets, as during a rotation, each signs. */
export function stripeDelivery(
  body: string | Buffer,
  secrets: string | readonly string[],
  timestampSeconds: number,
): StripeDelivery {
  const bytes = Buffer.from(body);
  const signatures = [secrets]
    .flat()
    .map((secret) => createHmac('sha256', secret).update(`${timestampSeconds}.`).update(bytes).digest('hex'));
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': [`t=${timestampSeconds}`, ...signatures.map((hex) => `v1=${hex}`)].join(','),
    },
    body: bytes,
  };
}
