/**
 * What is received from your own application and what is done about it. `npx inorder config check` says what is
 * wrong with it, docs/configuration.md of inorder has every field.
 */
import { defineConfig, env, http } from 'inorder';
import { order } from '../../../../machines/order.ts';

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
    // POST /webhooks/shop
    shop: {
      provider: 'standard-webhooks',
      environment: '$environment',
      machine: 'order',
      // Several may be active while one replaces another; give the old one an `until`.
      secrets: [{ id: 'a', value: env('SHOP_WEBHOOK_SECRET') }],
      // Where in the body things are. `type` must be a word of the machine, or be mapped to one by `types`.
      paths: { id: '$path' },
      // if version
      // Each change of an order has the next number, from 1 on, so that a gap shows. If yours only rise: 'monotonic'.
      // If orders may be older than inorder: first: 'any'.
      first: '1',
      // else
      // Nothing tells which event is newer. The table is one that holds in any order of arrival; what it cannot
      // know goes to a person. A number that rises with each change would let inorder put them in order.
      // end
      contract: 'sequence',
      // A type that neither the machine nor `types` knows is kept without effects. 'reject' answers 422 instead,
      // which suits a sender of your own; providers switch off endpoints that keep refusing.
      unknownTypes: 'archive',
    },
  },

  effects: {
    fulfil: call,
    sendReceipt: call,
    releaseStock: call,
    bookRefund: call,
    revokeAccess: call,
    alertFinance: call,
  },
});
