/**
 * Stripe's words for payments, charges, refunds, disputes and Checkout sessions, all that its documentation lists.
 * Many words only say that something about an object changed: what happened is then read from the object.
 */
import type { Refusal } from '../provider.ts';
import type { Happening } from './facts.ts';
import {
  authorized,
  cancelled,
  captured,
  dispute,
  failed,
  isUndone,
  refundMade,
  refundUndone,
  returned,
} from './facts.ts';
import type { Fields } from './fields.ts';
import { amountOf, missing, referenceOf } from './fields.ts';
import { isRecord } from '../json.ts';

/** What a word and its object say: something, nothing (and why), or an unknown thing (type undefined). */
export type Reading =
  Happening | { type: null | undefined; note?: string; facts: Record<string, never> } | Refusal;

export type Kind = 'payment_intent' | 'charge' | 'refund' | 'dispute' | 'checkout.session';

interface Word {
  /** What `data.object` is. */
  kind: Kind;
  /** What it says as a rule. */
  usually: string | null;
  read(object: Fields): Reading;
}

const nothing = (note?: string): Reading => ({
  type: null,
  ...(note === undefined ? {} : { note }),
  facts: {},
});

const silent = (kind: Kind, note?: string): Word => ({ kind, usually: null, read: () => nothing(note) });

/** The intent, and where a charge was made without one, the charge. */
export function paymentOf(kind: Kind, object: Fields): string | null {
  const own = referenceOf(object['id']);
  if (kind === 'payment_intent') return own;
  const intent = referenceOf(object['payment_intent']);
  if (intent !== null) return intent;
  // Without an intent, a session is an attempt of its own: a free order, a subscription, or one that expired early.
  return kind === 'charge' || kind === 'checkout.session' ? own : referenceOf(object['charge']);
}

const idOf = (kind: Kind, object: Fields): string => paymentOf(kind, object) ?? '';

// ── payment intents ────────────────────────────────────────────────────────────────────────────────────────

const intentCapturable: Word['read'] = (intent) => {
  const amount = amountOf(intent['amount_capturable']);
  if (amount === 0n) return nothing('nothing can be captured any more');
  return authorized({ payment: idOf('payment_intent', intent), amount, currency: intent['currency'] });
};

export const intentSucceeded = (intent: Fields): Happening =>
  captured({
    payment: idOf('payment_intent', intent),
    amount: amountOf(intent['amount_received']),
    currency: intent['currency'],
  });

export function intentFailed(intent: Fields): Happening {
  const error = isRecord(intent['last_payment_error']) ? intent['last_payment_error'] : {};
  return failed(idOf('payment_intent', intent), referenceOf(error['charge']), error['code']);
}

// ── charges ────────────────────────────────────────────────────────────────────────────────────────────────

export const chargeCaptured = (charge: Fields): Happening =>
  captured({
    payment: idOf('charge', charge),
    amount: amountOf(charge['amount_captured']),
    currency: charge['currency'],
  });

/** Also said of money that is only reserved. */
export const chargeSucceeded = (charge: Fields): Happening =>
  charge['captured'] === false
    ? authorized({
        payment: idOf('charge', charge),
        amount: amountOf(charge['amount']),
        currency: charge['currency'],
      })
    : chargeCaptured(charge);

export const chargeFailed = (charge: Fields): Happening =>
  failed(idOf('charge', charge), referenceOf(charge['id']), charge['failure_code']);

/**
 * Also said when reserved money is released: all of it, when the payment is cancelled, and what was left, when less
 * was captured. Stripe counts both in `amount_refunded`; nobody gets anything back.
 */
const chargeRefunded: Word['read'] = (charge) => {
  const payment = idOf('charge', charge);
  if (charge['captured'] === false) return cancelled(payment);
  const amount = amountOf(charge['amount']);
  if (amount === null) return missing('data.object.amount');
  const amountRefunded = amountOf(charge['amount_refunded']);
  if (amountRefunded === null) return missing('data.object.amount_refunded');
  const money = amountOf(charge['amount_captured']) ?? amount;
  const refunded = amountRefunded - (amount - money);
  if (refunded <= 0n) return nothing('what was not captured was released');
  return returned({
    payment,
    charge: referenceOf(charge['id']) ?? payment,
    captured: money,
    refunded,
    currency: charge['currency'],
  });
};

// ── refunds ────────────────────────────────────────────────────────────────────────────────────────────────

const refundSaid =
  (read: (object: Fields, payment: string) => Happening): Word['read'] =>
  (object) => {
    const payment = paymentOf('refund', object);
    return payment === null ? nothing('a refund that belongs to no payment') : read(object, payment);
  };

const refundChanged = refundSaid((object, payment) =>
  isUndone(object) ? refundUndone(object, payment) : refundMade(object, payment),
);

const refundFailed = refundSaid(refundUndone);

// ── disputes ───────────────────────────────────────────────────────────────────────────────────────────────

const INQUIRY = 'an inquiry: no money has moved';

