/** An account in stories, of which reports are fetched: each of them once. */
import { defineMachine } from 'inorder';

export const report = defineMachine({
  name: 'report',
  version: 1,
  initial: 'none',
  statuses: { none: {}, available: { effects: ['download'] } },
  effects: { download: { once: 'event', whenPassed: 'run' } },
  on: { 'report.available': { else: 'available' } },
  unlisted: 'ask',
});
