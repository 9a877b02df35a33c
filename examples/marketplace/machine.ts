/**
 * An order of a marketplace: one buyer, several sellers. The shop tells of the order, each seller of its part, the
 * payment provider of payments, refunds and disputes, and each payout of itself. Nobody says in which order they are
 * heard, so of two statuses the higher one stays, whichever came first:
 *
 *   charged_back > disputed > refunded > shipped > partly_shipped > partially_refunded > paid > the rest
 *
 * A table does not count. That all parts have been shipped is told by who knows how many there are: the shop.
 */
import { defineMachine, ignore, review, stay } from 'inorder';

const secondPayment = review('a second payment of the same order was captured');
const paidAgain = review('paid again after all went back: is anything still to be delivered?');
const bookIt = stay('a refund beside what the order says: it is booked', ['bookRefund']);
const tellFinance = stay('a dispute beside what the order says: finance is told', ['alertFinance']);
const shippedAnyway = review('shipped although it was cancelled');
const bookPayout = stay('a seller has been paid', ['bookPayout']);
const paidOutAnyway = review('a seller was paid although the money went back: is it to be claimed?');

export const order = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',

  statuses: {
    new: {},
    awaiting_payment: { deadline: { after: '24h', type: 'order.expired' } },
    payment_failed: { deadline: { after: '24h', type: 'order.expired' } },
    paid: { effects: ['askSellers', 'sendReceipt'] },
    // Not shipped yet, and still to be shipped.
    partially_refunded: { effects: ['askSellers', 'sendReceipt', 'bookRefund'] },
    partly_shipped: {},
    shipped: { effects: ['payOut'] },
    // Whatever has been paid by then goes back; what is captured later is a person's.
    cancelled: { effects: ['releaseStock', 'returnPayment'] },
    refunded: { effects: ['bookRefund', 'stopPayouts'] },
    disputed: { effects: ['alertFinance', 'stopPayouts'] },
    charged_back: { effects: ['stopPayouts'] },
  },

  effects: {
    askSellers: {
      once: 'order',
      whenPassed: 'run',
      sensitive: true,
      validIn: ['paid', 'partially_refunded'],
    },
    sendReceipt: { once: 'order', whenPassed: 'run' },
    // Money that leaves the house waits for every gap and question of the order.
    payOut: { once: 'order', whenPassed: 'run', sensitive: true, validIn: ['shipped'] },
    stopPayouts: { once: 'order', whenPassed: 'run' },
    releaseStock: { once: 'order', whenPassed: 'run' },
    returnPayment: { once: 'order', whenPassed: 'skip', sensitive: true, validIn: ['cancelled'] },
    bookRefund: { once: 'facts.refund', whenPassed: 'run' },
    // A seller cannot deliver: its share goes back, unless all does. What follows is `payment.partially_refunded`.
    refundPart: {
      once: 'event',
      whenPassed: 'run',
      sensitive: true,
      validIn: ['paid', 'partially_refunded', 'partly_shipped', 'shipped'],
    },
    bookPayout: { once: 'event', whenPassed: 'run' },
    alertFinance: { once: 'event', whenPassed: 'run' },
  },

  on: {
    // ---- the shop ----

    'order.created': { new: 'awaiting_payment', else: ignore('something else came first') },

    'order.shipped': {
      paid: 'shipped',
      partially_refunded: 'shipped',
      partly_shipped: 'shipped',
      cancelled: shippedAnyway,
      else: ignore('counts when the payment has been heard of; of two, the higher status stays'),
    },

    'order.cancelled': {
      new: 'cancelled',
      awaiting_payment: 'cancelled',
      payment_failed: 'cancelled',
      paid: 'cancelled',
      partially_refunded: 'cancelled',
      partly_shipped: review('cancelled after a part was shipped'),
      shipped: review('cancelled after it was shipped'),
      cancelled: ignore('cancelled before'),
      else: stay('cancelled after the money went back or is disputed', ['releaseStock']),
    },

    'order.expired': {
      awaiting_payment: 'cancelled',
      payment_failed: 'cancelled',
      else: ignore('it was paid in time'),
    },

    // ---- a seller's part ----

    'part.shipped': {
      paid: 'partly_shipped',
      partially_refunded: 'partly_shipped',
      cancelled: shippedAnyway,
      else: ignore('counts when the payment has been heard of; of two, the higher status stays'),
    },

    'part.cancelled': { else: stay('a seller cannot deliver its part', ['refundPart']) },

    // ---- a payment ----

    'payment.captured': {
      new: 'paid',
      awaiting_payment: 'paid',
      payment_failed: 'paid',
      cancelled: review('captured although it was cancelled'),
      refunded: { own: ignore('captured before'), other: paidAgain },
      else: { own: ignore('captured before'), other: secondPayment },
    },

    'payment.failed': {
      new: 'payment_failed',
      awaiting_payment: 'payment_failed',
      else: ignore('an attempt that failed changes nothing'),
    },

    'payment.partially_refunded': {
      new: 'partially_refunded',
      awaiting_payment: 'partially_refunded',
      payment_failed: 'partially_refunded',
      paid: { own: 'partially_refunded', other: secondPayment },
      partially_refunded: { own: 'partially_refunded', other: secondPayment },
      cancelled: review('cancelled, and a part was refunded: is the rest due?'),
      refunded: { own: review('a part was refunded after the whole'), other: paidAgain },
      else: { own: bookIt, other: secondPayment },
    },

    // Where a cell is missing the provider is asked, and the way goes through `paid`.
    'payment.refunded': {
      paid: { own: 'refunded', other: bookIt },
      partially_refunded: { own: 'refunded', other: bookIt },
      partly_shipped: { own: 'refunded', other: bookIt },
      shipped: { own: 'refunded', other: bookIt },
      cancelled: { own: 'refunded', other: bookIt },
      refunded: bookIt,
      disputed: bookIt,
      charged_back: bookIt,
    },

    'refund.failed': { else: review('a refund failed: which of the others stand?') },

    // ---- a dispute ----

    'dispute.opened': {
      paid: { own: 'disputed', other: tellFinance },
      partially_refunded: { own: 'disputed', other: tellFinance },
      partly_shipped: { own: 'disputed', other: tellFinance },
      shipped: { own: 'disputed', other: tellFinance },
      refunded: { own: 'disputed', other: tellFinance },
      disputed: tellFinance,
      charged_back: tellFinance,
    },

    // Back to `paid`; what all others said last is then judged again. Elsewhere it waits for what opened the dispute.
    'dispute.won': {
      disputed: { own: 'paid', other: ignore('a dispute of another payment is over') },
      charged_back: review('won after one was lost: an appeal, or another dispute'),
    },

    'dispute.lost': {
      paid: { own: 'charged_back', other: tellFinance },
      partially_refunded: { own: 'charged_back', other: tellFinance },
      partly_shipped: { own: 'charged_back', other: tellFinance },
      shipped: { own: 'charged_back', other: tellFinance },
      refunded: { own: 'charged_back', other: tellFinance },
      disputed: { own: 'charged_back', other: tellFinance },
      charged_back: tellFinance,
    },

    // ---- a payout to a seller ----

    'payout.paid': {
      refunded: paidOutAnyway,
      charged_back: paidOutAnyway,
      cancelled: review('a seller was paid although the order was cancelled'),
      else: bookPayout,
    },

    'payout.failed': { else: stay('a payout failed: finance is told', ['alertFinance']) },
  },

  ahead: ['order.cancelled'],
  stepsBack: ['dispute.won'],
  unlisted: 'ask',
});
