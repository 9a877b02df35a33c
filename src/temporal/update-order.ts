/**
 * A person's request to one order's workflow, and its end. The workflow is started if it does not run (a closed
 * order is loaded again and then asked), so that a request never depends on how long the order was quiet.
 *
 * Nothing is retried here: a request whose end was not heard may have been carried out, and the person looks first.
 */
import {
  isGrpcServiceError,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { WorkflowClient } from '@temporalio/client';
import { ORDER_WORKFLOW } from '../../workflows/messages.ts';
import type { OrderInput, PersonsRequest, UpdateResult } from '../../workflows/messages.ts';
import { InorderError } from '../errors.ts';
import type { OrderKey } from '../ordering/state.ts';
import { workflowIdOf } from './workflow-id.ts';

export interface OrderClient {
  client: WorkflowClient;
  taskQueue: string;
  deadlineMs?: number;
}

/** A worker that starts needs a few seconds until it takes work; a person waits no longer than this. */
const DEADLINE_MS = 30_000;

export async function updateOrder(
  { client, taskQueue, deadlineMs = DEADLINE_MS }: OrderClient,
  key: OrderKey,
  update: string,
  request: PersonsRequest,
): Promise<UpdateResult> {
  const start: OrderInput = { v: 1, key };
  const startWorkflowOperation = new WithStartWorkflowOperation(ORDER_WORKFLOW, {
    workflowId: workflowIdOf(key),
    taskQueue,
    args: [start],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () =>
      client.executeUpdateWithStart(update, {
        args: [request],
        startWorkflowOperation,
      }),
    );
  } catch (error) {
    throw unheard(error, deadlineMs);
  }
}

function unheard(error: unknown, deadlineMs: number): unknown {
  const cause = error instanceof ServiceError ? error.cause : error;
  const isOver =
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    (isGrpcServiceError(cause) && cause.code === 4); /* DEADLINE_EXCEEDED */
  if (isOver) {
    return new InorderError(
      'temporal_unavailable',
      `No answer within ${deadlineMs / 1_000} s; is a worker running? ` +
        'The request may still be carried out: look at the order before you repeat it.',
      { cause: error },
    );
  }
  if (!isGrpcServiceError(cause)) return error;
  return new InorderError('temporal_unavailable', `Temporal did not take the request: ${cause.details}`, {
    cause: error,
  });
}
