/**
 * What can happen to one order at Stripe, told verb by verb: each changes the objects as Stripe would and returns the
 * happening with its events. A story knows Stripe's rules of amounts and statuses, not what an order is.
 */
import type { Common, StripeObject } from './objects.ts';
import { charge, checkoutSession, dispute, paymentIntent, refund } from './objects.ts';
import type { Change, StripeHappening, StripeWorld } from './world.ts';

export interface StripeStorySettings {
  order: string;
  amount?: number;
  currency?: string;
  /** Where the shop wrote its order: into the payment's metadata, the session's client_reference_id, or both. */
  orderIn?: 'payment' | 'session' | 'both';
  /** Under which name of the metadata. */
  metadataKey?: string;
  /** When it begins, in seconds since 1970. */
  startedAt?: number;
  /** How long from one happening to the next. */
  secondsApart?: number;
}

export class StripeStory {
  readonly order: string;
  private readonly world: StripeWorld;
  private readonly amount: number;
  private readonly currency: string;
  private readonly orderIn: 'payment' | 'session' | 'both';
  private readonly metadataKey: string;
  private readonly secondsApart: number;
  private second: number;

  constructor(world: StripeWorld, settings: StripeStorySettings) {
    this.world = world;
    this.order = settings.order;
    this.amount = settings.amount ?? 2_500;
    this.currency = settings.currency ?? 'eur';
    this.orderIn = settings.orderIn ?? 'both';
    this.second = settings.startedAt ?? 1_764_000_000;
    this.metadataKey = settings.metadataKey ?? 'order_id';
    this.secondsApart = settings.secondsApart ?? 60;
  }

  // ── checkout and payments ────────────────────────────────────────────────────────────────────────────────

  /** A Checkout session is opened; Stripe makes its payment only when the buyer pays. Says nothing. */
  openSession(): { session: string } {
    const session = checkoutSession(this.common('cs'), {
      amount_subtotal: this.amount,
      amount_total: this.amount,
      client_reference_id: this.orderIn === 'payment' ? null : this.order,
    });
    this.happen('session opened', [session], []);
    return { session: session.id };
  }

  /** A payment is begun, in a session or by the shop's own page. */
  beginPayment({ session, manual = false }: { session?: string; manual?: boolean } = {}) {
    const intent = paymentIntent(this.common('pi'), {
      amount: this.amount,
      capture_method: manual ? 'manual' : 'automatic_async',
      metadata: this.orderIn === 'session' ? {} : { [this.metadataKey]: this.order },
    });
    const objects = [intent];
    if (session !== undefined) objects.push({ ...this.get(session), payment_intent: intent.id });
    const happening = this.happen('payment begun', objects, [['payment_intent.created', intent]]);
    return { payment: intent.id, happening };
  }

  failPayment(payment: string, code = 'card_declined'): StripeHappening {
    const attempt = this.newCharge(payment, {
      failure_code: code,
      failure_message: 'Your card was declined.',
      paid: false,
      status: 'failed',
    });
    const intent = {
      ...this.get(payment),
      latest_charge: attempt.id,
      last_payment_error: {
        charge: attempt.id,
        code,
        decline_code: 'insufficient_funds',
        message: 'Your card was declined.',
        type: 'card_error',
      },
      status: 'requires_payment_method',
    };
    return this.happen(
      'payment failed',
      [attempt, intent],
      [
        ['charge.failed', attempt],
        ['payment_intent.payment_failed', intent],
      ],
    );
  }

  succeedPayment(payment: string): StripeHappening {
    const { amount } = this;
    const paid = this.newCharge(payment, { amount_captured: amount, captured: true });
    const intent = this.charged(payment, paid, { amount_received: amount, status: 'succeeded' });
    const session = this.completed(payment, 'paid');
    return this.happen(
      'payment succeeded',
      [paid, intent, ...session],
      [
        ['charge.succeeded', paid],
        ['payment_intent.succeeded', intent],
        ...session.map((one) => ['checkout.session.completed', one] as const),
      ],
    );
  }

