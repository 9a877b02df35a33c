/** The activities of reading a list, with their limits. */
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { ListingActivities } from '../activities/listing-activities.ts';
import { askTaskQueue } from './messages.ts';

/** One MySQL round; while the store is away the run fails, and the next one finds it back. */
export const listingStore = proxyLocalActivities<Pick<ListingActivities, 'openListing'>>({
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '1m',
  retry: { initialInterval: '200ms', maximumInterval: '10s' },
});

/** The queue may be long and is paced, so there is no limit for how long a page waits in it. */
export const listActivities = (source: string) =>
  proxyActivities<Pick<ListingActivities, 'listPage'>>({
    taskQueue: askTaskQueue(workflowInfo().taskQueue, source),
    startToCloseTimeout: '2m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '1m', maximumAttempts: 10 },
  });