/** Every status Stripe lists. An appeal opens a decided dispute again. */
const disputes: Record<string, { type: string } | { note: string }> = {
  needs_response: { type: 'dispute.opened' },
  under_review: { type: 'dispute.opened' },
  appeal_needs_response: { type: 'dispute.opened' },
  appeal_under_review: { type: 'dispute.opened' },
  won: { type: 'dispute.won' },
  lost: { type: 'dispute.lost' },
  warning_needs_response: { note: INQUIRY },
  warning_under_review: { note: INQUIRY },
  warning_closed: { note: INQUIRY },
  prevented: { note: 'a dispute that was prevented: no money has moved by it' },
};

export const disputeSaid = (object: Fields): Reading => {
  const status = typeof object['status'] === 'string' ? object['status'] : '';
  const known = Object.hasOwn(disputes, status) ? disputes[status] : undefined;
  if (known === undefined) return { type: undefined, facts: {} };
  if ('note' in known) return nothing(known.note);
  return dispute(known.type, object, paymentOf('dispute', object));
};

// ── Checkout sessions ──────────────────────────────────────────────────────────────────────────────────────

const sessionPaid = (session: Fields): Happening =>
  captured({
    payment: idOf('checkout.session', session),
    amount: amountOf(session['amount_total']),
    currency: session['currency'],
  });

/** Sessions that take no money: they save a card, and Stripe says `no_payment_required` of them. */
const ofMoney =
  (read: Word['read']): Word['read'] =>
  (session) =>
    session['mode'] === 'setup'
      ? nothing('a session that saves a way to pay: nobody has paid')
      : read(session);

/** Completed means that the customer is done; with slow payment methods the money comes days later, or never. */
const sessionCompleted = (session: Fields): Reading => {
  const status = session['payment_status'];
  if (status === 'paid' || status === 'no_payment_required') return sessionPaid(session);
  return nothing('the session is complete, the money is not here yet');
};

const sessionOver = (session: Fields): Happening => cancelled(idOf('checkout.session', session));

export const sessionSaid: Word['read'] = ofMoney((session) =>
  session['status'] === 'expired' ? sessionOver(session) : sessionCompleted(session),
);

// ── the map ────────────────────────────────────────────────────────────────────────────────────────────────

const disputeWord = (usually: string): Word => ({ kind: 'dispute', usually, read: disputeSaid });

const refundWord: Word = { kind: 'refund', usually: 'payment.partially_refunded', read: refundChanged };

export const words: Readonly<Record<string, Word>> = {
  'payment_intent.created': silent('payment_intent'),
  'payment_intent.requires_action': silent('payment_intent'),
  'payment_intent.processing': silent('payment_intent'),
  'payment_intent.partially_funded': silent('payment_intent'),
  'payment_intent.amount_capturable_updated': {
    kind: 'payment_intent',
    usually: 'payment.authorized',
    read: intentCapturable,
  },
  'payment_intent.succeeded': { kind: 'payment_intent', usually: 'payment.captured', read: intentSucceeded },
  'payment_intent.payment_failed': { kind: 'payment_intent', usually: 'payment.failed', read: intentFailed },
  'payment_intent.canceled': {
    kind: 'payment_intent',
    usually: 'payment.cancelled',
    read: (intent) => cancelled(idOf('payment_intent', intent)),
  },

  'charge.pending': silent('charge'),
  'charge.updated': silent('charge'),
  'charge.succeeded': { kind: 'charge', usually: 'payment.captured', read: chargeSucceeded },
  'charge.captured': { kind: 'charge', usually: 'payment.captured', read: chargeCaptured },
  'charge.failed': { kind: 'charge', usually: 'payment.failed', read: chargeFailed },
  'charge.expired': {
    kind: 'charge',
    usually: 'payment.cancelled',
    read: (charge) => cancelled(idOf('charge', charge)),
  },
  'charge.refunded': { kind: 'charge', usually: 'payment.partially_refunded', read: chargeRefunded },

  'refund.created': refundWord,
  'refund.updated': refundWord,
  'charge.refund.updated': refundWord,
  'refund.failed': { kind: 'refund', usually: 'refund.failed', read: refundFailed },

  'charge.dispute.created': disputeWord('dispute.opened'),
  'charge.dispute.updated': disputeWord('dispute.opened'),
  'charge.dispute.funds_withdrawn': disputeWord('dispute.opened'),
  'charge.dispute.funds_reinstated': disputeWord('dispute.won'),
  'charge.dispute.closed': disputeWord('dispute.lost'),

  'checkout.session.completed': {
    kind: 'checkout.session',
    usually: 'payment.captured',
    read: ofMoney(sessionCompleted),
  },
  'checkout.session.async_payment_succeeded': {
    kind: 'checkout.session',
    usually: 'payment.captured',
    read: sessionPaid,
  },
  'checkout.session.async_payment_failed': {
    kind: 'checkout.session',
    usually: 'payment.failed',
    read: (session) => failed(idOf('checkout.session', session), null, null),
  },
  'checkout.session.expired': {
    kind: 'checkout.session',
    usually: 'payment.cancelled',
    read: ofMoney(sessionOver),
  },
};

export const types: Record<string, string | null> = Object.fromEntries(
  Object.entries(words).map(([word, { usually }]) => [word, usually]),
);
