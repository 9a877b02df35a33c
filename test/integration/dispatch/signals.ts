/** What an order's workflow was sent, as its history has it. */
import { defaultPayloadConverter } from '@temporalio/common';
import { isGrpcServiceError } from '@temporalio/client';
import type { WorkflowClient } from '@temporalio/client';
import type { DeliverSignal } from '../../../workflows/messages.ts';
import { workflowIdOf } from '../../../src/temporal/workflow-id.ts';
import { keyOf } from '../../unit/dispatch/order-events.ts';

/** gRPC's number of it. */
const NOT_FOUND = 5;

export interface Signalled {
  name: string;
  /** Event ids, in the signal's order. */
  events: string[];
  sources: string[];
}

/** Of the newest run; none: there is no such workflow. */
export async function readSignals(client: WorkflowClient, order: string): Promise<Signalled[]> {
  let events;
  try {
    ({ events } = await client.getHandle(workflowIdOf(keyOf(order))).fetchHistory());
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return [];
    throw error;
  }
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const payload = signal?.input?.payloads?.[0];
    if (!signal || !payload) return [];
    const message = defaultPayloadConverter.fromPayload<DeliverSignal>(payload);
    return [
      {
        name: signal.signalName ?? '',
        events: message.events.map(({ event }) => event),
        sources: Object.keys(message.sources),
      },
    ];
  });
}
