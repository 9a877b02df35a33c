/** Stripe's words, each as what has to happen for Stripe to say it. What an order has had already is not told twice. */
import type { Source } from '../../config/resolved.ts';
import { StripeStory } from '../stripe/story.ts';
import type { StripeStorySettings } from '../stripe/story.ts';
import type { StripeWorld } from '../stripe/world.ts';
import type { Teller, ToldEvent } from './teller.ts';
import { LIFE } from './teller.ts';

/** Stops after each thing that has happened. */
type Steps<T = void> = Generator<void, T>;

/** What an order has had so far, and what can happen next. */
class StripeOrder {
  private readonly story: StripeStory;
  private readonly amount: number;
  private begun: string | null = null;
  private paid: string | null = null;
  /** Of what was paid and has not gone back. */
  private left = 0;
  private dispute: string | null = null;

  constructor(world: StripeWorld, settings: StripeStorySettings & { amount: number }) {
    this.story = new StripeStory(world, settings);
    this.amount = settings.amount;
  }

  *begin(): Steps<string> {
    if (this.begun === null) {
      this.begun = this.story.beginPayment(this.story.openSession()).payment;
      yield;
    }
    return this.begun;
  }

  *pay(): Steps<string> {
    if (this.paid === null) {
      this.paid = yield* this.begin();
      this.story.succeedPayment(this.paid);
      this.left = this.amount;
      yield;
    }
    return this.paid;
  }

  /** The buyer's next try is another payment, as after a new visit to the checkout. */
  *fail(): Steps {
    this.story.failPayment(yield* this.begin());
    this.begun = null;
    yield;
  }

  *cancel(): Steps {
    this.story.cancelPayment(yield* this.begin());
    this.begun = null;
    yield;
  }

  *paySlowly(isSettled: boolean): Steps {
    const payment = yield* this.begin();
    this.story.processPayment(payment);
    yield;
    if (!isSettled) return;
    this.story.settlePayment(payment);
    [this.paid, this.left] = [payment, this.amount];
    yield;
  }

  *reserve(isCaptured: boolean): Steps {
    const { payment } = this.story.beginPayment({ manual: true });
    yield;
    this.story.authorizePayment(payment);
    yield;
    if (!isCaptured) return;
    this.story.capturePayment(payment);
    [this.paid, this.left] = [payment, this.amount];
    yield;
  }

  *expire(): Steps {
    this.story.expireSession(this.story.openSession().session);
    yield;
  }

  /** All that is left, or a part of it; when all has gone back, the buyer pays anew. */
  *giveBack(part: number, status: 'succeeded' | 'pending' = 'succeeded'): Steps<string> {
    const payment = yield* this.pay();
    const amount = Math.max(1, Math.floor(this.left / part));
    this.left -= amount;
    if (this.left === 0) [this.paid, this.begun] = [null, null];
    const { refund } = this.story.refundPayment(payment, amount, status);
    yield;
    return refund;
  }

  *giveBackSlowly(): Steps {
    this.story.succeedRefund(yield* this.giveBack(4, 'pending'));
    yield;
  }

  *failToGiveBack(): Steps {
    this.story.failRefund(yield* this.giveBack(4));
    yield;
  }

  *open(): Steps<string> {
    if (this.dispute === null) {
      this.dispute = this.story.openDispute(yield* this.pay()).dispute;
      yield;
    }
    return this.dispute;
  }

  *answer(): Steps {
    this.story.answerDispute(yield* this.open());
    yield;
  }

  *close(how: 'won' | 'lost'): Steps {
    this.story.closeDispute(yield* this.open(), how);
    this.dispute = null;
    yield;
  }

  /** Declined at first, paid, two partial refunds of which one comes back, a dispute over the rest, and it is lost. */
  *live(): Steps {
    yield* this.fail();
    yield* this.pay();
    yield* this.giveBack(5);
    yield* this.failToGiveBack();
    yield* this.close('lost');
  }
}

const WORDS: Record<string, (order: StripeOrder) => Steps<unknown>> = {
  'payment_intent.created': (order) => order.begin(),
  'payment_intent.processing': (order) => order.paySlowly(false),
  'payment_intent.payment_failed': (order) => order.fail(),
  'payment_intent.succeeded': (order) => order.pay(),
  'payment_intent.amount_capturable_updated': (order) => order.reserve(false),
  'payment_intent.canceled': (order) => order.cancel(),
  'charge.failed': (order) => order.fail(),
  'charge.pending': (order) => order.paySlowly(false),
  'charge.succeeded': (order) => order.pay(),
  'charge.captured': (order) => order.reserve(true),
  'charge.refunded': (order) => order.giveBack(1),
  'refund.created': (order) => order.giveBack(4),
  'refund.updated': (order) => order.giveBackSlowly(),
  'refund.failed': (order) => order.failToGiveBack(),
  'charge.dispute.created': (order) => order.open(),
  'charge.dispute.funds_withdrawn': (order) => order.open(),
  'charge.dispute.updated': (order) => order.answer(),
  'charge.dispute.closed': (order) => order.close('lost'),
  'charge.dispute.funds_reinstated': (order) => order.close('won'),
  'checkout.session.completed': (order) => order.pay(),
  'checkout.session.async_payment_succeeded': (order) => order.paySlowly(true),
  'checkout.session.expired': (order) => order.expire(),
};

const AMOUNT = 2_500;

export class StripeTeller implements Teller {
  readonly words = Object.keys(WORDS);
  private readonly source: Source;
  private readonly world: StripeWorld;
  private readonly orders = new Map<string, StripeOrder>();

  constructor(source: Source, world: StripeWorld) {
    this.source = source;
    this.world = world;
  }

  *tell(id: string, word: string): Generator<ToldEvent[]> {
    const order = this.orderOf(id);
    const steps = word === LIFE ? order.live() : WORDS[word]?.(order);
    if (steps === undefined) return;
    let told = this.world.happenings.length;
    while (steps.next().done !== true) {
      // Other orders are told side by side in the same world.
      const own = this.world.happenings.slice(told).filter(({ story }) => story === id);
      const events = own.flatMap((happening) => happening.events);
      told = this.world.happenings.length;
      yield events.map(({ id: event, type, body }) => ({ source: this.source.name, id: event, type, body }));
    }
  }

  private orderOf(id: string): StripeOrder {
    const known = this.orders.get(id);
    if (known !== undefined) return known;
    const order = new StripeOrder(this.world, this.settings(id));
    this.orders.set(id, order);
    return order;
  }

  private settings(order: string): StripeStorySettings & { amount: number } {
    const { orderPaths } = this.source.settings;
    const metadata = orderPaths.find((path) => path.startsWith('metadata.'))?.slice('metadata.'.length);
    const inSession = orderPaths.includes('client_reference_id');
    return {
      order,
      amount: AMOUNT,
      orderIn: metadata === undefined ? 'session' : inSession ? 'both' : 'payment',
      ...(metadata === undefined ? {} : { metadataKey: metadata }),
      startedAt: Math.floor(Date.now() / 1_000),
      secondsApart: 1,
    };
  }
}
