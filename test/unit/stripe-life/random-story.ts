/** Orders as they may go at Stripe and in the shop, by chance: several payments, each with all that follows. */
import { StripeStory } from '../../../src/dev/stripe/story.ts';
import type { StripeEvent } from '../../../src/dev/stripe/world.ts';
import { StripeWorld } from '../../../src/dev/stripe/world.ts';

/** An event of the shop's own application, numbered. */
export interface ShopEvent {
  type: string;
  version: number;
}
export type Told = StripeEvent | ShopEvent;
export const isOfShop = (told: Told): told is ShopEvent => 'version' in told;
export const isOfStripe = (told: Told): told is StripeEvent => !isOfShop(told);

interface Payment {
  id: string;
  isManual: boolean;
  state: 'begun' | 'processing' | 'authorized' | 'captured' | 'over';
  standing: number;
  refunds: { id: string; amount: number; hasFailed: boolean }[];
  disputes: { id: string; state: 'open' | 'won' | 'lost' }[];
}

const AMOUNT = 2_500;

/** `chance` decides what happens next; each call gives a number from 0 up to 1. */
export class RandomStory {
  readonly world: StripeWorld;
  readonly payments: Payment[] = [];
  /** What happened, in words. */
  readonly verbs: string[] = [];
  private readonly story: StripeStory;
  private readonly shop: ShopEvent[] = [];
  private readonly chance: () => number;
  private readonly mostPayments: number;
  private told = { stripe: 0, shop: 0 };

  constructor(chance: () => number, { mostPayments }: { mostPayments: number }) {
    this.chance = chance;
    this.mostPayments = mostPayments;
    this.world = new StripeWorld({ seed: 'random' });
    this.story = new StripeStory(this.world, { order: '1042', secondsApart: chance() < 0.3 ? 0 : 60 });
  }

  /** One more thing happens; what is told of it. */
  next(): Told[] {
    const possible = [
      ...this.ofShop(),
      ...this.ofNewPayment(),
      ...this.payments.flatMap((one) => this.of(one)),
    ];
    const [verb, happen] = possible[Math.floor(this.chance() * possible.length)] ?? ['nothing', () => {}];
    happen();
    this.verbs.push(verb);
    const news = [...this.world.events.slice(this.told.stripe), ...this.shop.slice(this.told.shop)];
    this.told = { stripe: this.world.events.length, shop: this.shop.length };
    return news;
  }

  private ofShop(): Verb[] {
    const say = (type: string): Verb => [type, () => this.shop.push({ type, version: this.shop.length + 1 })];
    if (this.shop.length === 0) return [say('order.created')];
    return this.shop.length === 1 ? [say('order.shipped'), say('order.cancelled')] : [];
  }

  private ofNewPayment(): Verb[] {
    if (this.payments.length === this.mostPayments) return [];
    const begin = () => {
      const isManual = this.chance() < 0.3;
      const id = this.story.beginPayment({ manual: isManual }).payment;
      this.payments.push({ id, isManual, state: 'begun', standing: 0, refunds: [], disputes: [] });
    };
    return [['begins', begin]];
  }

  private of(payment: Payment): Verb[] {
    const { story } = this;
    const { id } = payment;
    const name = `payment ${this.payments.indexOf(payment) + 1}`;
    const become = (state: Payment['state'], standing = 0) => Object.assign(payment, { state, standing });
    const verb = (what: string, happen: () => unknown): Verb => [`${name} ${what}`, happen];
    const cancelled = verb('is cancelled', () => [story.cancelPayment(id), become('over')]);
    switch (payment.state) {
      case 'begun': {
        const failed = verb('fails', () => story.failPayment(id));
        if (payment.isManual)
          return [
            failed,
            cancelled,
            verb('is reserved', () => [story.authorizePayment(id), become('authorized')]),
          ];
        return [
          ...[
            failed,
            cancelled,
            verb('is on its way', () => [story.processPayment(id), become('processing')]),
          ],
          verb('succeeds', () => [story.succeedPayment(id), become('captured', AMOUNT)]),
        ];
      }
      case 'processing':
        return [verb('is settled', () => [story.settlePayment(id), become('captured', AMOUNT)])];
      case 'authorized': {
        const capture = (amount: number) =>
          verb(`is captured, ${amount}`, () => [
            story.capturePayment(id, amount),
            become('captured', amount),
          ]);
        return [cancelled, capture(AMOUNT), capture(1_500)];
      }
      case 'captured':
        return [...this.ofRefunds(payment, verb), ...this.ofDisputes(payment, verb)];
      case 'over':
        return [];
    }
  }

  private ofRefunds(payment: Payment, verb: Wording): Verb[] {
    const refund = (amount: number) =>
      verb(`is refunded, ${amount}`, () => {
        const made = this.story.refundPayment(
          payment.id,
          amount,
          this.chance() < 0.4 ? 'pending' : 'succeeded',
        );
        payment.refunds.push({ id: made.refund, amount, hasFailed: false });
        payment.standing -= amount;
      });
    const fail = (one: Payment['refunds'][number]) =>
      verb('has its refund fail', () => {
        this.story.failRefund(one.id);
        one.hasFailed = true;
        payment.standing += one.amount;
      });
    const fails = payment.refunds.filter(({ hasFailed }) => !hasFailed).map(fail);
    // Stripe refunds nothing that is disputed.
    const mayRefund = payment.standing > 0 && payment.disputes.every(({ state }) => state === 'won');
    if (!mayRefund) return fails;
    const amounts = new Set([payment.standing, Math.min(500, payment.standing)]);
    return [...fails, ...[...amounts].map(refund)];
  }

  private ofDisputes(payment: Payment, verb: Wording): Verb[] {
    const ends = payment.disputes
      .filter(({ state }) => state === 'open')
      .flatMap((one) =>
        (['won', 'lost'] as const).map((end) =>
          verb(`has its dispute ${end}`, () => [this.story.closeDispute(one.id, end), (one.state = end)]),
        ),
      );
    if (payment.standing === 0 || payment.disputes.length === 2) return ends;
    const open = () =>
      payment.disputes.push({ id: this.story.openDispute(payment.id).dispute, state: 'open' });
    return [...ends, verb('is disputed', open)];
  }
}

type Verb = readonly [what: string, happen: () => unknown];
type Wording = (what: string, happen: () => unknown) => Verb;
