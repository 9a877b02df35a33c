/**
 * Stripe in a story: told by Stripe's words or by the neutral ones, of payments (`payment:pi_1`), disputes and sessions.
 * What the story does not say of an object is as Stripe would have it; amounts are of 5,000 unless said.
 */
import { randomBytes } from 'node:crypto';
import type { StripeObject } from '../../stripe/objects.ts';
import { charge, checkoutSession, dispute, paymentIntent, refund } from '../../stripe/objects.ts';
import { stripeDelivery } from '../../stripe/delivery.ts';
import { EVENT_API_VERSION } from '../../stripe/world.ts';
import type { Source } from '../../../config/resolved.ts';
import { metadataKey } from '../../../providers/stripe/order.ts';
import { words } from '../../../providers/stripe/types.ts';
import type { ApiReply, ProviderWriter, WrongAnswer } from './provider-writer.ts';
import type { ToldEvent } from './told-event.ts';
import type { TrueObject } from './truth.ts';

export const writeStripe: ProviderWriter = {
  newSecret: () => `whsec_${randomBytes(24).toString('hex')}`,
  source: (api) => ({
    unknownTypes: 'archive',
    order: ['metadata.order_id', 'client_reference_id'],
    ...(api === null ? {} : { apiBase: api.url, apiKey: api.key, apiPerSecond: 200 }),
  }),

  // ── deliveries ───────────────────────────────────────────────────────────────────────────────────────────
  body(event, source) {
    const word = WORDS[event.type] ?? event.type;
    return Buffer.from(
      JSON.stringify({
        id: event.id,
        object: 'event',
        ...(event.account === null ? {} : { account: event.account }),
        api_version: EVENT_API_VERSION,
        created: secondsOf(event.time),
        data: { object: objectOf(word, event, source) },
        livemode: event.mode !== 'test',
        type: word,
      }),
    );
  },
  sign: ({ body }, { secrets, timestampSeconds }) => stripeDelivery(body, secrets, timestampSeconds).headers,
  hasMeaning: (type, { types }) =>
    types[type] !== null && (words[WORDS[type] ?? type]?.usually ?? null) !== null,

  // ── the API ──────────────────────────────────────────────────────────────────────────────────────────────
  answer({ path: [, ...parts], query }, { source, truth, behind, wrong }) {
    const resource = parts[0] === 'checkout' ? parts.splice(0, 2).join('/') : parts.shift();
    const id = parts[0];
    if (id === 'search') {
      const order =
        /:'((?:\\.|[^'\\])*)'/.exec(query.get('query') ?? '')?.[1]?.replaceAll(/\\(.)/g, '$1') ?? '';
      const payments = truth
        .objectsOf(source.name, order)
        .filter(({ object }) => object.startsWith('payment:'));
      return list(payments.map((known) => intentOf(known, source)));
    }
    if (id === undefined) return list([]);
    const kind =
      resource === 'disputes' ? 'dispute' : resource === 'checkout/sessions' ? 'session' : 'payment';
    const known = truth.about(source.name, `${kind}:${id}`, behind);
    if (known === null) return { status: 404, body: { error: { code: 'resource_missing' } } };
    return { status: 200, body: spoil(answerOf(resource, known, source), wrong) };
  },
};

/** How Stripe says what the neutral words mean. */
const WORDS: Record<string, string> = {
  'payment.authorized': 'payment_intent.amount_capturable_updated',
  'payment.captured': 'payment_intent.succeeded',
  'payment.failed': 'payment_intent.payment_failed',
  'payment.cancelled': 'payment_intent.canceled',
  'payment.partially_refunded': 'charge.refunded',
  'payment.refunded': 'charge.refunded',
  'dispute.opened': 'charge.dispute.created',
  'dispute.won': 'charge.dispute.closed',
  'dispute.lost': 'charge.dispute.closed',
};

const AMOUNT = 5_000;
const BEGINNING = 1_788_516_000;

const secondsOf = (time: string | null): number =>
  time === null ? BEGINNING : Math.floor(Date.parse(time) / 1_000);

