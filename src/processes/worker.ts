/**
 * The worker process: what starts, in what order, and how it stops.
 *
 * Starts: store (waited for, migrated) → machines entered → Temporal (waited for) → search attributes → workers →
 * sweeper → private listener. Nothing is taken before all that decisions need is in place.
 * Stops: no new sweep, no new task, what is under way may finish, then connections and store.
 *
 * A worker holds nothing that is not in MySQL or Temporal: ended at any instant, its work is taken up by another.
 */
import { hostname } from 'node:os';
import { ScheduleClient } from '@temporalio/client';
import { createApply } from '../../activities/apply.ts';
import { createAsk } from '../../activities/ask.ts';
import { createFind } from '../../activities/find.ts';
import { createListPage } from '../../activities/list-page.ts';
import { createLoad } from '../../activities/load.ts';
import { createOpenListing } from '../../activities/open-listing.ts';
import { createRunEffect } from '../../activities/run-effect.ts';
import { createUntaken } from '../../activities/untaken.ts';
import { createHealth, untakenLimit } from '../api/health.ts';
import { createOperationsServer } from '../api/operations-server.ts';
import type { Environment } from '../config/environment.ts';
import { withCanary } from '../config/canary.ts';
import type { Config } from '../config/resolved.ts';
import { createDeliver } from '../dispatch/deliver.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { createPoliciesOf } from '../dispatch/policies.ts';
import { InorderError } from '../errors.ts';
import { createLog } from '../log.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { listLags } from '../notify/lagging-lists.ts';
import { SourceOutages } from '../notify/source-outages.ts';
import { sourceOf } from '../ordering/fresh-state.ts';
import { GroupCommit } from '../receiver/group-commit.ts';
import { enterMachine, selectNewestVersion } from '../store/machines.ts';
import { selectServerTime } from '../store/settings.ts';
import { isStopped } from '../store/restores.ts';
import { openStore } from '../store/store.ts';
import { connectLazily, probe } from '../temporal/connection.ts';
import { connectForWork, keepSearchAttributes } from '../temporal/native-connection.ts';
import { createOrderWorkers, MAX_LOCAL_ACTIVITIES } from '../temporal/order-workers.ts';
import { Reachability } from '../temporal/reachability.ts';
import { keepSchedule, removeSchedule } from '../temporal/reconcile-schedules.ts';
import type { ScheduledSource } from '../temporal/reconcile-schedules.ts';
import { RequestIdClient } from '../temporal/request-id-client.ts';
import { installRuntime } from '../temporal/runtime.ts';
import { scheduledAtMs } from '../temporal/scheduled-at.ts';
import { withHeartbeat } from '../temporal/with-heartbeat.ts';
import { bundleWorkflows } from '../temporal/workflow-bundle.ts';
import type { WorkflowCode } from '../temporal/workflow-bundle.ts';
import { awaitService } from './await-service.ts';
import { awaitStore } from './await-store.ts';
import { Closing } from './closing.ts';
import { untilStopped } from './until-stopped.ts';
import { createWorkerChores } from './worker-chores.ts';

/** Longer than any planned restart of a database or a Temporal server takes. */
const START_LIMIT_MS = 60_000;

/** A rolled back deployment brings the old table along; orders must not fall back and forth between two. */
const OUTDATED_MACHINE =
  'orders are decided by a newer version of this machine, entered before; to go back, give the old table a higher version';

/** One for each local activity at once, and some for effects and chores. */
const CONNECTIONS = MAX_LOCAL_ACTIVITIES + 8;

export interface WorkerOptions {
  log?: Log;
  /** A machine of the same version and another digest replaces the entered one: for development only. */
  replaceMachines?: boolean;
  /** Only crash tests and the demo pass one that does anything. */
  at?: (point: string) => Promise<void>;
  startLimitMs?: number;
  /** Ends a start that is still waiting. */
  signal?: AbortSignal;
  /** Other workflow code than this checkout's: for tests of how versions of it live together. */
  workflows?: WorkflowCode;
  /** How its Temporal workers are made: for stories, which share one. */
  createWorkers?: typeof createOrderWorkers;
}

