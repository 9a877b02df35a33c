/** Money in stories that is written off only when a lost dispute has stood for a while. */
import { defineMachine, ignore } from 'inorder';

export const writeOff = defineMachine({
  name: 'write_off',
  version: 1,
  initial: 'new',
  statuses: {
    new: {},
    paid: {},
    lost: { deadline: { after: '2d', type: 'dispute.stood' } },
    written_off: { effects: ['writeOff'] },
  },
  effects: { writeOff: { once: 'order', whenPassed: 'run' } },
  on: {
    'payment.captured': { new: 'paid', else: ignore('captured before') },
    'dispute.lost': { written_off: ignore('written off before'), else: 'lost' },
    'dispute.won': { else: 'paid' },
    'dispute.stood': { lost: 'written_off', else: ignore('it was won in time') },
  },
  stepsBack: ['dispute.won'],
  unlisted: 'ask',
});
