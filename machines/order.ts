/**
 * The demo's machine: a shop's order with its payments, refunds and disputes. A team copies this file and
 * changes it. Every cell was explored together with the rules of the core; docs/machine.md explains the words,
 * `inorder machine draw` prints the table.
 */
import { defineMachine, ignore, review, stay } from 'inorder';

const secondPayment = review('a second payment of the same order');
const bookIt = stay('refund of a second payment: booked, the order stays', ['bookRefund']);
const alertIt = stay('a dispute beside the order: finance is told', ['alertFinance']);

export const order = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',

  statuses: {
    new: {},
    awaiting_payment: { deadline: { after: '24h', type: 'order.expired' } },
    payment_failed: { deadline: { after: '24h', type: 'order.expired' } },
    authorized: {},
    paid: { effects: ['fulfil', 'sendReceipt'] },
    shipped: {},
    cancelled: { effects: ['releaseStock'] },
    partially_refunded: { effects: ['bookRefund'] },
    refunded: { effects: ['bookRefund', 'revokeAccess'] },
    disputed: { effects: ['alertFinance'] },
    charged_back: { effects: ['revokeAccess'] },
  },

  effects: {
    fulfil: { once: 'order', whenPassed: 'run', sensitive: true, validIn: ['paid', 'partially_refunded'] },
    sendReceipt: { once: 'order', whenPassed: 'run' },
    releaseStock: { once: 'order', whenPassed: 'run' },
    bookRefund: { once: 'facts.refund', whenPassed: 'run' },
    revokeAccess: { once: 'order', whenPassed: 'run' },
    alertFinance: { once: 'event', whenPassed: 'run' },
  },

  on: {
    'order.created': { new: 'awaiting_payment', else: ignore('the payment came first') },

    'order.shipped': {
      paid: 'shipped',
      partially_refunded: ignore('shipped, with money given back'),
      refunded: ignore('shipped, with money given back'),
      disputed: ignore('shipped, the dispute stands'),
      charged_back: ignore('shipped, the money is gone'),
      cancelled: review('shipped although it was cancelled'),
    },

    'order.cancelled': {
      new: 'cancelled',
      awaiting_payment: 'cancelled',
      payment_failed: 'cancelled',
      authorized: 'cancelled',
      paid: 'cancelled',
      refunded: ignore('the money has gone back already'),
      else: review('cancelled after it went too far'),
    },

    'order.expired': {
      awaiting_payment: 'cancelled',
      payment_failed: 'cancelled',
      else: ignore('it was paid in time'),
    },

    'payment.authorized': {
      new: 'authorized',
      awaiting_payment: 'authorized',
      payment_failed: 'authorized',
      cancelled: review('authorized although it was cancelled'),
      else: { own: ignore('the payment went further'), other: secondPayment },
    },

    'payment.captured': {
      new: 'paid',
      awaiting_payment: 'paid',
      payment_failed: 'paid',
      authorized: { own: 'paid', other: secondPayment },
      refunded: {
        own: review('captured after it was refunded'),
        other: review('paid again after all went back'),
      },
      partially_refunded: review('captured after a part was refunded'),
      cancelled: review('captured although it was cancelled'),
      else: { own: ignore('captured before'), other: secondPayment },
    },

    'payment.failed': {
      new: 'payment_failed',
      awaiting_payment: 'payment_failed',
      else: ignore('another attempt'),
    },

    'payment.cancelled': {
      new: 'payment_failed',
      awaiting_payment: 'payment_failed',
      authorized: { own: 'payment_failed', other: ignore('another attempt') },
      paid: {
        own: review('the payment was cancelled after it was captured'),
        other: ignore('another attempt'),
      },
      else: ignore('an abandoned payment never cancels an order'),
    },

    'payment.partially_refunded': {
      paid: { own: 'partially_refunded', other: secondPayment },
      shipped: { own: 'partially_refunded', other: secondPayment },
      partially_refunded: { own: 'partially_refunded', other: secondPayment },
      refunded: { own: review('a part refunded after the whole'), other: 'partially_refunded' },
      cancelled: review('refunded in part although it was cancelled'),
    },

    'payment.refunded': {
      paid: { own: 'refunded', other: bookIt },
      shipped: { own: 'refunded', other: bookIt },
      partially_refunded: { own: 'refunded', other: bookIt },
      disputed: { own: 'refunded', other: bookIt },
      cancelled: { own: 'refunded', other: review('a second payment refunded after the cancel') },
      refunded: stay('refunded before: this one is booked too', ['bookRefund']),
    },

    'refund.failed': {
      refunded: 'paid',
      partially_refunded: review('a refund failed, others may stand'),
      cancelled: review('a refund failed after the cancel'),
    },

    'dispute.opened': {
      paid: { own: 'disputed', other: alertIt },
      shipped: { own: 'disputed', other: alertIt },
      partially_refunded: { own: 'disputed', other: alertIt },
      else: alertIt,
    },

    'dispute.won': { disputed: 'paid', charged_back: 'paid' },

    'dispute.lost': {
      disputed: 'charged_back',
      paid: 'charged_back',
      shipped: 'charged_back',
      partially_refunded: 'charged_back',
      else: alertIt,
    },
  },

  late: { 'payment.captured': { cancelled: review('was captured before the cancel') } },
  ahead: ['order.cancelled'],
  stepsBack: ['refund.failed', 'dispute.won'],
  unlisted: 'ask',
});
