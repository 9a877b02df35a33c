/** What can happen to an order and its money, in one vocabulary for all providers. A source may add its own words. */
export const NEUTRAL_TYPES = [
  'order.created',
  'order.updated',
  'order.confirmed',
  'order.shipped',
  'order.delivered',
  'order.cancelled',
  'order.expired',
  'payment.authorized',
  'payment.partially_captured',
  'payment.captured',
  'payment.failed',
  'payment.cancelled',
  'payment.partially_refunded',
  'payment.refunded',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
] as const;

/** The map of a provider whose words are the neutral ones. */
export const neutralTypes = (): Record<string, string | null> =>
  Object.fromEntries(NEUTRAL_TYPES.map((type) => [type, type]));
