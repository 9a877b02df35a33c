/**
 * One `deliver` signal to one order's workflow, which is started if it does not run.
 *
 * Invariants:
 * 1. Never longer than the deadline, never an exception: how it went is the returned value, because the row in
 *    MySQL is safe whatever happens here.
 * 2. Never a retry policy, cron or execution timeout on the workflow: each of them can end it with signals
 *    unread.
 * 3. Only references and normalised fields enter Temporal, never a body (R4).
 */
import { createHash } from 'node:crypto';
import { isGrpcServiceError, NamespaceNotFoundError, ServiceError } from '@temporalio/client';
import { DELIVER_SIGNAL, ORDER_WORKFLOW } from '../../workflows/messages.ts';
import type { DeliverSignal, OrderInput } from '../../workflows/messages.ts';
import type { OrderEvent, OrderKey, SourcePolicy } from '../ordering/state.ts';
import type { RequestIdClient } from '../temporal/request-id-client.ts';
import { workflowIdOf } from '../temporal/workflow-id.ts';

/** What one signal may carry: the server holds back a workflow whose buffered signals grow beyond that. */
export const MAX_EVENTS_PER_SIGNAL = 100;
export const MAX_BYTES_PER_SIGNAL = 100_000;

export type DeliverResult =
  | { kind: 'sent' }
  /** No server answered in time, or one that has no time: says nothing about the order. */
  | { kind: 'unreachable'; error: Error }
  /** The server answered and did not take it: this order's own trouble. */
  | { kind: 'refused'; error: Error };

export type Deliver = (
  key: OrderKey,
  events: OrderEvent[],
  requestId: string,
  more?: Pick<DeliverSignal, 'restored'>,
) => Promise<DeliverResult>;

export interface DeliverDeps {
  client: RequestIdClient;
  taskQueue: string;
  /** Policies of the sources of one machine and environment, by name. */
  policiesOf: (key: OrderKey) => Record<string, SourcePolicy>;
}

export function createDeliver(deps: DeliverDeps): Deliver {
  const { client, taskQueue, policiesOf } = deps;
  return async (key, events, requestId, more = {}) => {
    const start: OrderInput = { v: 1, key };
    const signal: DeliverSignal = { v: 1, events, sources: policiesOf(key), ...more };
    const call = client.withRequestId(requestId, (named) =>
      named.signalWithStart(ORDER_WORKFLOW, {
        workflowId: workflowIdOf(key),
        taskQueue,
        args: [start],
        signal: DELIVER_SIGNAL,
        signalArgs: [signal],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: summaryOf(key),
      }),
    );
    try {
      await call;
      return { kind: 'sent' };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      return isUnreachable(error) ? { kind: 'unreachable', error } : { kind: 'refused', error };
    }
  };
}

/**
 * One event goes under its own id, several under a digest of theirs. `attempt` makes a deliberate repetition a
 * new request, so that the server does not drop it as one it has had.
 */
export function requestIdOf(events: OrderEvent[], attempt?: number): string {
  const [only] = events;
  const names = events.map((event) => JSON.stringify([event.source, event.event]));
  const plain = only && events.length === 1 ? `${only.source}/${only.event}` : '';
  const suffix = attempt === undefined ? '' : `#${attempt}`;
  // Temporal's tables hold 255 bytes of it; anything longer or beyond ASCII becomes a digest.
  if (plain !== '' && plain.length <= 200 && /^[\x21-\x7e]*$/.test(plain)) return plain + suffix;
  return createHash('sha256').update(names.join('\n')).digest('hex') + suffix;
}

/** Cuts one order's events into signals that the limits allow, in the given order. */
export function splitIntoSignals(events: OrderEvent[]): OrderEvent[][] {
  const signals: OrderEvent[][] = [];
  let current: OrderEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = bytesOf(event);
    const isFull = current.length >= MAX_EVENTS_PER_SIGNAL || bytes + size > MAX_BYTES_PER_SIGNAL;
    if (isFull && current.length > 0) {
      signals.push(current);
      current = [];
      bytes = 0;
    }
    current.push(event);
    bytes += size;
  }
  if (current.length > 0) signals.push(current);
  return signals;
}

export const bytesOf = (event: OrderEvent): number => Buffer.byteLength(JSON.stringify(event));

/** What Temporal's UI shows beside the workflow; at most 200 bytes there. */
function summaryOf(key: OrderKey): string {
  const id = key.id.length > 40 ? `${key.id.slice(0, 39)}…` : key.id;
  return `Order ${id} (${key.environment}), by the machine "${key.machine.slice(0, 40)}"`;
}

const UNREACHABLE_CODES = new Set([
  1 /* CANCELLED: the connection went away under the call */, 4 /* DEADLINE_EXCEEDED */,
  // An overloaded server says so of whatever it is asked. Counted as the order's own trouble, each such answer would
  // double the time until the sweeper sends its events again, up to an hour after the server has time again.
  8 /* RESOURCE_EXHAUSTED */,
  14 /* UNAVAILABLE */,
]);

/** gRPC's status may sit inside the SDK's own error. */
function isUnreachable(error: Error): boolean {
  // A server that came back empty has no namespace at first: nothing is wrong with this order.
  if (error instanceof NamespaceNotFoundError) return true;
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && UNREACHABLE_CODES.has(cause.code);
}
