/**
 * The activities as the workflow calls them, with their limits. Local ones are single MySQL rounds; the others
 * leave the process and are tried once: when to try again is the order's own decision, written in its state.
 */
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { OrderActivities } from '../activities/order-activities.ts';
import { askTaskQueue } from './messages.ts';

export const local = proxyLocalActivities<Pick<OrderActivities, 'load' | 'untaken' | 'apply'>>({
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '7s',
  retry: { initialInterval: '100ms', maximumInterval: '1s', maximumAttempts: 4 },
});

const ONCE = { maximumAttempts: 1 } as const;

/** A worker that died is noticed within the heartbeat's time; the limit is for calls that hang. */
export const effectActivities = proxyActivities<Pick<OrderActivities, 'runEffect'>>({
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: ONCE,
});

type AskActivities = Pick<OrderActivities, 'ask' | 'find'>;
const bySource = new Map<string, ReturnType<typeof proxyActivities<AskActivities>>>();

/** Asks go through one task queue per source, which the server paces over all workers. */
export function askActivities(source: string): ReturnType<typeof proxyActivities<AskActivities>> {
  let proxies = bySource.get(source);
  if (proxies === undefined) {
    proxies = proxyActivities<AskActivities>({
      taskQueue: askTaskQueue(workflowInfo().taskQueue, source),
      startToCloseTimeout: '2m',
      scheduleToCloseTimeout: '30m',
      heartbeatTimeout: '10s',
      retry: ONCE,
    });
    bySource.set(source, proxies);
  }
  return proxies;
}
