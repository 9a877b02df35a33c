/** An invoice in stories: it is open until it is paid, and may be opened again. */
import { defineMachine } from 'inorder';

export const invoice = defineMachine({
  name: 'invoice',
  version: 1,
  initial: 'draft',
  statuses: { draft: {}, open: {}, paid: { effects: ['bookPayment'] } },
  effects: { bookPayment: { once: 'order', whenPassed: 'run' } },
  on: { 'invoice.open': { else: 'open' }, 'invoice.paid': { else: 'paid' } },
  stepsBack: ['invoice.open'],
  unlisted: 'ask',
});
