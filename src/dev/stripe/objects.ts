/**
 * Stripe's objects in full, as its API answers them and as snapshot events hold them: every field that the documented
 * shape of the pinned version requires. What a story says of an object is laid over these.
 */
export interface StripeObject {
  id: string;
  object: string;
  created: number;
  livemode?: boolean;
  metadata: Record<string, string>;
  [field: string]: unknown;
}

/** What every object of a story shares. */
export interface Common {
  id: string;
  created: number;
  livemode: boolean;
  currency: string;
}
type Changes = Record<string, unknown>;

const NO_ADDRESS = { city: null, country: 'DE', line1: null, line2: null, postal_code: null, state: null };
const BUYER = { email: 'buyer@shop.example', name: 'A Buyer', phone: null };

export function paymentIntent({ id, created, livemode, currency }: Common, changes: Changes): StripeObject {
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: 0,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_standin`,
    confirmation_method: 'automatic',
    created,
    currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: BUYER.email,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
    ...changes,
  };
}

export function charge({ id, created, livemode, currency }: Common, changes: Changes): StripeObject {
  return {
    id,
    object: 'charge',
    amount: 0,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: NO_ADDRESS, ...BUYER, tax_id: null },
    calculated_statement_descriptor: 'SHOP.EXAMPLE',
    captured: false,
    created,
    currency,
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: null,
    payment_method: 'pm_standin',
    payment_method_details: {
      card: {
        brand: 'visa',
        country: 'DE',
        exp_month: 8,
        exp_year: 2030,
        funding: 'credit',
        last4: '4242',
        network: 'visa',
      },
      type: 'card',
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
    ...changes,
  };
}

/** The one object without a mode of its own. */
export function refund({ id, created, currency }: Common, changes: Changes): StripeObject {
  return {
    id,
    object: 'refund',
    amount: 0,
    balance_transaction: null,
    charge: null,
    created,
    currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { reference_status: 'pending', type: 'refund' }, type: 'card' },
    metadata: {},
    payment_intent: null,
    payment_method: 'pm_standin',
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
    ...changes,
  };
}

export function dispute({ id, created, livemode, currency }: Common, changes: Changes): StripeObject {
  return {
    id,
    object: 'dispute',
    amount: 0,
    balance_transactions: [],
    charge: null,
    created,
    currency,
    enhanced_eligibility_types: [],
    evidence: {
      customer_email_address: BUYER.email,
      customer_name: BUYER.name,
      product_description: null,
      receipt: null,
    },
    evidence_details: {
      due_by: created + 604_800,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: null,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
    ...changes,
  };
}

export function checkoutSession({ id, created, livemode, currency }: Common, changes: Changes): StripeObject {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: 0,
    amount_total: 0,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: 'https://shop.example/cart',
    client_reference_id: null,
    client_secret: null,
    collected_information: { shipping_details: null },
    consent: null,
    consent_collection: null,
    created,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: { address: NO_ADDRESS, ...BUYER, tax_exempt: 'none', tax_ids: [] },
    customer_email: null,
    discounts: [],
    expires_at: created + 86_400,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode,
    locale: null,
    managed_payments: null,
    metadata: {},
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: 'https://shop.example/thanks',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted',
    url: null,
    wallet_options: null,
    ...changes,
  };
}
