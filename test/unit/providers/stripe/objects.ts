/** Small objects of Stripe's, as an event or an answer holds them: only what somebody may look at. */
import type { SourceSettings } from '../../../../src/providers/provider.ts';
import { words } from '../../../../src/providers/stripe/types.ts';

export const settings: SourceSettings = {
  name: 'stripe',
  environment: 'live',
  toleranceMs: 300_000,
  orderPaths: ['metadata.order_id', 'client_reference_id'],
  paths: {},
  mode: 'live',
  account: null,
  requests: {},
};

type Changes = Record<string, unknown>;

export const intent = (changes: Changes = {}) => ({
  id: 'pi_1',
  object: 'payment_intent',
  amount: 2_500,
  amount_capturable: 0,
  amount_received: 2_500,
  created: 1_764_000_000,
  currency: 'eur',
  last_payment_error: null,
  latest_charge: 'ch_1',
  livemode: true,
  metadata: { order_id: '1042' },
  receipt_email: 'ada@example.com',
  status: 'succeeded',
  ...changes,
});

export const charge = (changes: Changes = {}) => ({
  id: 'ch_1',
  object: 'charge',
  amount: 2_500,
  amount_captured: 2_500,
  amount_refunded: 0,
  billing_details: { address: { line1: 'Somewhere 1' }, email: 'ada@example.com', name: 'Ada Example' },
  captured: true,
  created: 1_764_000_010,
  currency: 'eur',
  failure_code: null,
  livemode: true,
  metadata: { order_id: '1042' },
  payment_intent: 'pi_1',
  payment_method_details: { card: { last4: '4242' }, type: 'card' },
  refunded: false,
  status: 'succeeded',
  ...changes,
});

export const refund = (changes: Changes = {}) => ({
  id: 're_1',
  object: 'refund',
  amount: 500,
  charge: 'ch_1',
  created: 1_764_000_100,
  currency: 'eur',
  metadata: {},
  payment_intent: 'pi_1',
  reason: null,
  status: 'succeeded',
  ...changes,
});

export const dispute = (changes: Changes = {}) => ({
  id: 'dp_1',
  object: 'dispute',
  amount: 2_500,
  charge: 'ch_1',
  created: 1_764_000_200,
  currency: 'eur',
  evidence: { customer_name: 'Ada Example' },
  livemode: true,
  metadata: {},
  payment_intent: 'pi_1',
  reason: 'fraudulent',
  status: 'needs_response',
  ...changes,
});

export const session = (changes: Changes = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  amount_total: 2_500,
  client_reference_id: '1042',
  created: 1_764_000_000,
  currency: 'eur',
  customer_details: { email: 'ada@example.com', name: 'Ada Example' },
  livemode: true,
  metadata: {},
  mode: 'payment',
  payment_intent: 'pi_1',
  payment_status: 'paid',
  status: 'complete',
  ...changes,
});

export const event = (type: string, object: unknown, changes: Changes = {}) => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: 1_764_000_300,
  data: { object },
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
  ...changes,
});

/** For each word, an object that says what the word says as a rule. */
export function bodyOf(word: string) {
  const kind = words[word]?.kind;
  switch (kind) {
    case 'payment_intent':
      return event(word, intent({ amount_capturable: word.includes('capturable') ? 2_500 : 0 }));
    case 'charge':
      return event(word, charge({ amount_refunded: word === 'charge.refunded' ? 500 : 0 }));
    case 'refund':
      return event(word, refund({ status: word === 'refund.failed' ? 'failed' : 'succeeded' }));
    case 'dispute':
      return event(word, dispute({ status: STATUS_OF[word] ?? 'needs_response' }));
    case 'checkout.session':
      return event(word, session());
    case undefined:
      throw new Error(`no word of Stripe's: ${word}`);
  }
}

const STATUS_OF: Record<string, string> = {
  'charge.dispute.funds_reinstated': 'won',
  'charge.dispute.closed': 'lost',
};
