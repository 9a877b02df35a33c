/**
 * An order paid through Stripe. Three streams tell about it, and nobody says in which order they arrive: a payment
 * (`payment.*`, `refund.failed`), a dispute (`dispute.*`), and your own application (`order.*`). The table is written so
 * that it does not matter: where two of them say different things, one status goes before the other, always the same.
 *
 *   charged_back > disputed > refunded > refund_failed > refund_due > shipped > partially_refunded > paid > the rest
 *
 * Change what you like, raise `version`, and look: `inorder machine check`, `inorder machine draw`.
 */
import { defineMachine, ignore, review, stay } from 'inorder';

// Two payments of one order were captured: somebody has to look, whichever is heard of first.
const secondPayment = review('a second payment of the same order was captured');
// All went back, and another payment came: what was delivered for the first one, nobody here knows.
const paidAgain = review('paid again after all went back: is anything still to be delivered?');
// The refund is booked, the status stays.
const bookIt = stay('a refund beside what the order says: it is booked', ['bookRefund']);
const tellFinance = stay('a dispute beside what the order says: finance is told', ['alertFinance']);
const unbookIt = stay('a refund failed: its booking is taken back', ['unbookRefund', 'alertFinance']);
const putBack = stay('cancelled after the money went back or is disputed: the stock is free', [
  'releaseStock',
]);

// Money is here. Parts of a payment captured one by one (`payment.partially_captured`) count from the first.
const moneyIsHere = {
  new: 'paid',
  awaiting_payment: 'paid',
  payment_failed: 'paid',
  authorized: 'paid', // also by another payment than the one that is reserved
  shipped_unpaid: 'shipped',
  cancelled: 'refund_due',
  refunded: { own: ignore('captured before'), other: paidAgain },
  else: { own: ignore('captured before'), other: secondPayment },
} as const;

