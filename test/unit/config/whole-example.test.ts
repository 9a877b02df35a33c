import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../src/config/check.ts';
import { showConfig } from '../../../src/config/show.ts';
import type { Config } from '../../../src/config/resolved.ts';
import { defineConfig, defineMachine, env, http, ignore, review, stay } from '../../../src/index.ts';

/** Everything that a machine may say, in small. */
const order = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: {
    new: {},
    awaiting_payment: { deadline: { after: '24h', type: 'order.expired' } },
    paid: { effects: ['fulfil', 'sendReceipt'] },
    cancelled: { effects: ['releaseStock'] },
    refunded: { effects: ['bookRefund'] },
  },
  effects: {
    fulfil: { once: 'order', whenPassed: 'run', sensitive: true, validIn: ['paid'] },
    sendReceipt: { once: 'order', whenPassed: 'skip' },
    releaseStock: { once: 'order', whenPassed: 'run' },
    bookRefund: { once: 'facts.refund', whenPassed: 'run' },
  },
  on: {
    'order.created': { new: 'awaiting_payment', else: ignore('the payment came first') },
    'order.cancelled': { new: 'cancelled', awaiting_payment: 'cancelled', else: review('it went too far') },
    'order.expired': { awaiting_payment: 'cancelled', else: ignore('it was paid in time') },
    'payment.captured': {
      new: 'paid',
      awaiting_payment: 'paid',
      cancelled: review('too late'),
      else: ignore('again'),
    },
    'payment.refunded': {
      paid: { own: 'refunded', other: stay('refund of a second payment', ['bookRefund']) },
    },
    'refund.failed': { refunded: 'paid' },
  },
  late: { 'payment.captured': { cancelled: review('was captured before the cancel') } },
  ahead: ['order.cancelled'],
  stepsBack: ['refund.failed'],
  unlisted: 'ask',
});

const written = defineConfig({
  machines: [order],
  sources: {
    stripe: {
      provider: 'stripe',
      environment: 'live',
      machine: 'order',
      mode: 'live',
      account: 'acct_1AbC',
      secrets: [
        { id: '2026-11', value: env('STRIPE_WEBHOOK_SECRET') },
        {
          id: '2025-03',
          value: env('STRIPE_WEBHOOK_SECRET_OLD', { optional: true }),
          until: '2026-12-15T00:00:00Z',
        },
      ],
      order: ['metadata.order_id', 'client_reference_id'],
      types: { 'customer.created': null },
      unknownTypes: 'archive',
      tolerance: '5m',
      maxBytes: 1_048_576,
      apiKey: env('STRIPE_API_KEY'),
      apiPerSecond: 20,
      effects: 'run',
      existingBefore: '2026-12-01T00:00:00Z',
    },
    shop: {
      provider: 'standard-webhooks',
      environment: 'live',
      machine: 'order',
      secrets: [{ id: 'a', value: env('SHOP_WEBHOOK_SECRET') }],
      paths: {
        id: 'id',
        type: 'type',
        order: 'data.order',
        object: 'data.order',
        version: 'data.version',
        time: 'timestamp',
      },
      contract: 'sequence',
      first: '1',
      gapTimeout: '30s',
      unknownTypes: 'reject',
      fetch: { url: 'https://shop.example/internal/orders/{object}', bearer: env('SHOP_API_TOKEN') },
    },
  },
  effects: {
    fulfil: http({
      url: 'https://shop.example/hooks/fulfil',
      secret: env('SHOP_HOOK_SECRET'),
      timeout: '10s',
      keyTtl: '24h',
    }),
    sendReceipt: {
      keyTtl: '24h',
      retry: { maxAttempts: 20, firstDelay: '1s', maxDelay: '1h' },
      run: () => Promise.resolve(),
      confirm: () => Promise.resolve(true),
    },
    releaseStock: { run: () => Promise.resolve() },
    bookRefund: { run: () => Promise.resolve() },
    pageUs: http({ url: 'https://pager.example/hook', secret: env('PAGER_SECRET') }),
  },
  attention: { notify: 'pageUs' },
  redeliverAfter: '60s',
  askDeadline: '24h',
  closeAfter: '7d',
  maxEventsPerRun: 5_000,
});

const VARIABLES = {
  STRIPE_WEBHOOK_SECRET: 'whsec_stripe',
  STRIPE_API_KEY: 'rk_live_stripe',
  SHOP_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of the shop, long enough').toString('base64')}`,
  SHOP_API_TOKEN: 'token_of_the_shop',
  SHOP_HOOK_SECRET: 'secret_of_the_hook',
  PAGER_SECRET: 'secret_of_the_pager',
};

function accepted(config: unknown): Config {
  const checked = checkConfig(config, '/shop/inorder.config.ts', VARIABLES);
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  return checked.config;
}

describe('a configuration that uses every field', () => {
  it('is taken, with all it says', () => {
    const config = accepted(written);
    expect(config.sources.get('stripe')).toMatchObject({
      mode: 'live',
      account: 'acct_1AbC',
      secrets: [{ id: '2026-11', value: 'whsec_stripe', untilMs: null }],
      settings: { orderPaths: ['metadata.order_id', 'client_reference_id'], toleranceMs: 300_000 },
      types: { 'customer.created': null },
      contract: 'unordered',
      api: { base: 'https://api.stripe.com', key: 'rk_live_stripe', perSecond: 20 },
      policy: { api: true, find: true, effects: 'run', existingBefore: '2026-12-01T00:00:00Z' },
    });
    expect(config.sources.get('shop')).toMatchObject({
      contract: 'sequence',
      settings: { requests: { fetch: '/internal/orders/{object}' } },
      api: { base: 'https://shop.example', key: 'token_of_the_shop' },
      policy: { api: true, find: false, first: '1', existingBefore: null },
    });
    expect(config).toMatchObject({ notify: 'pageUs', closeAfterMs: 604_800_000 });
  });

  it('is shown without what is secret', () => {
    const shown = JSON.stringify(showConfig(accepted(written)));
    for (const secret of Object.values(VARIABLES)) expect(shown).not.toContain(secret);
    expect(shown).toContain('"notify":"pageUs"');
    expect(shown).toContain('"orders":[{"orders":"order/live","sources":["stripe","shop"]}]');
  });

  it('is refused where it asks for what is not possible yet, with what to do instead, and nowhere else', () => {
    const more = {
      ...written,
      retain: { body: '90d', event: '400d', journal: '2555d' },
    };
    expect(checkConfig(more, '/shop/inorder.config.ts', VARIABLES)).toEqual({
      problems: [
        expect.stringMatching(
          /^retain: is not possible yet: inorder deletes nothing\. Leave it out and plan disk/,
        ),
      ],
    });
  });
});
