/**
 * An order whose events come in any order, from a sender that nobody can ask and that does not number them. Each event
 * only ever raises the order: of two statuses the higher one stays, whichever came first. Where two events do not say
 * which of them is the truth, a person is asked, in both orders.
 *
 *   charged_back > dispute_won > disputed > refund_failed, refunded > refund_due > shipped > partially_refunded > paid > the rest
 *
 * `inorder config check` proves this of your table, too, before it takes a source without an API key, and tells the
 * story that would go wrong. Two events are the same news if type and facts are equal: let the sender give ids.
 */
import { defineMachine, ignore, review, stay } from 'inorder';

const secondPayment = review('a second payment of the same order was captured');
const bookIt = stay('a refund beside what the order says: it is booked', ['bookRefund']);
const allIsBack = stay('all went back, beside what the order says', [
  // if booksWhole
  'bookRefund',
  // else
  // Each refund tells of itself, and is booked then.
  // end
]);
const unbookIt = stay('a refund failed: its booking is taken back', ['unbookRefund', 'alertFinance']);
const tellFinance = stay('a dispute beside what the order says: finance is told', ['alertFinance']);
const putBack = stay('cancelled as well: the stock is free', ['releaseStock']);
const whichRefund = review('a refund failed: which of the others stand, only the provider knows');
const cancelledInPart = review('cancelled, and a part was refunded: is the rest due?');

