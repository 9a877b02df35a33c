/**
 * One Temporal Schedule per source whose list is read: made when it is missing, changed when the configuration says
 * otherwise, taken away when it says nothing any more. Safe to run any number of times and from many workers at once;
 * a Temporal server that lost everything has them again after the next run.
 *
 * A schedule that somebody paused in Temporal stays paused.
 */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleClient,
  type ScheduleDescription,
} from '@temporalio/client';
import { RECONCILE_SOURCE_WORKFLOW } from '../../workflows/messages.ts';
import type { ReconcileSourceInput } from '../../workflows/messages.ts';
import { formatDuration } from '../ordering/format-duration.ts';

export interface ScheduledSource {
  source: string;
  everyMs: number;
}

export type ScheduleChange = 'created' | 'updated' | 'removed' | 'unchanged';

/** Installations that share a namespace have task queues of their own, and so do their schedules. */
export const scheduleIdOf = (taskQueue: string, source: string): string => `${taskQueue}-reconcile-${source}`;

/** A run that was missed by more than this is not made up for: the next one reads the same and more. */
const CATCH_UP_MS = 60_000;
const DEADLINE_MS = 10_000;

export async function keepSchedule(
  client: ScheduleClient,
  taskQueue: string,
  { source, everyMs }: ScheduledSource,
): Promise<ScheduleChange> {
  const scheduleId = scheduleIdOf(taskQueue, source);
  const input: ReconcileSourceInput = { v: 1, source, byHand: null };
  const wanted = {
    spec: { intervals: [{ every: everyMs }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP_MS },
    action: {
      type: 'startWorkflow' as const,
      workflowType: RECONCILE_SOURCE_WORKFLOW,
      workflowId: scheduleId,
      taskQueue,
      args: [input],
      staticSummary: `what ${source} sent, by its own list`,
      staticDetails:
        `Reads the list of ${source} every ${formatDuration(everyMs)}, and lets in what no webhook brought. ` +
        'The details of a run say what was found.',
    },
  };
  const handle = client.getHandle(scheduleId);
  return client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    try {
      if (isAsWanted(await handle.describe(), everyMs, taskQueue)) return 'unchanged';
      await handle.update(({ state }) => ({ ...wanted, state }));
      return 'updated';
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
    try {
      await client.create({ scheduleId, ...wanted, state: { triggerImmediately: true } });
      return 'created';
    } catch (error) {
      // Another worker was first.
      if (error instanceof ScheduleAlreadyRunning) return 'unchanged';
      throw error;
    }
  });
}

function isAsWanted(
  { spec, policies, action }: ScheduleDescription,
  everyMs: number,
  taskQueue: string,
): boolean {
  return (
    spec.intervals?.length === 1 &&
    spec.intervals[0]?.every === everyMs &&
    policies.overlap === ScheduleOverlapPolicy.SKIP &&
    policies.catchupWindow === CATCH_UP_MS &&
    action.type === 'startWorkflow' &&
    action.taskQueue === taskQueue &&
    action.workflowType === RECONCILE_SOURCE_WORKFLOW
  );
}

/** Of a source that is read no more; a run that is under way ends by itself. */
export async function removeSchedule(
  client: ScheduleClient,
  taskQueue: string,
  source: string,
): Promise<ScheduleChange> {
  try {
    await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.getHandle(scheduleIdOf(taskQueue, source)).delete(),
    );
    return 'removed';
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return 'unchanged';
    throw error;
  }
}
