/** What a Temporal server says of itself, for people: its namespace, and who polls a task queue. */
import type { ConnectionLike } from '@temporalio/client';

const DEADLINE_MS = 5_000;

export async function describeNamespace(
  connection: ConnectionLike,
  namespace: string,
): Promise<{ retentionMs: number }> {
  const { config } = await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  return { retentionMs: Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1_000 };
}

/** Numbers of Temporal's own enum `TaskQueueType`; part of its wire format. */
const TASK_QUEUE_TYPE: Record<'workflow' | 'activity', number> = { workflow: 1, activity: 2 };

/** When each of those that have polled lately did so last, epoch ms. */
export async function lastPolls(
  connection: ConnectionLike,
  namespace: string,
  taskQueue: string,
  kind: 'workflow' | 'activity',
): Promise<number[]> {
  const { pollers } = await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      // The enum itself is in a package for development only.
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
      taskQueueType: TASK_QUEUE_TYPE[kind],
    }),
  );
  return (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
}
