/** A subscription in stories: it begins, is paid for, falls behind and ends. */
import { defineMachine, ignore } from 'inorder';

export const subscription = defineMachine({
  name: 'subscription',
  version: 1,
  initial: 'none',
  statuses: {
    none: {},
    incomplete: {},
    active: { effects: ['activate'] },
    past_due: {},
    ended: { effects: ['deactivate'] },
  },
  effects: {
    activate: { once: 'order', whenPassed: 'run' },
    deactivate: { once: 'order', whenPassed: 'run' },
  },
  on: {
    'subscription.created': { none: 'incomplete', else: ignore('it has gone further') },
    'subscription.active': { ended: ignore('it has ended'), else: 'active' },
    'subscription.past_due': { ended: ignore('it has ended'), else: 'past_due' },
    'subscription.ended': { else: 'ended' },
  },
  unlisted: 'ask',
});
