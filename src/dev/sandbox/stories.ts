/**
 * What happens in the sandbox's shop: for each order one story, drawn by a seed. A story is a list of happenings in
 * the order in which they are true, and what must be true at its end: the order's status and the effects a shop
 * would expect. It is told in the provider's words and knows nothing of how inorder decides.
 *
 * 1. Every story has one ending, whichever of its streams is heard first: between streams nothing is compared, so a
 *    story whose ending would depend on arrival (a cancel beside a capture) is for a person and is not told here.
 * 2. The last happening that changes the status is the truth, so that a handler which gets everything once and in
 *    order is right about every story.
 */
import { expectedEffects } from './expected-effects.ts';
import { Plot } from './plot.ts';
import { PLOTS } from './plots.ts';
import type { Random } from './random.ts';
import { STATUS_OF, type Story } from './story.ts';

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
