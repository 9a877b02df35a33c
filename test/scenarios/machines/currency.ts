/** An order in stories that has one currency: money in another is looked at before anything is sent. */
import { defineMachine, ignore, review } from 'inorder';

export const currency = defineMachine({
  name: 'currency',
  version: 1,
  initial: 'new',
  statuses: { new: {}, paid: { effects: ['fulfil'] } },
  effects: { fulfil: { once: 'order', whenPassed: 'run', sensitive: true } },
  on: {
    'payment.captured': { new: 'paid', else: ignore('paid before') },
    'payment.other_currency': { new: review('paid in another currency'), else: 'paid' },
  },
  unlisted: 'ask',
});
