/** Stripe's world for the conformance suite. */
import { createHmac } from 'node:crypto';
import type { ProviderWorld } from '../../../../src/providers/conformance/world.ts';
import { stripe } from '../../../../src/providers/stripe/stripe.ts';
import { bodyOf, charge, event, settings } from './objects.ts';

export const stripeWorld: ProviderWorld = {
  provider: stripe,
  settings,
  secrets: ['whsec_nFq1T5hF8AzqTSN5c0nSU1Nw0cQKV2oE', 'whsec_M4c7cKx1jXwA3o9S6jG2m0pYb8sLq5tV'],
  sign: (body, secret, nowMs) => {
    const time = String(Math.floor(nowMs / 1000));
    const hex = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    return { 'stripe-signature': `t=${time},v1=${hex}` };
  },
  signedHeaders: ['stripe-signature'],
  signatureHeader: 'stripe-signature',
  brokenSignatures: [
    ...[' ', ',', 't=', 't=1764500000', 't=1764500000,v1=', 't=1764500000,v1=zz', 'null', '='.repeat(2_000)],
    ...['t=1764500000,v0=6b0b7f6f', 't=1764500000,v2=6b0b7f6f', 't=1764500000,v1', 'v1=6b0b7f6f'],
  ],
  sample: () => event('charge.refunded', charge({ amount_refunded: 500 })),
  sampleOf: bodyOf,
  typePath: 'type',
  requiredPaths: ['id', 'object', 'type', 'data.object.id', 'data.object.object'],
  ids: [
    { path: 'id', shown: (parsed) => parsed.eventId },
    { path: 'data.object.metadata.order_id', shown: (parsed) => parsed.order },
    { path: 'data.object.id', shown: (parsed) => parsed.facts['charge'] },
    { path: 'data.object.payment_intent', shown: (parsed) => parsed.object.replace(/^payment:/, '') },
    { path: 'account', shown: (parsed) => parsed.account },
  ],
  mode: {
    path: 'livemode',
    texts: [
      [true, 'live'],
      [false, 'test'],
    ],
  },
  account: { path: 'account', texts: [['acct_1', 'acct_1']] },
  personal: ['Ada', 'example.com', '4242', 'Somewhere'],
};