type Said = Pick<TrueObject, 'object' | 'type' | 'payment' | 'order' | 'created' | 'facts' | 'parts'>;

const idOf = ({ object }: Said): string => object.slice(object.indexOf(':') + 1);

const paymentOf = (said: Said): string | null =>
  said.object.startsWith('payment:') ? idOf(said) : (said.payment ?? said.facts['payment'] ?? null);

function common(id: string, { facts, created }: Said) {
  return { id, created: secondsOf(created), livemode: true, currency: facts['currency'] ?? 'eur' };
}

function metadataOf({ order }: Said, { settings }: Source): Record<string, string> {
  const key = settings.orderPaths.map(metadataKey).find((one) => one !== null);
  return order === null || key === undefined || key === null ? {} : { [key]: order };
}

/** The words whose outcome the neutral type does not already say. */
function typeOf({ type, facts }: Said): string | null {
  if (type === null || WORDS[type] !== undefined) return type;
  if (type === 'charge.refunded') {
    return Number(facts['refunded'] ?? AMOUNT) < Number(facts['captured'] ?? AMOUNT)
      ? 'payment.partially_refunded'
      : 'payment.refunded';
  }
  if (type === 'charge.dispute.closed') return facts['status'] === 'won' ? 'dispute.won' : 'dispute.lost';
  return words[type]?.usually ?? null;
}

// ── objects ────────────────────────────────────────────────────────────────────────────────────────────────

function objectOf(word: string, event: ToldEvent, source: Source): StripeObject {
  const said: Said = { ...event, parts: [] };
  if (word.startsWith('payment_intent.')) return { ...intentOf(said, source), latest_charge: chargeId(said) };
  if (word.includes('.dispute.')) return disputeOf(said, source);
  if (word.startsWith('checkout.session.')) return sessionOf(said, source, word);
  if (word.startsWith('refund.') || word === 'charge.refund.updated')
    return refundOf(said, said.facts, source);
  return chargeOf(said, source);
}

function answerOf(resource: string | undefined, known: TrueObject, source: Source): object {
  if (typeof known.body === 'object' && known.body !== null) return known.body;
  if (resource === 'disputes') return disputeOf(known, source);
  if (resource === 'checkout/sessions') return sessionOf(known, source, known.type ?? '');
  if (resource === 'charges') return chargeOf(known, source);
  return intentOf(known, source);
}

const STATUS: Record<string, string> = {
  'payment.authorized': 'requires_capture',
  'payment.failed': 'requires_payment_method',
  'payment.cancelled': 'canceled',
};

function intentOf(said: Said, source: Source): StripeObject {
  const type = typeOf(said);
  const amount = capturedOf(said);
  const status = type === null ? 'processing' : (STATUS[type] ?? 'succeeded');
  const reason = said.facts['reason'] ?? 'card_declined';
  return paymentIntent(common(paymentOf(said) ?? '', said), {
    amount,
    amount_capturable: status === 'requires_capture' ? amount : 0,
    amount_received: status === 'succeeded' ? amount : 0,
    last_payment_error:
      status === 'requires_payment_method' ? { charge: chargeId(said), code: reason } : null,
    latest_charge: chargeOf(said, source),
    metadata: metadataOf(said, source),
    status,
  });
}

const chargeId = (said: Said): string =>
  said.facts['charge'] ?? `ch_${(paymentOf(said) ?? idOf(said)).replace(/^[a-z]+_/, '')}`;

const GOES_BACK: ReadonlySet<string | null> = new Set(['payment.partially_refunded', 'payment.refunded']);

/** Of a refund, `amount` is the refund's own. */
function capturedOf(said: Said): number {
  const type = typeOf(said);
  const amount = GOES_BACK.has(type) || type === 'refund.failed' ? undefined : said.facts['amount'];
  return Number(said.facts['captured'] ?? amount ?? AMOUNT);
}

