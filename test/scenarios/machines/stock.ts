/** A stock level in stories: each one replaces the one before, so that an old one is no news. */
import { defineMachine } from 'inorder';

export const stock = defineMachine({
  name: 'stock',
  version: 1,
  initial: 'unknown',
  statuses: { unknown: {}, known: { effects: ['publish'] } },
  effects: { publish: { once: 'event', whenPassed: 'skip' } },
  on: { 'stock.level': { else: 'known' } },
  late: { 'stock.level': { known: 'ignore' } },
  unlisted: 'ask',
});
