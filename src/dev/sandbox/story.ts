/** The shape of a story, and the provider's words. */
export interface Happening {
  /** `<kind>:<id>`: what the provider's versions count in. */
  object: string;
  type: string;
  payment: string | null;
  data: Record<string, string>;
}

export interface ExpectedEffect {
  name: string;
  /** The refund it books, or the type it was caused by, where a name alone does not tell two apart. */
  of: string | null;
  required: boolean;
}

/** What happens to one order. */
export interface ToldOrder {
  order: string;
  /** The order's id travels as a JSON number (of more digits than a double holds). */
  numericOrder: boolean;
  title: string;
  happenings: Happening[];
}

/** Of which there is no doubt how it ends. */
export interface Story extends ToldOrder {
  truth: { status: string; effects: ExpectedEffect[] };
}

/** What each of the provider's words says about the order; the others say nothing. */
export const STATUS_OF: Readonly<Record<string, string>> = {
  'order.created': 'awaiting_payment',
  'payment.authorized': 'authorized',
  'payment.captured': 'paid',
  'payment.failed': 'payment_failed',
  'payment.cancelled': 'payment_failed',
  'payment.partially_refunded': 'partially_refunded',
  'payment.refunded': 'refunded',
  'refund.failed': 'paid',
  'dispute.opened': 'disputed',
  'dispute.won': 'paid',
  'dispute.lost': 'charged_back',
  'order.shipped': 'shipped',
  'order.cancelled': 'cancelled',
  'order.expired': 'cancelled',
};
