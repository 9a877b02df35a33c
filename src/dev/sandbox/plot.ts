/** Collects what happens to one order; each of its objects gets its id here. */
import type { Random } from './random.ts';
import type { Happening } from './story.ts';

export class Plot {
  readonly happenings: Happening[] = [];
  readonly #order: string;
  readonly #random: Random;
  readonly #amount: number;
  #payments = 0;
  #refunds = 0;

  constructor(order: string, random: Random) {
    this.#order = order;
    this.#random = random;
    this.#amount = random.between(500, 50_000);
  }

  order(type: string): void {
    this.#add(`order:${this.#order}`, type, null, {});
  }

  /** Words that change nothing come at any time and still count in their sequence. */
  chatter(type: string, probability: number): void {
    if (this.#random.chance(probability)) this.order(type);
  }

  newPayment(): string {
    return `pay_${this.#order}_${++this.#payments}`;
  }

  payment(id: string, ...types: string[]): void {
    const facts = { amount: String(this.#amount), currency: 'EUR' };
    for (const type of types) this.#add(`payment:${id}`, type, id, facts);
  }

  /** Some providers tell of the authorisation and of the processing before it, others only of the capture. */
  capture(id: string): void {
    if (this.#random.chance(0.3)) this.payment(id, 'payment.processing');
    if (this.#random.chance(0.7)) this.payment(id, 'payment.authorized');
    this.payment(id, 'payment.captured');
  }

  refund(payment: string, type: 'payment.partially_refunded' | 'payment.refunded' | 'refund.failed'): void {
    if (type !== 'refund.failed') this.#refunds++;
    this.#add(`payment:${payment}`, type, payment, {
      refund: `re_${this.#order}_${this.#refunds}`,
      amount: String(Math.floor(this.#amount / 4)),
      currency: 'EUR',
    });
  }

  dispute(payment: string, ...types: string[]): void {
    for (const type of types) {
      this.#add(`dispute:dp_${this.#order}`, type, payment, {
        amount: String(this.#amount),
        reason: 'not received',
      });
    }
  }

  ship(): void {
    this.#add(`shipment:sh_${this.#order}`, 'order.shipped', null, { carrier: 'post' });
    if (this.#random.chance(0.5))
      this.#add(`shipment:sh_${this.#order}`, 'order.delivered', null, { carrier: 'post' });
  }

  #add(object: string, type: string, payment: string | null, data: Record<string, string>): void {
    this.happenings.push({ object, type, payment, data });
  }
}
