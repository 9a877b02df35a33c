/**
 * What can happen to a payment or a dispute, with all of it that is ever stored, shown or handed to an effect: ids,
 * amounts in minor units, a currency, a reason; nothing that says who somebody is.
 *
 * Events and answers both end here, and Stripe tells one happening by several events (`payment_intent.succeeded`,
 * `charge.succeeded`, `checkout.session.completed`). So each happening has only those facts that all who tell it know:
 * then they are the same news (R31).
 */
import type { Facts } from '../../ordering/state.ts';
import type { Fields } from './fields.ts';
import { amountOf, referenceOf, wordOf } from './fields.ts';

export interface Happening {
  type: string;
  facts: Facts;
}

interface Money {
  payment: string;
  amount: bigint | null;
  currency: unknown;
}

export const authorized = (money: Money): Happening => of('payment.authorized', moneyOf(money));
export const partlyCaptured = (money: Money): Happening => of('payment.partially_captured', moneyOf(money));
export const captured = (money: Money): Happening => of('payment.captured', moneyOf(money));

export const cancelled = (payment: string): Happening => of('payment.cancelled', { payment });

export const failed = (payment: string, charge: string | null, reason: unknown): Happening =>
  of('payment.failed', { payment, charge, reason: wordOf(reason) });

/** What stands of a captured charge after money went back. */
export interface Returned {
  payment: string;
  charge: string;
  captured: bigint;
  refunded: bigint;
  currency: unknown;
}

export function returned(money: Returned): Happening {
  const isAll = money.refunded >= money.captured;
  return of(isAll ? 'payment.refunded' : 'payment.partially_refunded', {
    payment: money.payment,
    charge: money.charge,
    captured: String(money.captured),
    refunded: String(money.refunded),
    currency: wordOf(money.currency),
  });
}

/**
 * One refund. It does not say whether it was the last of the money, so that by itself it is a part; what the whole
 * payment comes to is said by the charge's amounts.
 */
export const refundMade = (object: Fields, payment: string): Happening =>
  of('payment.partially_refunded', { ...refundFacts(object, payment), reason: wordOf(object['reason']) });

/** A refund that came to nothing, after it was made. */
export const refundUndone = (object: Fields, payment: string): Happening =>
  of('refund.failed', {
    ...refundFacts(object, payment),
    reason: wordOf(object['failure_reason']) ?? wordOf(object['status']),
  });

const refundFacts = (object: Fields, payment: string) => ({
  payment,
  charge: referenceOf(object['charge']),
  refund: referenceOf(object['id']),
  amount: textOf(amountOf(object['amount'])),
  currency: wordOf(object['currency']),
});

/** The money of it is back with the shop. */
export const isUndone = (object: Fields): boolean =>
  object['status'] === 'failed' || object['status'] === 'canceled';

export function dispute(type: string, object: Fields, payment: string | null): Happening {
  return of(type, {
    payment,
    charge: referenceOf(object['charge']),
    dispute: referenceOf(object['id']),
    amount: textOf(amountOf(object['amount'])),
    currency: wordOf(object['currency']),
    reason: wordOf(object['reason']),
  });
}

const moneyOf = ({ payment, amount, currency }: Money) => ({
  payment,
  amount: textOf(amount),
  currency: wordOf(currency),
});

const textOf = (amount: bigint | null): string | null => (amount === null ? null : String(amount));

function of(type: string, given: Record<string, string | null>): Happening {
  const facts: Facts = {};
  for (const [name, value] of Object.entries(given)) if (value !== null) facts[name] = value;
  return { type, facts };
}
