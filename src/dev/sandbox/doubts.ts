/**
 * Stories that no table should decide: a person has to, or more has to be heard. The happenings of each are told one
 * after the other, in this order, because which one is heard first is what makes the doubt.
 */
import { Plot } from './plot.ts';
import { createRandom } from './random.ts';
import type { ToldOrder } from './story.ts';

export interface Doubt extends ToldOrder {
  /** A person is told of it, or its last event is held until there is a way to it. */
  shows: 'attention' | 'held';
}
type Tell = (plot: Plot) => void;

const DOUBTS: readonly (readonly [Doubt['shows'], title: string, Tell])[] = [
  [
    'attention',
    'paid although it was cancelled',
    (plot) => {
      plot.order('order.created');
      plot.order('order.cancelled');
      plot.payment(plot.newPayment(), 'payment.captured');
    },
  ],
  [
    'attention',
    'paid twice, by two payments',
    (plot) => {
      plot.order('order.created');
      plot.payment(plot.newPayment(), 'payment.captured');
      plot.payment(plot.newPayment(), 'payment.captured');
    },
  ],
  [
    'held',
    'shipped, and nobody has paid for it',
    (plot) => {
      plot.order('order.created');
      plot.ship();
    },
  ],
];

/** `mark` as in `tellStories`. */
export function tellDoubts(mark = ''): Doubt[] {
  return DOUBTS.map(([shows, title, tell], index) => {
    const order = `B-${1001 + index}${mark}`;
    const plot = new Plot(order, createRandom(title));
    tell(plot);
    return { order, numericOrder: false, title, happenings: plot.happenings, shows };
  });
}
