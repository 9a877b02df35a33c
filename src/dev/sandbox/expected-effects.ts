/**
 * The effects that a shop would expect at a story's end.
 *
 * 1. One is `required` only where no loss or shuffle can take its reason away.
 */
import type { ExpectedEffect, Happening } from './story.ts';

const NEVER_LEFT_PAID = new Set(['paid', 'partially_refunded']);
/** Here `paid` can only have been passed through, even where no word of it was heard. */
const SURELY_PAID = new Set(['paid', 'partially_refunded', 'shipped', 'disputed', 'charged_back']);

export function expectedEffects(happenings: readonly Happening[], status: string): ExpectedEffect[] {
  const happened = (type: string) => happenings.some((happening) => happening.type === type);
  const expected: ExpectedEffect[] = [];
  const expect = (name: string, required: boolean, of: string | null = null) =>
    expected.push({ name, of, required });

  if (happened('payment.captured')) {
    // (1) A parcel that left, or money that went back, drops the order to the warehouse if it was not given yet.
    const leftBetween = happened('order.shipped');
    expect('fulfil', NEVER_LEFT_PAID.has(status) && !leftBetween);
    // (1) Of an order heard of when all was over, nobody can tell whether it was paid or cancelled before.
    expect('sendReceipt', SURELY_PAID.has(status));
  }
  if (status === 'cancelled') expect('releaseStock', true);
  const failed = new Set(
    happenings.filter(({ type }) => type === 'refund.failed').map(({ data }) => data['refund']),
  );
  for (const { type, data } of happenings) {
    if (type !== 'payment.partially_refunded' && type !== 'payment.refunded') continue;
    expect('bookRefund', !failed.has(data['refund']), data['refund'] ?? null);
  }
  if (happened('payment.refunded') || happened('dispute.lost')) {
    expect('revokeAccess', status === 'refunded' || status === 'charged_back');
  }
  if (happened('dispute.opened')) {
    const isLastWord = !happened('dispute.won') && !happened('dispute.lost');
    expect('alertFinance', isLastWord, 'dispute.opened');
  }
  // Lost before anybody heard of the payment: finance is told, and the order follows when it is paid.
  if (happened('dispute.lost')) expect('alertFinance', false, 'dispute.lost');
  return expected;
}
