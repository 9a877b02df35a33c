/**
 * Connections to the Temporal server, with limits that suit a service that must not wait for it.
 *
 * The client's is lazy: a receiver starts, accepts and stores while Temporal is down (R6). It looks for a lost
 * server at least every two seconds; gRPC's own pause grows to two minutes, and everything would wait for it.
 * Retries inside one call are few and quick: the caller's deadline is 1.5 s, and the sweeper is the real retry.
 */
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { ConnectionLike, Metadata } from '@temporalio/client';

export interface TemporalAddress {
  temporalAddress: string;
  /** Whose requests are the cheap ones. */
  temporalNamespace?: string;
}

const RETRY = makeGrpcRetryInterceptor(
  defaultGrpcRetryOptions({ maxAttempts: 3, initialIntervalMs: () => 100 }),
);

/**
 * How long the calls may take that a receiver makes; every other caller says it by `withDeadline`. That one is
 * built on AsyncLocalStorage, which before Node 24 makes every promise of the process dearer, those of the
 * webhooks first.
 */
const DEADLINES_MS = new Map([
  ['/temporal.api.workflowservice.v1.WorkflowService/SignalWithStartWorkflowExecution', 1_500],
  ['/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace', 1_000],
]);

/** Outside of the retries, so that they share the time. */
const limitTime: typeof RETRY = (options, nextCall) => {
  const afterMs = DEADLINES_MS.get(options.method_definition.path);
  const deadline = options.deadline ?? (afterMs === undefined ? undefined : Date.now() + afterMs);
  const call = nextCall(deadline === undefined ? options : { ...options, deadline });
  // An interceptor that changes nothing but options has no call of its own.
  return call as ReturnType<typeof RETRY>;
};

const NAMESPACE_HEADER = 'temporal-namespace';

/**
 * The SDK names the namespace of each request in a header, by AsyncLocalStorage: see DEADLINES_MS. For the one
 * namespace of this process the header stands there from the beginning.
 */
class OneNamespaceConnection extends Connection {
  override withMetadata<R>(metadata: Metadata, call: () => Promise<R>): Promise<R> {
    const isSaid = metadata[NAMESPACE_HEADER] === this.options.metadata?.[NAMESPACE_HEADER];
    return isSaid && Object.keys(metadata).length === 1 ? call() : super.withMetadata(metadata, call);
  }
}

export function connectLazily({ temporalAddress, temporalNamespace }: TemporalAddress): Connection {
  return OneNamespaceConnection.lazy({
    address: temporalAddress,
    metadata: temporalNamespace === undefined ? {} : { [NAMESPACE_HEADER]: temporalNamespace },
    interceptors: [limitTime, RETRY],
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.min_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2_000,
      // A frozen server or a cut cable shows as a dead connection within 15 seconds.
      'grpc.keepalive_time_ms': 10_000,
      'grpc.keepalive_timeout_ms': 5_000,
    },
  });
}

/**
 * Resolves when the server answers for the namespace. The namespace is part of the question, because a server
 * that came back empty is of no use before it has one.
 */
export async function probe(connection: ConnectionLike, namespace: string): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace });
}
