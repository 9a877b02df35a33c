/**
 * What Stripe answers about a stream, as one snapshot. A payment is answered whole: the intent with its charge and the
 * charge's refunds come in one answer, so that they are of one moment, and each refund is listed with the facts of the
 * event that announces it. The same state gives the same facts, however often it is asked.
 */
import { isRecord } from '../json.ts';
import type { ApiClient, ProviderSnapshot, SourceSettings } from '../provider.ts';
import { isRefusal } from '../provider.ts';
import type { Askable } from './api.ts';
import { askable, get, refundsOf, unusable } from './api.ts';
import type { Happening } from './facts.ts';
import {
  authorized,
  cancelled,
  isUndone,
  partlyCaptured,
  refundMade,
  refundUndone,
  returned,
} from './facts.ts';
import type { Fields } from './fields.ts';
import { amountOf, instantOf, referenceOf } from './fields.ts';
import { orderIn } from './order.ts';
import type { Reading } from './types.ts';
import {
  chargeCaptured,
  chargeFailed,
  chargeSucceeded,
  disputeSaid,
  intentFailed,
  intentSucceeded,
  paymentOf,
  sessionSaid,
} from './types.ts';

const EXPANDED: Record<Askable, string[]> = {
  payment_intent: ['latest_charge.refunds'],
  charge: ['refunds'],
  dispute: ['charge'],
  'checkout.session': [],
};

/** What an answer about a payment lists one by one. */
const REFUNDS = ['payment.partially_refunded', 'payment.refunded', 'refund.failed'];

export async function fetchObject(
  api: ApiClient,
  object: string,
  settings: SourceSettings,
): Promise<ProviderSnapshot | 'gone'> {
  const asked = askable(object);
  const answer = await get(api, asked, EXPANDED[asked.kind], settings);
  if (answer === 'gone') return 'gone';
  const order = orderIn(answer, settings.orderPaths);
  const createdAt = madeAt(asked.kind, answer);
  const payment = paymentOf(asked.kind, answer);
  return {
    ...(await read(api, asked.kind, answer)),
    ...(object.startsWith('payment:') ? { lists: REFUNDS } : {}),
    ...(payment === null ? {} : { payment }),
    ...(order === null || isRefusal(order) ? {} : { order: order.text }),
    ...(createdAt === null ? {} : { createdAt }),
  };
}

/** A dispute may be about money that was paid long before: how old an order is shows in its charge. */
function madeAt(kind: Askable, answer: Fields): string | null {
  const charge = kind === 'dispute' ? answer['charge'] : null;
  return instantOf((isRecord(charge) ? charge : answer)['created']);
}

type Said = Pick<ProviderSnapshot, 'type' | 'providerType' | 'facts' | 'parts'>;

function read(api: ApiClient, kind: Askable, answer: Fields): Said | Promise<Said> {
  switch (kind) {
    case 'payment_intent':
      return readIntent(api, answer);
    case 'charge':
      return readCharge(api, answer);
    case 'dispute':
      return said(disputeSaid(answer), `charge.dispute.${statusOf(answer)}`);
    case 'checkout.session':
      return said(sessionSaid(answer), `checkout.session.${statusOf(answer)}`);
  }
}

/** `word` is for the source's `types`, where the adapter has no type of its own. */
function said(reading: Reading, word: string): Said {
  if (isRefusal(reading)) throw unusable(`cannot be read: ${reading.message}`);
  const { type, facts } = reading;
  return typeof type === 'string' ? { type, facts } : { type, providerType: word, facts };
}

