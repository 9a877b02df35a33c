/**
 * The receiver process: what starts, in what order, and how it stops.
 *
 * Starts: store (waited for, migrated) → dispatch → private listener → public listener. The public one is last, so
 * that the first delivery finds everything in place; Temporal may be away.
 * Stops in the other order: no new connection, answers for what was taken, then what is behind them.
 *
 * A receiver holds nothing that is not in MySQL once it was answered: it may be ended at any instant.
 */
import type { Config } from '../config/resolved.ts';
import type { Environment } from '../config/environment.ts';
import { createHealth, untakenLimit } from '../api/health.ts';
import { createOperationsServer } from '../api/operations-server.ts';
import { createClock } from '../clock.ts';
import { withCanary } from '../config/canary.ts';
import { createDeliver } from '../dispatch/deliver.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { createPoliciesOf } from '../dispatch/policies.ts';
import { createLog } from '../log.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import type { CrashPoint } from '../receiver/accept.ts';
import { GroupCommit } from '../receiver/group-commit.ts';
import { createRefusalLog } from '../receiver/refusal-log.ts';
import { createReceiver } from '../receiver/server.ts';
import type { ReceiverLimits } from '../receiver/server.ts';
import { writeRefusals } from '../store/refusals.ts';
import { openStore } from '../store/store.ts';
import { connectLazily, probe } from '../temporal/connection.ts';
import { Reachability } from '../temporal/reachability.ts';
import { RequestIdClient } from '../temporal/request-id-client.ts';
import { awaitStore } from './await-store.ts';
import { Closing } from './closing.ts';
import { untilStopped } from './until-stopped.ts';

/** Longer than any planned restart of a database takes. */
const START_LIMIT_MS = 60_000;

export interface ReceiverOptions {
  log?: Log;
  limits?: Partial<ReceiverLimits>;
  /** Only crash tests pass one that does anything. */
  at?: CrashPoint;
  startLimitMs?: number;
  /** Ends a start that is still waiting. */
  signal?: AbortSignal;
}

export interface RunningReceiver {
  port: number;
  operationsPort: number;
  stop(): Promise<void>;
}

/** Runs until a signal ends it. */
export async function runReceiver(
  config: Config,
  environment: Environment,
  options: ReceiverOptions = {},
): Promise<void> {
  const { log = createLog(environment.logLevel, 'receiver') } = options;
  const receiver = await startReceiver(config, environment, { ...options, log });
  await untilStopped(log, () => receiver.stop());
}

export async function startReceiver(
  config: Config,
  environment: Environment,
  options: ReceiverOptions = {},
): Promise<RunningReceiver> {
  const { log = createLog(environment.logLevel, 'receiver'), limits = {}, at = null } = options;
  const { canarySecret } = environment;
  const { sources, machines } = canarySecret === null ? config : withCanary(config, canarySecret);
  const closing = new Closing((line) => log.error({}, line));
  const stop = (): Promise<void> => closing.close();
  try {
    const metrics = createMetrics();
    const store = openStore(environment.mysqlUrl);
    closing.add('the store', () => store.close());
    await awaitStore(store, {
      limitMs: options.startLimitMs ?? START_LIMIT_MS,
      log,
      signal: options.signal ?? new AbortController().signal,
    });

    const connection = connectLazily(environment);
    closing.add('the connection to Temporal', () => connection.close());
    const client = new RequestIdClient({ connection, namespace: environment.temporalNamespace });
    const reachability = new Reachability({
      probe: () => probe(connection, environment.temporalNamespace),
      log,
    });
    closing.add('the look for Temporal', () => reachability.stop());
    const deliver = createDeliver({
      client,
      taskQueue: environment.taskQueue,
      policiesOf: createPoliciesOf({ sources }),
    });
    const dispatch = createDispatch({ deliver, reachability, log, count: metrics.dispatched });
    closing.add('dispatch', () => dispatch.stop());

    const groupCommit = new GroupCommit(store, {});
    closing.add('the group commit', () => groupCommit.stop());
    const refusals = createRefusalLog({ write: (tallies) => writeRefusals(store, tallies), metrics, log });
    closing.add('the record of refusals', () => refusals.stop());

    const health = createHealth({ store, untakenLimitMs: untakenLimit(config.redeliverAfterMs) });
    metrics.observe('inorder_untaken_events', 'Stored events that no workflow has taken', async () => {
      return (await health.report()).checks.untaken;
    });
    metrics.observe('inorder_oldest_untaken_seconds', 'Age of the oldest of them', async () => {
      return (await health.report()).checks.oldestUntakenSeconds;
    });
    metrics.observe('inorder_store_waiting_events', 'Events that wait for their commit', () => {
      return groupCommit.stats.waiting;
    });
    const operations = createOperationsServer({ health, metrics, log });
    const operationsPort = await operations.listen(environment.operationsPort, environment.operationsHost);
    closing.add('the private listener', () => operations.stop());

    const receiver = createReceiver({
      sources,
      machines,
      groupCommit,
      dispatch,
      refusals,
      metrics,
      log,
      clock: createClock(),
      publicUrl: environment.publicUrl,
      isReady: () => health.isReady(),
      at,
      limits,
    });
    const port = await receiver.listen(environment.port, environment.host);
    closing.add('the public listener', () => receiver.stop());
    log.info({ address: environment.host, port }, 'receiving webhooks');
    return { port, operationsPort, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
