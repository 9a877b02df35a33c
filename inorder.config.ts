/**
 * The demo's configuration: a shop and its payment provider, both played by the sandbox, and effects that are
 * signed HTTP calls. `inorder demo` and `inorder dev` set the variables; a team copies this file and changes it.
 */
import { defineConfig, env, http } from 'inorder';
import { order } from './machines/order.ts';

/** One address takes them all: the body of a call names its effect. */
const call = http({
  url: env('EFFECTS_URL'),
  secret: env('EFFECTS_SECRET'),
  keyTtl: '24h',
  retry: { firstDelay: '500ms', maxDelay: '1m' },
  // The demo's receiver of effects listens on loopback.
  allowPrivate: true,
});

export default defineConfig({
  machines: [order],

  sources: {
    // What happens to the order itself, and to its shipment.
    shop: {
      provider: 'sandbox',
      environment: 'demo',
      machine: 'order',
      secrets: [
        { id: 'a', value: env('SHOP_WEBHOOK_SECRET') },
        { id: 'old', value: env('SHOP_WEBHOOK_SECRET_OLD', { optional: true }) },
      ],
      unknownTypes: 'reject',
      gapTimeout: '2s',
      apiBase: env('SHOP_API_URL'),
      apiKey: env('SHOP_API_KEY', { optional: true }),
      apiPerSecond: 200,
      // A team takes minutes: what never came is found by the next look.
      reconcile: { every: '3s' },
    },
    // Payments, refunds and disputes.
    payments: {
      provider: 'sandbox',
      environment: 'demo',
      machine: 'order',
      secrets: [{ id: 'a', value: env('PAYMENTS_WEBHOOK_SECRET') }],
      unknownTypes: 'reject',
      gapTimeout: '2s',
      apiBase: env('PAYMENTS_API_URL'),
      apiKey: env('PAYMENTS_API_KEY', { optional: true }),
      apiPerSecond: 200,
      reconcile: { every: '3s' },
    },
  },

  // A killed receiver leaves events that nobody was told of; a demo has no minute to wait for them.
  redeliverAfter: '5s',

  effects: {
    fulfil: call,
    sendReceipt: call,
    releaseStock: call,
    bookRefund: call,
    revokeAccess: call,
    alertFinance: call,
  },
});
