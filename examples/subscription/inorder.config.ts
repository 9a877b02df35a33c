/**
 * A billing service tells of subscriptions and their invoices, by Standard Webhooks and in words of its own. `types`
 * brings them into the table's words; `kind` keeps a subscription and its invoices apart, each with versions of its own.
 */
import { defineConfig, env, http } from 'inorder';
import { subscription } from './machine.ts';

const call = http({ url: env('EFFECTS_URL'), secret: env('EFFECTS_SECRET'), keyTtl: '24h' });

/** The service sends one word for two things; a field of the body says which. */
const startedOrResubscribed = (body: unknown) =>
  (body as { data?: { ended_before?: unknown } }).data?.ended_before === true
    ? 'subscription.resubscribed'
    : 'subscription.started';

export default defineConfig({
  machines: [subscription],

  sources: {
    billing: {
      provider: 'standard-webhooks',
      environment: 'live',
      machine: 'subscription',
      secrets: [{ id: 'a', value: env('BILLING_WEBHOOK_SECRET') }],
      paths: {
        order: 'data.subscription',
        kind: 'data.object',
        object: 'data.id',
        // An invoice is to a subscription what a payment is to an order: it makes an event `own` or `other`.
        payment: 'data.invoice',
        version: 'data.revision',
        // The second pause is other news than the first: without this they were the same, and nobody would be told.
        'facts.attempt': 'data.revision',
      },
      types: {
        'trial.started': 'subscription.trial_started',
        'subscription.activated': startedOrResubscribed,
        'subscription.paused': 'subscription.paused',
        'subscription.resumed': 'subscription.resumed',
        'subscription.cancelled': 'subscription.cancelled',
        'invoice.paid': 'invoice.paid',
        'invoice.payment_failed': 'invoice.failed',
        // Known, and of no interest.
        'invoice.created': null,
      },
      // A revision only rises: of one object the higher one is newer, and numbers may be left out.
      contract: 'monotonic',
      unknownTypes: 'archive',
      fetch: {
        url: 'https://billing.example/v1/{kind}/{object}',
        bearer: env('BILLING_API_TOKEN'),
        paths: { type: 'last_event' },
      },
    },
  },

  effects: { syncAccess: call, sendReceipt: call, askForPayment: call },
});
