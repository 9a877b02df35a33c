/**
 * The plots of the sandbox's shop, each with its weight. What begins a plot, and what may come between, is chance.
 *
 * 1. No other payment moved the order before it was paid: when all that is heard of the second payment is that its
 *    money went back, no table can tell which of the two the order stood on, and a person is asked.
 */
import type { Plot } from './plot.ts';
import type { Random } from './random.ts';

/** Adds what happens, and returns the story's title. */
export type Tell = (plot: Plot, random: Random) => string;

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
/** (1) Where money goes back later. */
function payAtOnce(plot: Plot, random: Random): string {
  const payment = plot.newPayment();
  // The card was refused first and taken on the second try of the same payment.
  if (random.chance(0.15)) plot.payment(payment, 'payment.failed');
  plot.capture(payment);
  plot.chatter('order.confirmed', 0.3);
  return payment;
}

export const PLOTS: readonly (readonly [weight: number, Tell])[] = [
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