function readIntent(api: ApiClient, intent: Fields): Said | Promise<Said> {
  const status = statusOf(intent);
  const payment = paymentOf('payment_intent', intent) ?? '';
  const silent: Said = { type: null, providerType: `payment_intent.${status}`, facts: {} };
  switch (status) {
    case 'succeeded':
      return readSucceeded(api, payment, intent);
    case 'canceled':
      return cancelled(payment);
    case 'requires_capture': {
      const money = { payment, currency: intent['currency'] };
      const received = amountOf(intent['amount_received']) ?? 0n;
      return received > 0n
        ? partlyCaptured({ ...money, amount: received })
        : authorized({ ...money, amount: amountOf(intent['amount_capturable']) });
    }
    case 'requires_payment_method':
      return isRecord(intent['last_payment_error']) ? intentFailed(intent) : silent;
    case 'requires_confirmation':
    case 'requires_action':
    case 'processing':
      return silent;
    default:
      return { ...silent, type: undefined };
  }
}

function readSucceeded(api: ApiClient, payment: string, intent: Fields): Said | Promise<Said> {
  const charge = intent['latest_charge'];
  if (charge === null) return intentSucceeded(intent);
  if (!isRecord(charge)) throw unusable('does not hold the charge that was asked for with it');
  return readMoney(api, payment, charge, intentSucceeded(intent));
}

function readCharge(api: ApiClient, charge: Fields): Said | Promise<Said> {
  const payment = paymentOf('charge', charge) ?? '';
  switch (statusOf(charge)) {
    case 'succeeded':
      if (charge['captured'] === true) return readMoney(api, payment, charge, chargeCaptured(charge));
      return charge['refunded'] === true ? cancelled(payment) : chargeSucceeded(charge);
    case 'failed':
      return chargeFailed(charge);
    case 'pending':
      return { type: null, providerType: 'charge.pending', facts: {} };
    default:
      return { type: undefined, providerType: `charge.${statusOf(charge)}`, facts: {} };
  }
}

/** A captured charge by its amounts: nothing went back, a part of it, or all; each refund is a part. */
async function readMoney(api: ApiClient, payment: string, charge: Fields, kept: Happening): Promise<Said> {
  const id = referenceOf(charge['id']);
  const amount = amountOf(charge['amount']);
  const amountRefunded = amountOf(charge['amount_refunded']);
  if (id === null || amount === null || amountRefunded === null)
    throw unusable('lacks amounts of the charge');
  const captured = amountOf(charge['amount_captured']) ?? amount;
  const listed = await refundsOf(api, id, charge['refunds']);
  const release = releaseIn(listed, amount - captured);
  const refunds = listed.filter((object) => object !== release);
  const parts = refunds.flatMap((object) => partsOf(object, payment));
  const back = amountRefunded - (release === undefined ? 0n : amount - captured);
  const standing = refunds
    .filter((object) => !isUndone(object))
    .map((object) => amountOf(object['amount']) ?? 0n);
  const sum = standing.reduce((total, one) => total + one, 0n);
  // The charge's own sum may still count a refund that failed.
  const refunded = sum < back ? sum : back;
  if (refunded > 0n) {
    const money = { payment, charge: id, captured, refunded, currency: charge['currency'] };
    return { ...returned(money), parts };
  }
  const undone = refunds.findLast(isUndone);
  return { ...(undone === undefined ? kept : refundUndone(undone, payment)), parts };
}

/** A refund that failed was made before: both are told, whenever they are heard of. */
function partsOf(refund: Fields, payment: string): NonNullable<Said['parts']> {
  const createdAt = instantOf(refund['created']);
  const happenings = [
    refundMade(refund, payment),
    ...(isUndone(refund) ? [refundUndone(refund, payment)] : []),
  ];
  return happenings.map((happening) => ({ ...happening, ...(createdAt === null ? {} : { createdAt }) }));
}

/** Stripe lists what was reserved and not captured as a refund, made with the capture. Nobody got it back. */
function releaseIn(refunds: Fields[], uncaptured: bigint): Fields | undefined {
  if (uncaptured <= 0n) return undefined;
  return refunds.find((object) => !isUndone(object) && amountOf(object['amount']) === uncaptured);
}

const statusOf = (object: Fields): string =>
  typeof object['status'] === 'string' ? object['status'] : 'unknown';
