/** A seller of a marketplace in stories: verified, or asked to prove who he is, also a second time. */
import { defineMachine } from 'inorder';

export const seller = defineMachine({
  name: 'seller',
  version: 1,
  initial: 'unknown',
  statuses: { unknown: {}, required: { effects: ['reject'] }, verified: { effects: ['approve'] } },
  effects: {
    approve: { once: 'order', whenPassed: 'run' },
    reject: { once: 'order', whenPassed: 'skip' },
  },
  on: { 'seller.required': { else: 'required' }, 'seller.verified': { else: 'verified' } },
  stepsBack: ['seller.required'],
  unlisted: 'ask',
});
