/**
 * What happens in the sandbox's shop: for each order one story, drawn by a seed. A story is a list of happenings in
 * the order in which they are true, and what must be true at its end: the order's status and the effects a shop
 * would expect. It is told in the provider's words and knows nothing of how inorder decides.
 *
 * 1. Every story has one ending, whichever of its streams is heard first: between streams nothing is compared, so a
 *    story whose ending would depend on arrival (a cancel beside a capture) is for a person and is not told here.
 * 2. The last happening that changes the status is the truth, so that a handler which gets everything once and in
 *    order is right about every story.
 * 3. An effect is `required` only where no loss or shuffle can take its reason away.
 */
import type { Random } from './random.ts';

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

export interface Story {
  order: string;
  /** The order's id travels as a JSON number (of more digits than a double holds). */
  numericOrder: boolean;
  title: string;
  happenings: Happening[];
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

/** `mark` is put behind every id, for a server that has heard these stories before. */
export function tellStories(count: number, random: Random, mark = ''): Story[] {
  return Array.from({ length: count }, (_, index) => tellStory(index, random.fork(`story ${index}`), mark));
}

function tellStory(index: number, random: Random, mark: string): Story {
  const tell = random.weighted(PLOTS);
  // Every eighth order has a number no double can hold: read as doubles, all of them are one order.
  const numericOrder = index % 8 === 3 && mark === '';
  const order = numericOrder
    ? `8389766145050${String(6_690_000 + index).padStart(7, '0')}`
    : `A-${1001 + index}${mark}`;
  const plot = new Plot(order, random);
  const title = tell(plot, random);
  const happenings = plot.happenings;
  const status = happenings.reduce((now, { type }) => STATUS_OF[type] ?? now, 'new');
  return {
    order,
    numericOrder,
    title,
    happenings,
    truth: { status, effects: expectedEffects(happenings, status) },
  };
}

/** Collects the happenings of one order; each object gets its id here. */
class Plot {
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

type Tell = (plot: Plot, random: Random) => string;

function begin(plot: Plot): void {
  plot.order('order.created');
  plot.chatter('order.note_added', 0.2);
}
function failedAttempts(plot: Plot, random: Random, atLeast: number): void {
  for (let left = random.between(atLeast, 2); left > 0; left--) {
    const attempt = plot.newPayment();
    plot.payment(attempt, 'payment.failed');
    if (random.chance(0.5)) plot.payment(attempt, 'payment.cancelled');
  }
}
function pay(plot: Plot, random: Random): string {
  if (random.chance(0.3)) failedAttempts(plot, random, 1);
  return payAtOnce(plot, random);
}
/**
 * (1) No other payment moved the order before: when all that is heard of the second payment is that its money went
 * back, no table can tell which of the two the order stood on, and a person is asked.
 */
function payAtOnce(plot: Plot, random: Random): string {
  const payment = plot.newPayment();
  // The card was refused first and taken on the second try of the same payment.
  if (random.chance(0.15)) plot.payment(payment, 'payment.failed');
  plot.capture(payment);
  plot.chatter('order.confirmed', 0.3);
  return payment;
}

const PLOTS: readonly (readonly [weight: number, Tell])[] = [
  [
    2,
    (plot) => {
      begin(plot);
      return 'waits for its payment';
    },
  ],
  [
    3,
    (plot, random) => {
      begin(plot);
      failedAttempts(plot, random, 1);
      return 'every attempt to pay failed';
    },
  ],
  [
    2,
    (plot) => {
      begin(plot);
      plot.payment(plot.newPayment(), 'payment.authorized');
      return 'authorised, not captured yet';
    },
  ],
  [
    2,
    (plot) => {
      begin(plot);
      plot.payment(plot.newPayment(), 'payment.authorized', 'payment.cancelled');
      return 'the authorisation was given up';
    },
  ],
  [
    4,
    (plot, random) => {
      begin(plot);
      failedAttempts(plot, random, 0);
      plot.order(random.pick(['order.cancelled', 'order.expired']));
      plot.chatter('order.note_added', 0.2);
      return 'cancelled before it was paid';
    },
  ],
  [
    8,
    (plot, random) => {
      begin(plot);
      pay(plot, random);
      return 'paid';
    },
  ],
  [
    8,
    (plot, random) => {
      begin(plot);
      pay(plot, random);
      plot.ship();
      return 'paid and shipped';
    },
  ],
  [
    8,
    (plot, random) => {
      begin(plot);
      const payment = payAtOnce(plot, random);
      if (random.chance(0.5)) plot.ship();
      for (let left = random.between(1, 3); left > 0; left--)
        plot.refund(payment, 'payment.partially_refunded');
      return 'part of the money went back';
    },
  ],
  [
    8,
    (plot, random) => {
      begin(plot);
      const payment = payAtOnce(plot, random);
      if (random.chance(0.5)) plot.ship();
      for (let left = random.between(0, 2); left > 0; left--)
        plot.refund(payment, 'payment.partially_refunded');
      plot.refund(payment, 'payment.refunded');
      return 'all of the money went back';
    },
  ],
  [
    3,
    (plot, random) => {
      begin(plot);
      const payment = payAtOnce(plot, random);
      plot.refund(payment, 'payment.refunded');
      plot.refund(payment, 'refund.failed');
      return 'refunded, and the refund failed';
    },
  ],
  [
    3,
    (plot, random) => {
      begin(plot);
      const payment = pay(plot, random);
      if (random.chance(0.5)) plot.ship();
      plot.dispute(payment, 'dispute.opened');
      return 'disputed';
    },
  ],
  [
    3,
    (plot, random) => {
      begin(plot);
      const payment = pay(plot, random);
      if (random.chance(0.5)) plot.ship();
      plot.dispute(payment, 'dispute.opened', 'dispute.lost');
      return 'disputed and lost';
    },
  ],
  [
    3,
    (plot, random) => {
      begin(plot);
      const payment = pay(plot, random);
      plot.dispute(payment, 'dispute.opened', 'dispute.won');
      return 'disputed and won';
    },
  ],
  [
    2,
    (plot, random) => {
      begin(plot);
      const payment = payAtOnce(plot, random);
      plot.dispute(payment, 'dispute.opened');
      plot.refund(payment, 'payment.refunded');
      return 'disputed, and given back by the shop';
    },
  ],
];

const NEVER_LEFT_PAID = new Set(['paid', 'partially_refunded']);
/** Here `paid` can only have been passed through, even where no word of it was heard. */
const SURELY_PAID = new Set(['paid', 'partially_refunded', 'shipped', 'disputed', 'charged_back']);

function expectedEffects(happenings: readonly Happening[], status: string): ExpectedEffect[] {
  const happened = (type: string) => happenings.some((happening) => happening.type === type);
  const expected: ExpectedEffect[] = [];
  const expect = (name: string, required: boolean, of: string | null = null) =>
    expected.push({ name, of, required });

  if (happened('payment.captured')) {
    // (3) A parcel that left, or money that went back, drops the order to the warehouse if it was not given yet.
    const leftBetween = happened('order.shipped');
    expect('fulfil', NEVER_LEFT_PAID.has(status) && !leftBetween);
    // (3) Of an order heard of when all was over, nobody can tell whether it was paid or cancelled before.
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