  /** A payment by a slow method: the buyer is done, the money is on its way. */
  processPayment(payment: string): StripeHappening {
    const pending = this.newCharge(payment, { paid: false, status: 'pending' });
    const intent = this.charged(payment, pending, { status: 'processing' });
    const session = this.completed(payment, 'unpaid');
    return this.happen(
      'payment processing',
      [pending, intent, ...session],
      [
        ['charge.pending', pending],
        ['payment_intent.processing', intent],
        ...session.map((one) => ['checkout.session.completed', one] as const),
      ],
    );
  }

  /** The money of a slow method is there. */
  settlePayment(payment: string): StripeHappening {
    const { amount } = this;
    const paid = {
      ...this.chargeOf(payment),
      amount_captured: amount,
      captured: true,
      paid: true,
      status: 'succeeded',
    };
    const intent = { ...this.get(payment), amount_received: amount, status: 'succeeded' };
    const session = this.completed(payment, 'paid');
    return this.happen(
      'payment settled',
      [paid, intent, ...session],
      [
        ['charge.succeeded', paid],
        ['payment_intent.succeeded', intent],
        ...session.map((one) => ['checkout.session.async_payment_succeeded', one] as const),
      ],
    );
  }

  authorizePayment(payment: string): StripeHappening {
    const reserved = this.newCharge(payment, {});
    const intent = this.charged(payment, reserved, {
      amount_capturable: this.amount,
      status: 'requires_capture',
    });
    return this.happen(
      'payment authorized',
      [reserved, intent],
      [
        ['charge.succeeded', reserved],
        ['payment_intent.amount_capturable_updated', intent],
      ],
    );
  }

  /** What is not captured is released, which Stripe counts and lists as a refund. */
  capturePayment(payment: string, captured = this.amount): StripeHappening {
    const before = this.chargeOf(payment);
    const released = this.amount - captured;
    const taken = { ...before, amount_captured: captured, amount_refunded: released, captured: true };
    const intent = {
      ...this.get(payment),
      amount_capturable: 0,
      amount_received: captured,
      status: 'succeeded',
    };
    const release = released === 0 ? [] : [this.newRefund(before, released, {})];
    return this.happen(
      'payment captured',
      [taken, intent, ...release],
      [
        ['charge.captured', taken],
        ['payment_intent.succeeded', intent],
        ...release.flatMap((one) => [['charge.refunded', taken] as const, ['refund.created', one] as const]),
      ],
    );
  }

  cancelPayment(payment: string): StripeHappening {
    const intent = {
      ...this.get(payment),
      amount_capturable: 0,
      canceled_at: this.second,
      cancellation_reason: 'requested_by_customer',
      status: 'canceled',
    };
    const reserved = this.chargeOrNull(payment);
    if (reserved === null || reserved['status'] !== 'succeeded')
      return this.happen('payment cancelled', [intent], [['payment_intent.canceled', intent]]);
    const released = { ...reserved, amount_refunded: reserved['amount'], refunded: true };
    return this.happen(
      'payment cancelled',
      [intent, released],
      [
        ['charge.refunded', released],
        ['payment_intent.canceled', intent],
      ],
    );
  }

  expireSession(session: string): StripeHappening {
    const expired = { ...this.get(session), status: 'expired', url: null };
    return this.happen('session expired', [expired], [['checkout.session.expired', expired]]);
  }

  // ── refunds ──────────────────────────────────────────────────────────────────────────────────────────────

  refundPayment(payment: string, amount: number, status: 'succeeded' | 'pending' = 'succeeded') {
    const before = this.chargeOf(payment);
    const back = Number(before['amount_refunded']) + amount;
    const one = this.newRefund(before, amount, { reason: 'requested_by_customer', status });
    const refunded = { ...before, amount_refunded: back, refunded: back >= Number(before['amount']) };
    const happening = this.happen(
      'refund',
      [one, refunded],
      [
        ['refund.created', one],
        ['charge.refunded', refunded],
      ],
    );
    return { refund: one.id, happening };
  }

  succeedRefund(id: string): StripeHappening {
    const one = { ...this.get(id), status: 'succeeded' };
    return this.happen('refund succeeded', [one], [['refund.updated', one]]);
  }