export const order = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',

  statuses: {
    new: {},
    // Before the deadline acts, Stripe is asked: an order that was paid is not cancelled.
    awaiting_payment: { deadline: { after: '24h', type: 'order.expired' } },
    payment_failed: { deadline: { after: '24h', type: 'order.expired' } },
    // What nobody captures is given back by the card's bank after a week.
    authorized: { deadline: { after: '7d', type: 'order.expired' } },
    paid: { effects: ['fulfil', 'sendReceipt'] },
    // Not shipped yet, and still to be shipped.
    partially_refunded: { effects: ['fulfil', 'sendReceipt', 'bookRefund'] },
    // Your application shipped before a payment was heard of.
    shipped_unpaid: { deadline: { after: '24h', type: 'order.expired' } },
    shipped: { effects: ['sendReceipt'] },
    cancelled: { effects: ['releaseStock'] },
    // Cancelled, and the money is here.
    refund_due: { effects: ['releaseStock', 'returnPayment'] },
    // All refunds failed: the money is here again, though it was to go back.
    refund_failed: { effects: ['unbookRefund', 'alertFinance'] },
    refunded: { effects: ['bookRefund', 'revokeAccess'] },
    disputed: { effects: ['alertFinance'] },
    charged_back: { effects: ['revokeAccess'] },
  },

  effects: {
    // Waits while Stripe is being asked about the order; not done when the order is elsewhere by then.
    fulfil: { once: 'order', whenPassed: 'run', sensitive: true, validIn: ['paid', 'partially_refunded'] },
    sendReceipt: { once: 'order', whenPassed: 'run' },
    releaseStock: { once: 'order', whenPassed: 'run' },
    // Refund the payment through Stripe; what follows comes back as `payment.refunded`.
    returnPayment: { once: 'order', whenPassed: 'skip', sensitive: true, validIn: ['refund_due'] },
    // One entry for each refund (`re_…`). A refund that failed has both entries; the second may come first.
    bookRefund: { once: 'facts.refund', whenPassed: 'run' },
    unbookRefund: { once: 'facts.refund', whenPassed: 'run' },
    revokeAccess: { once: 'order', whenPassed: 'run' },
    alertFinance: { once: 'event', whenPassed: 'run' },
  },

  on: {
    // ---- your application ----

    'order.created': { new: 'awaiting_payment', else: ignore('something else came first') },

    'order.shipped': {
      new: 'shipped_unpaid',
      awaiting_payment: 'shipped_unpaid',
      payment_failed: 'shipped_unpaid',
      authorized: 'shipped_unpaid',
      paid: 'shipped',
      partially_refunded: 'shipped',
      cancelled: review('shipped although it was cancelled'),
      refund_due: review('shipped although it was cancelled'),
      else: ignore('shipped; the money is what the status tells'),
    },

    'order.cancelled': {
      new: 'cancelled',
      awaiting_payment: 'cancelled',
      payment_failed: 'cancelled',
      authorized: 'cancelled',
      paid: 'refund_due',
      partially_refunded: 'refund_due',
      shipped_unpaid: review('cancelled after it was shipped'),
      shipped: review('cancelled after it was shipped'),
      cancelled: ignore('cancelled before'),
      refund_due: ignore('cancelled before'),
      else: putBack,
    },

    'order.expired': {
      awaiting_payment: 'cancelled',
      payment_failed: 'cancelled',
      authorized: 'cancelled',
      shipped_unpaid: review('shipped, and never paid'),
      else: ignore('it was paid in time'),
    },

    // ---- the payment ----

    'payment.authorized': {
      new: 'authorized',
      awaiting_payment: 'authorized',
      payment_failed: 'authorized',
      else: ignore('reserved; what counts is the capture'),
    },

    'payment.captured': moneyIsHere,
    'payment.partially_captured': moneyIsHere,

    'payment.failed': {
      new: 'payment_failed',
      awaiting_payment: 'payment_failed',
      else: ignore('an attempt that failed changes nothing'),
    },

    'payment.cancelled': {
      new: 'payment_failed',
      awaiting_payment: 'payment_failed',
      authorized: { own: 'payment_failed', other: ignore('another attempt') },
      else: ignore('an abandoned attempt never cancels an order'),
    },

    'payment.partially_refunded': {
      new: 'partially_refunded',
      awaiting_payment: 'partially_refunded',
      payment_failed: 'partially_refunded',
      authorized: 'partially_refunded',
      paid: { own: 'partially_refunded', other: secondPayment },
      partially_refunded: { own: 'partially_refunded', other: secondPayment },
      shipped_unpaid: 'shipped',
      shipped: { own: bookIt, other: secondPayment },
      cancelled: 'refund_due',
      refund_due: { own: bookIt, other: secondPayment },
      refund_failed: { own: 'partially_refunded', other: secondPayment },
      refunded: { own: 'partially_refunded', other: paidAgain }, // own: one of several refunds failed
      disputed: { own: bookIt, other: secondPayment },
      charged_back: { own: bookIt, other: secondPayment },
    },

    // Where a cell is missing, Stripe is asked, and the way goes through `paid`.
    'payment.refunded': {
      paid: { own: 'refunded', other: bookIt },
      partially_refunded: { own: 'refunded', other: bookIt },
      shipped: { own: 'refunded', other: bookIt },
      refund_due: { own: 'refunded', other: bookIt },
      refund_failed: { own: 'refunded', other: bookIt },
      refunded: bookIt,
      disputed: bookIt,
      charged_back: bookIt,
    },

    // Only when no refund stands; one that failed beside others is un-booked, and the amounts tell the status.
    'refund.failed': {
      paid: { own: 'refund_failed', other: secondPayment },
      partially_refunded: { own: 'refund_failed', other: secondPayment },
      shipped: { own: 'refund_failed', other: secondPayment },
      refund_due: { own: 'refund_failed', other: secondPayment },
      refunded: 'refund_failed',
      refund_failed: { own: unbookIt, other: secondPayment },
      disputed: { own: unbookIt, other: secondPayment },
      charged_back: { own: unbookIt, other: secondPayment },
    },

    // ---- a dispute ----

    'dispute.opened': {
      paid: { own: 'disputed', other: tellFinance },
      partially_refunded: { own: 'disputed', other: tellFinance },
      shipped: { own: 'disputed', other: tellFinance },
      refund_due: { own: 'disputed', other: tellFinance },
      refund_failed: { own: 'disputed', other: tellFinance },
      refunded: { own: 'disputed', other: tellFinance },
      disputed: tellFinance,
      charged_back: tellFinance,
    },

    // Back to `paid`; what your application and the payment said last is then judged again.
    'dispute.won': {
      disputed: { own: 'paid', other: ignore('a dispute of another payment is over') },
      charged_back: review('won after one was lost: an appeal, or another dispute'),
      else: ignore('no dispute is open'),
    },

    'dispute.lost': {
      paid: { own: 'charged_back', other: tellFinance },
      partially_refunded: { own: 'charged_back', other: tellFinance },
      shipped: { own: 'charged_back', other: tellFinance },
      refund_due: { own: 'charged_back', other: tellFinance },
      refund_failed: { own: 'charged_back', other: tellFinance },
      refunded: { own: 'charged_back', other: tellFinance },
      disputed: { own: 'charged_back', other: tellFinance },
      charged_back: tellFinance,
    },
  },

  // An order is cancelled even while an earlier event of your application is missing.
  ahead: ['order.cancelled'],
  // What takes an order back for real: what other streams said last is judged again from there.
  stepsBack: ['payment.partially_refunded', 'dispute.won'],
  unlisted: 'ask',
});
