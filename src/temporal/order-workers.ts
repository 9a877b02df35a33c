/**
 * The Temporal workers of one process: one for orders (workflows, local activities, effects) and one per source
 * with an API, whose task queue the server paces, so that all workers together keep to the provider's limit.
 *
 * Figures are for two cores; the ones that matter: cached workflows are memory (about 1 MB each), local
 * activities are database connections.
 */
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import type { ListingActivities } from '../../activities/listing-activities.ts';
import type { OrderActivities } from '../../activities/order-activities.ts';
import { askTaskQueue } from '../../workflows/messages.ts';
import type { WorkflowCode } from './workflow-bundle.ts';

export interface OrderWorkersOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  workflowBundle: WorkflowCode;
  activities: Omit<OrderActivities, 'ask' | 'find'> & Pick<ListingActivities, 'openListing'>;
  askActivities: Pick<OrderActivities, 'ask' | 'find'> & Pick<ListingActivities, 'listPage'>;
  /** Sources that can be asked, with the rate their provider allows. */
  asks: { source: string; perSecond: number }[];
}

/** Each holds a database connection while it runs. */
export const MAX_LOCAL_ACTIVITIES = 16;

/** The figures of the worker that decides orders. */
export const ORDER_WORKER_OPTIONS = {
  maxCachedWorkflows: 500,
  // How long a frozen worker keeps the orders it had cached from the others (R37).
  stickyQueueScheduleToStartTimeout: '5s',
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentActivityTaskExecutions: 50,
  maxConcurrentLocalActivityExecutions: MAX_LOCAL_ACTIVITIES,
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 10 },
  activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
} satisfies Partial<WorkerOptions>;

export interface OrderWorkers {
  /** Settles when all have stopped; rejects when one failed, after the others were told to stop. */
  run(): Promise<void>;
  stop(): void;
}

/** Work under way may finish within the first; after the second the process gives up on it. */
const GRACE = { shutdownGraceTime: '10s', shutdownForceTime: '15s' } as const;

export async function createOrderWorkers(options: OrderWorkersOptions): Promise<OrderWorkers> {
  const { connection, namespace, taskQueue, asks } = options;
  const shared: Pick<WorkerOptions, 'connection' | 'namespace'> = { connection, namespace };
  const workers: Worker[] = [];
  workers.push(
    await Worker.create({
      ...shared,
      ...GRACE,
      ...ORDER_WORKER_OPTIONS,
      taskQueue,
      workflowBundle: options.workflowBundle,
      activities: { ...options.activities },
    }),
  );
  for (const { source, perSecond } of asks) {
    workers.push(
      await Worker.create({
        ...shared,
        ...GRACE,
        taskQueue: askTaskQueue(taskQueue, source),
        activities: options.askActivities,
        maxConcurrentActivityTaskExecutions: 20,
        maxTaskQueueActivitiesPerSecond: perSecond,
        activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 5 },
      }),
    );
  }
  return {
    async run() {
      const ends = await Promise.allSettled(
        workers.map((worker) =>
          worker.run().catch((error: unknown) => {
            stopAll(workers);
            throw error;
          }),
        ),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
    stop: () => stopAll(workers),
  };
}

function stopAll(workers: Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
