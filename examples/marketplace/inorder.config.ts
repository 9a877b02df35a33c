/**
 * A marketplace: payments, refunds and disputes come from Stripe, everything else from the shop itself, which numbers
 * what it tells of each object (an order, a seller's part, a payout) from 1 on.
 */
import { defineConfig, env, http } from 'inorder';
import { order } from './machine.ts';

const call = http({ url: env('EFFECTS_URL'), secret: env('EFFECTS_SECRET'), keyTtl: '24h' });

export default defineConfig({
  machines: [order],

  sources: {
    stripe: {
      provider: 'stripe',
      environment: 'live',
      machine: 'order',
      mode: 'live',
      secrets: [{ id: 'a', value: env('STRIPE_WEBHOOK_SECRET') }],
      order: ['metadata.order_id'],
      unknownTypes: 'archive',
      // Stripe's events have no versions: each is a hint, and Stripe is asked.
      apiKey: env('STRIPE_API_KEY'),
    },

    shop: {
      provider: 'standard-webhooks',
      environment: 'live',
      machine: 'order',
      secrets: [{ id: 'a', value: env('SHOP_WEBHOOK_SECRET') }],
      paths: { order: 'data.order', kind: 'data.kind', object: 'data.id', version: 'data.number' },
      // Words that no provider has are said to be known here; the neutral ones are without a word.
      types: {
        'part.shipped': 'part.shipped',
        'part.cancelled': 'part.cancelled',
        'payout.paid': 'payout.paid',
        'payout.failed': 'payout.failed',
      },
      contract: 'sequence',
      first: '1',
      unknownTypes: 'reject',
      fetch: {
        url: 'https://shop.example/internal/{kind}/{object}',
        bearer: env('SHOP_API_TOKEN'),
      },
    },
  },

  effects: {
    askSellers: call,
    sendReceipt: call,
    payOut: call,
    stopPayouts: call,
    releaseStock: call,
    returnPayment: call,
    bookRefund: call,
    refundPart: call,
    bookPayout: call,
    alertFinance: call,
  },
});