function chargeOf(said: Said, source: Source): StripeObject {
  const type = typeOf(said);
  const amount = capturedOf(said);
  const isCaptured = type !== null && STATUS[type] === undefined;
  const refunds = refundsOf(said, source);
  const standing = refunds.filter((one) => one['status'] === 'succeeded');
  const sum = standing.reduce((total, one) => total + Number(one['amount']), 0);
  const refunded = GOES_BACK.has(type) ? Number(said.facts['refunded'] ?? (sum || amount)) : 0;
  return charge(common(chargeId(said), said), {
    amount,
    amount_captured: isCaptured ? amount : 0,
    amount_refunded: refunded,
    captured: isCaptured,
    failure_code: type === 'payment.failed' ? (said.facts['reason'] ?? 'card_declined') : null,
    metadata: metadataOf(said, source),
    paid: type !== 'payment.failed',
    payment_intent: paymentOf(said),
    refunded: refunded >= amount,
    refunds: { object: 'list', data: [...refunds].reverse(), has_more: false },
    status: type === 'payment.failed' ? 'failed' : type === null ? 'pending' : 'succeeded',
  });
}

/** Those that the story tells one by one; where it only tells of the sum, one of that sum. */
function refundsOf(said: Said, source: Source): StripeObject[] {
  const told = new Map<string, StripeObject>();
  const happenings = [...said.parts, ...(said.type === null ? [] : [{ type: said.type, facts: said.facts }])];
  for (const { type, facts } of happenings) {
    const one = { ...said, type, facts };
    const isFailed = typeOf(one) === 'refund.failed';
    if (!GOES_BACK.has(typeOf(one)) && !isFailed) continue;
    const id = facts['refund'] ?? `re_${chargeId(said).replace(/^[a-z]+_/, '')}`;
    told.set(
      id,
      refundOf(one, { amount: facts['refunded'] ?? String(capturedOf(said)), ...facts, refund: id }, source),
    );
  }
  return [...told.values()];
}

function refundOf(said: Said, facts: Record<string, string>, source: Source): StripeObject {
  const isFailed = typeOf(said) === 'refund.failed';
  return refund(common(facts['refund'] ?? idOf(said), said), {
    amount: Number(facts['amount'] ?? AMOUNT),
    charge: chargeId(said),
    failure_reason: isFailed ? (facts['reason'] ?? 'expired_or_canceled_card') : undefined,
    metadata: metadataOf(said, source),
    payment_intent: paymentOf(said),
    reason: isFailed ? null : (facts['reason'] ?? null),
    status: isFailed ? 'failed' : (facts['status'] ?? 'succeeded'),
  });
}

const DISPUTES: Record<string, string> = { 'dispute.won': 'won', 'dispute.lost': 'lost' };

function disputeOf(said: Said, source: Source): StripeObject {
  return dispute(common(idOf(said), said), {
    amount: Number(said.facts['amount'] ?? AMOUNT),
    charge: said.facts['charge'] ?? null,
    metadata: metadataOf(said, source),
    payment_intent: paymentOf(said),
    reason: said.facts['reason'] ?? 'fraudulent',
    status: said.facts['status'] ?? DISPUTES[typeOf(said) ?? ''] ?? 'needs_response',
  });
}

function sessionOf(said: Said, source: Source, word: string): StripeObject {
  const isOver = word.endsWith('.expired') || typeOf(said) === 'payment.cancelled';
  return checkoutSession(common(said.facts['session'] ?? idOf(said).replace(/^pi_/, 'cs_'), said), {
    amount_total: Number(said.facts['amount'] ?? AMOUNT),
    client_reference_id: said.order,
    metadata: metadataOf(said, source),
    payment_intent: paymentOf(said),
    payment_status: isOver ? 'unpaid' : (said.facts['payment_status'] ?? 'paid'),
    status: isOver ? 'expired' : 'complete',
  });
}

const list = (data: object[]): ApiReply => ({
  status: 200,
  body: { object: 'list', data, has_more: false, next_page: null },
});

function spoil(body: object, wrong: WrongAnswer | null): object {
  if (wrong === 'another_object') return { ...body, id: 'pi_of_somebody_else' };
  return wrong === 'an_unknown_type' ? { ...body, status: 'became_strange' } : body;
}