  /** The bank sent the money back: it is the shop's again. */
  failRefund(id: string): StripeHappening {
    const one = { ...this.get(id), failure_reason: 'expired_or_canceled_card', status: 'failed' };
    const before = this.get(String((one as StripeObject)['charge']));
    const refunded = {
      ...before,
      amount_refunded: Number(before['amount_refunded']) - Number((one as StripeObject)['amount']),
      refunded: false,
    };
    return this.happen(
      'refund failed',
      [one, refunded],
      [
        ['refund.updated', one],
        ['refund.failed', one],
      ],
    );
  }

  // ── disputes ─────────────────────────────────────────────────────────────────────────────────────────────

  openDispute(payment: string, { inquiry = false }: { inquiry?: boolean } = {}) {
    const before = this.chargeOf(payment);
    const one = dispute(this.common('dp'), {
      amount: Number(before['amount_captured']) - Number(before['amount_refunded']),
      charge: before.id,
      is_charge_refundable: inquiry,
      payment_intent: payment,
      status: inquiry ? 'warning_needs_response' : 'needs_response',
    });
    const happening = this.happen(
      'dispute opened',
      [one, { ...before, disputed: true }],
      [
        ['charge.dispute.created', one],
        ...(inquiry ? [] : [['charge.dispute.funds_withdrawn', one] as const]),
      ],
    );
    return { dispute: one.id, happening };
  }

  answerDispute(id: string): StripeHappening {
    const one = { ...this.get(id), status: 'under_review' };
    return this.happen('dispute answered', [one], [['charge.dispute.updated', one]]);
  }

  closeDispute(id: string, status: 'won' | 'lost' | 'warning_closed'): StripeHappening {
    const one = { ...this.get(id), status };
    return this.happen(
      `dispute ${status}`,
      [one],
      [
        ['charge.dispute.closed', one],
        ...(status === 'won' ? [['charge.dispute.funds_reinstated', one] as const] : []),
      ],
    );
  }

  // ── how it is told ───────────────────────────────────────────────────────────────────────────────────────

  private happen(
    name: string,
    objects: StripeObject[],
    says: (readonly [type: string, object: StripeObject])[],
  ): StripeHappening {
    const change: Change = {
      name,
      created: this.second,
      objects,
      says: says.map(([type, object]) => ({ type, object })),
    };
    this.second += this.secondsApart;
    return this.world.happen(this.order, change);
  }

  private common(prefix: string): Common {
    const { livemode } = this.world;
    const id = this.world.newId(prefix === 'cs' ? `cs_${livemode ? 'live' : 'test'}` : prefix);
    return { id, created: this.second, livemode, currency: this.currency };
  }

  private newCharge(payment: string, changes: Record<string, unknown>): StripeObject {
    const { metadata } = this.get(payment);
    return charge(this.common('ch'), { amount: this.amount, metadata, payment_intent: payment, ...changes });
  }

  private newRefund(of: StripeObject, amount: number, changes: Record<string, unknown>): StripeObject {
    return refund(this.common('re'), {
      amount,
      charge: of.id,
      payment_intent: of['payment_intent'],
      ...changes,
    });
  }

  private charged(payment: string, by: StripeObject, changes: Record<string, unknown>): StripeObject {
    return {
      ...this.get(payment),
      latest_charge: by.id,
      last_payment_error: null,
      payment_method: 'pm_standin',
      ...changes,
    };
  }

  private completed(payment: string, payment_status: 'paid' | 'unpaid'): StripeObject[] {
    return this.world
      .list('checkout.session')
      .filter((session) => session['payment_intent'] === payment)
      .map((session) => ({ ...session, payment_status, status: 'complete' }));
  }

  private chargeOrNull(payment: string): StripeObject | null {
    const latest = this.get(payment)['latest_charge'];
    return typeof latest === 'string' ? this.get(latest) : null;
  }

  private chargeOf(payment: string): StripeObject {
    const found = this.chargeOrNull(payment);
    if (found === null) throw new Error(`nothing was charged for ${payment}`);
    return found;
  }

  private get(id: string): StripeObject {
    const object = this.world.find(id);
    if (object === null) throw new Error(`there is no ${id} in this story`);
    return object;
  }
}
