/**
 * What is received from Stripe and what is done about it. `npx inorder config check` says what is wrong with it,
 * docs/configuration.md of inorder has every field.
 */
import { defineConfig, env, http } from 'inorder';
import { order } from './order.ts';

/** One address of your application takes them all: the body of a call names its effect. */
const call = http({
  url: env('EFFECTS_URL'),
  secret: env('EFFECTS_SECRET'),
  // How long your application does nothing twice under one idempotency key. If it does not look at the key: '0';
  // then nothing whose end is unknown is ever repeated, and a person sees it.
  keyTtl: '24h',
  // Your application may listen on this machine or in your own network. Take it away when it has a public address.
  allowPrivate: true,
});

export default defineConfig({
  machines: [order],

  sources: {
    // POST /webhooks/stripe
    stripe: {
      provider: 'stripe',
      environment: '$environment',
      machine: 'order',
      // Events of the other mode are kept as foreign and decide nothing. `account: 'acct_…'` does the same for accounts.
      mode: '$mode',
      // Several may be active while one replaces another; give the old one an `until`.
      secrets: [{ id: 'a', value: env('STRIPE_WEBHOOK_SECRET') }],
      // Where in Stripe's object your order's id is; the first that is there counts. An object that names no order
      // is linked through its payment.
      order: ['$order'],
      // A type that neither the adapter nor `types` knows is kept without effects. 'reject' would answer 422, and
      // providers switch off endpoints that keep refusing, for all types.
      unknownTypes: 'archive',
      // if api
      // What events cannot tell is asked: a restricted key, read only. Its events have no versions, and without
      // the API the table alone would have to decide.
      apiKey: env('STRIPE_API_KEY'),
      // Only to ask somebody else than Stripe, such as a stand-in.
      apiBase: env('STRIPE_API_URL', { optional: true }),
      apiPerSecond: 20,
      // What Stripe sent by its own list, so that a webhook which never came is found.
      reconcile: { every: '15m' },
      // else
      // Without a key Stripe is never asked. The table is one that holds in any order of arrival; what it cannot
      // know goes to a person. With `apiKey` most of that answers itself.
      contract: 'unordered',
      // Each refund tells of itself and is booked under its id. Its charge tells when nothing is left, and no more,
      // or one refund would be booked twice.
      types: {
        'charge.refunded': (body) => {
          const { captured, refunded } = (body as { data: { object: Record<string, unknown> } }).data.object;
          return captured === true && refunded === true ? 'payment.refunded' : null;
        },
      },
      // end
      // Orders whose payment was made before this are adopted: their status is set, and no effect runs for what came
      // before. Take it away when none of them moves any more.
      existingBefore: '2026-01-01T00:00:00Z',
    },
    // Your own application is a source too: docs/your-application.md of inorder.
  },

  effects: {
    fulfil: call,
    sendReceipt: call,
    releaseStock: call,
    returnPayment: call,
    bookRefund: call,
    unbookRefund: call,
    revokeAccess: call,
    alertFinance: call,
  },
});