export const order = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',

  statuses: {
    new: {},
    // Nobody can be asked whether it was paid: what is paid later becomes `refund_due`.
    awaiting_payment: { deadline: { after: '24h', type: 'order.expired', unasked: 'act' } },
    payment_failed: { deadline: { after: '24h', type: 'order.expired', unasked: 'act' } },
    payment_cancelled: { deadline: { after: '24h', type: 'order.expired', unasked: 'act' } },
    // What nobody captures is given back by the card's bank after a week.
    authorized: { deadline: { after: '7d', type: 'order.expired', unasked: 'act' } },
    paid: { effects: ['fulfil', 'sendReceipt'] },
    // Not shipped yet, and still to be shipped.
    partially_refunded: { effects: ['fulfil', 'sendReceipt', 'bookRefund'] },
    shipped_unpaid: { deadline: { after: '24h', type: 'order.expired' } },
    shipped: { effects: ['sendReceipt'] },
    cancelled: { effects: ['releaseStock'] },
    // Cancelled, and the money is here.
    refund_due: { effects: ['releaseStock', 'returnPayment'] },
    disputed: { effects: ['alertFinance'] },
    dispute_won: { effects: ['alertFinance'] },
    refunded: {
      effects: [
        // if booksWhole
        'bookRefund',
        // end
        'revokeAccess',
      ],
    },
    refund_failed: { effects: ['unbookRefund', 'alertFinance'] },
    charged_back: { effects: ['revokeAccess'] },
  },

  effects: {
    fulfil: { once: 'order', whenPassed: 'run', sensitive: true, validIn: ['paid', 'partially_refunded'] },
    sendReceipt: { once: 'order', whenPassed: 'run' },
    releaseStock: { once: 'order', whenPassed: 'run' },
    returnPayment: { once: 'order', whenPassed: 'skip', sensitive: true, validIn: ['refund_due'] },
    bookRefund: { once: 'facts.refund', whenPassed: 'run' },
    unbookRefund: { once: 'facts.refund', whenPassed: 'run' },
    revokeAccess: { once: 'order', whenPassed: 'run' },
    alertFinance: { once: 'event', whenPassed: 'run' },
  },

  on: {
    'order.created': { new: 'awaiting_payment', else: ignore('something else came first') },

    'order.shipped': {
      new: 'shipped_unpaid',
      awaiting_payment: 'shipped_unpaid',
      payment_failed: 'shipped_unpaid',
      payment_cancelled: 'shipped_unpaid',
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
      payment_cancelled: 'cancelled',
      authorized: 'cancelled',
      paid: 'refund_due',
      partially_refunded: cancelledInPart,
      shipped_unpaid: review('cancelled after it was shipped'),
      shipped: review('cancelled after it was shipped'),
      cancelled: ignore('cancelled before'),
      refund_due: ignore('cancelled before'),
      else: putBack,
    },

    'order.expired': {
      awaiting_payment: 'cancelled',
      payment_failed: 'cancelled',
      payment_cancelled: 'cancelled',
      authorized: 'cancelled',
      shipped_unpaid: review('shipped, and never paid'),
      else: ignore('it was paid in time'),
    },

    'payment.authorized': {
      new: 'authorized',
      awaiting_payment: 'authorized',
      payment_failed: 'authorized',
      payment_cancelled: review('reserved, and cancelled: which was first?'),
      authorized: { own: ignore('reserved before'), other: review('two payments are reserved') },
      else: ignore('reserved; what counts is the capture'),
    },

    'payment.captured': {
      new: 'paid',
      awaiting_payment: 'paid',
      payment_failed: 'paid',
      payment_cancelled: 'paid',
      authorized: 'paid',
      shipped_unpaid: 'shipped',
      cancelled: 'refund_due',
      else: { own: ignore('captured before'), other: secondPayment },
    },

    'payment.failed': {
      new: 'payment_failed',
      awaiting_payment: 'payment_failed',
      else: ignore('an attempt that failed changes nothing'),
    },

    'payment.cancelled': {
      new: 'payment_cancelled',
      awaiting_payment: 'payment_cancelled',
      payment_failed: 'payment_cancelled',
      authorized: { own: 'payment_cancelled', other: ignore('another attempt') },
      else: ignore('an abandoned attempt never cancels an order'),
    },

    'payment.partially_refunded': {
      new: 'partially_refunded',
      awaiting_payment: 'partially_refunded',
      payment_failed: 'partially_refunded',
      payment_cancelled: 'partially_refunded',
      authorized: 'partially_refunded',
      paid: { own: 'partially_refunded', other: secondPayment },
      partially_refunded: { own: 'partially_refunded', other: secondPayment },
      shipped_unpaid: review('a part was refunded and it is shipped, but no payment was heard of'),
      cancelled: cancelledInPart,
      refund_failed: whichRefund,
      else: { own: bookIt, other: secondPayment },
    },

    'payment.refunded': {
      new: 'refunded',
      awaiting_payment: 'refunded',
      payment_failed: 'refunded',
      payment_cancelled: 'refunded',
      authorized: 'refunded',
      shipped_unpaid: 'refunded',
      cancelled: 'refunded',
      paid: { own: 'refunded', other: allIsBack },
      partially_refunded: { own: 'refunded', other: allIsBack },
      shipped: { own: 'refunded', other: allIsBack },
      refund_due: { own: 'refunded', other: allIsBack },
      dispute_won: { own: review('refunded, and the dispute won'), other: allIsBack },
      refund_failed: whichRefund,
      else: allIsBack,
    },

    'refund.failed': {
      new: 'refund_failed',
      awaiting_payment: 'refund_failed',
      payment_failed: 'refund_failed',
      payment_cancelled: 'refund_failed',
      authorized: 'refund_failed',
      disputed: { own: unbookIt, other: whichRefund },
      dispute_won: { own: unbookIt, other: whichRefund },
      charged_back: { own: unbookIt, other: whichRefund },
      else: whichRefund,
    },

    'dispute.opened': {
      new: 'disputed',
      awaiting_payment: 'disputed',
      payment_failed: 'disputed',
      payment_cancelled: 'disputed',
      authorized: 'disputed',
      shipped_unpaid: 'disputed',
      cancelled: 'disputed',
      paid: { own: 'disputed', other: tellFinance },
      partially_refunded: { own: 'disputed', other: tellFinance },
      shipped: { own: 'disputed', other: tellFinance },
      refund_due: { own: 'disputed', other: tellFinance },
      refund_failed: { own: 'disputed', other: tellFinance },
      refunded: { own: 'disputed', other: tellFinance },
      else: tellFinance,
    },

    'dispute.won': {
      new: 'dispute_won',
      awaiting_payment: 'dispute_won',
      payment_failed: 'dispute_won',
      payment_cancelled: 'dispute_won',
      authorized: 'dispute_won',
      shipped_unpaid: 'dispute_won',
      cancelled: 'dispute_won',
      paid: { own: 'dispute_won', other: tellFinance },
      partially_refunded: { own: 'dispute_won', other: tellFinance },
      shipped: { own: 'dispute_won', other: tellFinance },
      refund_due: { own: 'dispute_won', other: tellFinance },
      refund_failed: { own: 'dispute_won', other: tellFinance },
      disputed: { own: 'dispute_won', other: tellFinance },
      refunded: { own: review('refunded, and the dispute won'), other: tellFinance },
      charged_back: review('one dispute was lost and one won'),
      else: tellFinance,
    },

    'dispute.lost': {
      new: 'charged_back',
      awaiting_payment: 'charged_back',
      payment_failed: 'charged_back',
      payment_cancelled: 'charged_back',
      authorized: 'charged_back',
      shipped_unpaid: 'charged_back',
      cancelled: 'charged_back',
      paid: { own: 'charged_back', other: tellFinance },
      partially_refunded: { own: 'charged_back', other: tellFinance },
      shipped: { own: 'charged_back', other: tellFinance },
      refund_due: { own: 'charged_back', other: tellFinance },
      refund_failed: { own: 'charged_back', other: tellFinance },
      refunded: { own: 'charged_back', other: tellFinance },
      disputed: { own: 'charged_back', other: tellFinance },
      dispute_won: review('one dispute was won and one lost'),
      else: tellFinance,
    },
  },

  unlisted: 'review',
});