export interface RunningWorker {
  /** The private listener's; null when its port was taken. */
  operationsPort: number | null;
  /** Rejects when a worker ended by itself; otherwise settles with `stop`. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Runs until a signal ends it. */
export async function runWorker(
  config: Config,
  environment: Environment,
  options: WorkerOptions = {},
): Promise<void> {
  const { log = createLog(environment.logLevel, 'worker') } = options;
  const worker = await startWorker(config, environment, { ...options, log });
  try {
    await Promise.race([untilStopped(log, () => worker.stop()), worker.ended]);
  } finally {
    await worker.stop();
  }
}

export async function startWorker(
  config: Config,
  environment: Environment,
  options: WorkerOptions = {},
): Promise<RunningWorker> {
  const { log = createLog(environment.logLevel, 'worker'), startLimitMs = START_LIMIT_MS } = options;
  const { signal = new AbortController().signal, at = () => Promise.resolve() } = options;
  const { temporalAddress, temporalNamespace: namespace, taskQueue } = environment;
  const waiting = { log, signal, limitMs: startLimitMs };
  const closing = new Closing((line) => log.error({}, line));
  const stop = (): Promise<void> => closing.close();

  try {
    installRuntime(log);
    const bundling = options.workflows ? Promise.resolve(options.workflows) : bundleWorkflows(log);
    // Awaited further down; a failure while something else is awaited is not an unhandled one.
    bundling.catch(() => {});

    const store = openStore(environment.mysqlUrl, { connections: CONNECTIONS });
    closing.add('the store', () => store.close());
    await awaitStore(store, waiting);
    for (const entry of config.machines.values()) {
      await enterMachine(store, entry, { replace: options.replaceMachines ?? false });
      const { name, version } = entry.machine;
      const newest = await selectNewestVersion(store, name);
      if (newest > version) log.warn({ machine: name, version, newest }, OUTDATED_MACHINE);
    }

    const native = await awaitService({
      ...waiting,
      what: `Temporal at ${temporalAddress}, namespace ${namespace},`,
      code: 'temporal_unavailable',
      attempt: () => connectForWork(environment, namespace),
      isFinal: (error) => error instanceof InorderError,
    });
    closing.add("the workers' connection to Temporal", () => native.close());

    const connection = connectLazily(environment);
    closing.add('the connection to Temporal', () => connection.close());
    const reachability = new Reachability({ probe: () => probe(connection, namespace), log });
    keepSearchAttributes(reachability, native, namespace, log);
    closing.add('the look for Temporal', () => reachability.stop());

    const now = Date.now;
    const asking = { config, log, now: scheduledAtMs };
    const outages = new SourceOutages();
    const askWithPoints = withAskPoints(createAsk(asking), at);
    const ask = outages.watch(({ stream }) => sourceOf(stream), askWithPoints);
    const find = outages.watch(({ source }) => source, createFind(asking));
    const workerName = `${hostname()}:${process.pid}`;
    const metrics = createMetrics();
    const client = new RequestIdClient({ connection, namespace });
    const deliver = createDeliver({
      client,
      taskQueue,
      policiesOf: createPoliciesOf(withCanary(config, 'none')),
    });
    const dispatch = createDispatch({ deliver, reachability, log, count: metrics.dispatched });
    closing.add('dispatch', () => dispatch.stop());
    const groupCommit = new GroupCommit(store, {});
    closing.add('the group commit', () => groupCommit.stop());
    const workers = await (options.createWorkers ?? createOrderWorkers)({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle: await bundling,
      activities: {
        load: createLoad({ store, settings: config }),
        untaken: createUntaken({ store }),
        apply: withCrashPoints(
          createApply({ store, worker: workerName, tellsAttention: config.notify !== null }),
          at,
        ),
        runEffect: withHeartbeat(createRunEffect({ store, config, log, now, random: Math.random, at })),
        openListing: createOpenListing({ store, config, log, now: () => selectServerTime(store) }),
      },
      askActivities: {
        ask: withHeartbeat(ask),
        find: withHeartbeat(find),
        listPage: withHeartbeat(
          createListPage({ store, config, groupCommit, dispatch, metrics, log, now, at }),
        ),
      },
      asks: [...config.sources.values()].flatMap(({ name, api }) =>
        api === null ? [] : [{ source: name, perSecond: api.perSecond }],
      ),
    });
    const ended = workers.run();
    ended.catch((error: unknown) => log.error({ error }, 'a Temporal worker ended by itself'));
    closing.add('the workers', async () => {
      workers.stop();
      await ended.catch(() => {});
    });

    const scheduleClient = new ScheduleClient({ connection, namespace });
    const schedules = {
      keep: (source: ScheduledSource) => keepSchedule(scheduleClient, taskQueue, source),
      remove: (source: string) => removeSchedule(scheduleClient, taskQueue, source),
    };
    for (const chore of createWorkerChores({
      ...{ store, config, deliver, schedules, reachability, outages, metrics, log },
    })) {
      chore.start();
      closing.add('a chore', () => chore.stop());
    }

    const lags = () => listLags(store, config, now());
    metrics.observe(
      'inorder_list_lag_seconds',
      'How far the reading of the slowest list is behind',
      async () => Math.max(0, ...(await lags()).map(({ lagMs }) => lagMs / 1_000)),
    );
    metrics.observe(
      'inorder_list_forgotten_seconds',
      'Until a provider forgets what was not read',
      async () => {
        const left = (await lags()).flatMap(({ leftMs }) => (leftMs === null ? [] : [leftMs / 1_000]));
        return left.length === 0 ? null : Math.min(...left);
      },
    );
    metrics.observe(
      'inorder_store_restored',
      'Whether no effect begins because the store was restored: 1, else 0',
      async () => ((await isStopped(store)) ? 1 : 0),
    );
    const health = createHealth({ store, untakenLimitMs: untakenLimit(config.redeliverAfterMs) });
    const operations = createOperationsServer({ health, metrics, log });
    const operationsPort = await listenIfFree(operations, environment, log);
    if (operationsPort !== null) closing.add('the private listener', () => operations.stop());

    log.info({ address: temporalAddress }, 'working');
    return { operationsPort, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Apply = ReturnType<typeof createApply>;

/** A worker that dies on either side of the commit must make no difference. */
function withCrashPoints(apply: Apply, at: (point: string) => Promise<void>): Apply {
  return async (input) => {
    await at('apply.decided');
    const result = await apply(input);
    await at('apply.committed');
    return result;
  };
}

/** Likewise one that dies while a provider is asked, or with its answer. */
function withAskPoints<Input, Answer>(
  ask: (input: Input) => Promise<Answer>,
  at: (point: string) => Promise<void>,
): (input: Input) => Promise<Answer> {
  return async (input) => {
    await at('ask.begun');
    const answer = await ask(input);
    await at('ask.answered');
    return answer;
  };
}

/** Receiver and worker on one machine have the same default port; a worker works without it. */
async function listenIfFree(
  operations: ReturnType<typeof createOperationsServer>,
  { operationsHost, operationsPort }: Environment,
  log: Log,
): Promise<number | null> {
  try {
    return await operations.listen(operationsPort, operationsHost);
  } catch (error) {
    log.warn(
      { port: operationsPort, error },
      'no metrics and health from this process: INORDER_OPERATIONS_PORT is taken',
    );
    return null;
  }
}
