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
import { NativeConnection } from '@temporalio/worker';
import { createApply } from '../../activities/apply.ts';
import { createAsk } from '../../activities/ask.ts';
import { createFind } from '../../activities/find.ts';
import { createLoad } from '../../activities/load.ts';
import { createRunEffect } from '../../activities/run-effect.ts';
import { createUntaken } from '../../activities/untaken.ts';
import { createHealth } from '../api/health.ts';
import { createOperationsServer } from '../api/operations-server.ts';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/resolved.ts';
import { createUnlinkedAsker } from '../dispatch/ask-unlinked.ts';
import { createDeliver } from '../dispatch/deliver.ts';
import { createPoliciesOf } from '../dispatch/policies.ts';
import { createSweeper } from '../dispatch/sweeper.ts';
import { InorderError } from '../errors.ts';
import { createLog } from '../log.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { claimUntaken, giveBackUntaken } from '../store/event-claims.ts';
import { insertLinks, joinUnlinked } from '../store/links.ts';
import { enterMachine } from '../store/machines.ts';
import { migrate } from '../store/migrate.ts';
import { claimDue, giveBackDue } from '../store/orders.ts';
import { checkSettings } from '../store/settings.ts';
import { openStore } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import { claimUnlinked, uncountQuestion } from '../store/unlinked-claims.ts';
import { connectLazily, probe } from '../temporal/connection.ts';
import { createOrderWorkers } from '../temporal/order-workers.ts';
import { Reachability } from '../temporal/reachability.ts';
import { RequestIdClient } from '../temporal/request-id-client.ts';
import { installRuntime } from '../temporal/runtime.ts';
import { ensureSearchAttributes } from '../temporal/search-attributes.ts';
import { bundleWorkflows } from '../temporal/workflow-bundle.ts';
import { awaitService } from './await-service.ts';
import { untilStopped } from './until-stopped.ts';

/** Longer than any planned restart of a database or a Temporal server takes. */
const START_LIMIT_MS = 60_000;
const SECOND_MS = 1_000;

export interface WorkerOptions {
  log?: Log;
  /** A machine of the same version and another digest replaces the entered one: for development only. */
  replaceMachines?: boolean;
  /** Only crash tests and the demo pass one that does anything. */
  at?: (point: string) => Promise<void>;
  startLimitMs?: number;
  /** Ends a start that is still waiting. */
  signal?: AbortSignal;
  sweepEveryMs?: number;
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
  const started: (() => unknown)[] = [];
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      for (let end = started.pop(); end !== undefined; end = started.pop()) await end();
    })();
    return stopping;
  };

  try {
    installRuntime(log);
    const bundling = bundleWorkflows(log);
    // Awaited further down; a failure while something else is awaited is not an unhandled one.
    bundling.catch(() => {});

    const store = openStore(environment.mysqlUrl);
    started.push(() => store.close());
    await awaitService({
      ...waiting,
      what: 'The database',
      code: 'store_unavailable',
      attempt: () => prepareStore(store, log),
      isFinal: (error) => !(error instanceof InorderError && error.code === 'store_unavailable'),
    });
    for (const machine of config.machines.values()) {
      await enterMachine(store, machine, { replace: options.replaceMachines ?? false });
    }

    const native = await awaitService({
      ...waiting,
      what: `Temporal at ${temporalAddress}, namespace ${namespace},`,
      code: 'temporal_unavailable',
      attempt: () => connectForWork(temporalAddress, namespace),
    });
    started.push(() => native.close());
    await ensureSearchAttributes(native, namespace);

    const connection = connectLazily(environment);
    started.push(() => connection.close());
    const reachability = new Reachability({ probe: () => probe(connection, namespace), log });
    reachability.onChange(({ reachable }) => {
      // It may have come back empty, and a workflow that sets an unknown attribute would be stuck.
      if (reachable) registerAgain(native, namespace, log);
    });
    started.push(() => reachability.stop());

    const now = Date.now;
    const asking = { config, log, now };
    const workerName = `${hostname()}:${process.pid}`;
    const workers = await createOrderWorkers({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle: await bundling,
      activities: {
        load: createLoad({ store }),
        untaken: createUntaken({ store }),
        apply: withCrashPoints(createApply({ store, worker: workerName }), at),
        runEffect: createRunEffect({ store, config, log, now, random: Math.random, at }),
      },
      askActivities: { ask: createAsk(asking), find: createFind(asking) },
      asks: [...config.sources.values()].flatMap(({ name, api }) =>
        api === null ? [] : [{ source: name, perSecond: api.perSecond }],
      ),
    });
    const ended = workers.run();
    ended.catch((error: unknown) => log.error({ error }, 'a Temporal worker ended by itself'));
    started.push(async () => {
      workers.stop();
      await ended.catch(() => {});
    });

    const metrics = createMetrics();
    const client = new RequestIdClient({ connection, namespace });
    const sweeper = createSweeper({
      untaken: {
        claim: (query) => claimUntaken(store, query),
        giveBack: (events) => giveBackUntaken(store, events),
      },
      due: { claim: (query) => claimDue(store, query), giveBack: (keys) => giveBackDue(store, keys) },
      joinLinks: () => joinUnlinked(store),
      deliver: createDeliver({ client, taskQueue, policiesOf: createPoliciesOf(config) }),
      reachability,
      log,
      redeliverAfterMs: config.redeliverAfterMs,
      everyMs: options.sweepEveryMs ?? SECOND_MS,
      count: metrics.swept,
    });
    sweeper.start();
    started.push(() => sweeper.stop());
    const asker = createUnlinkedAsker({
      sources: config.sources.values(),
      claims: {
        claim: (query) => claimUnlinked(store, query),
        uncount: (object) => uncountQuestion(store, object),
      },
      link: ({ source, object }, order) => insertLinks(store, [{ source, ref: object, order }]),
      log,
    });
    asker.start();
    started.push(() => asker.stop());

    const health = createHealth({ store, untakenLimitMs: config.redeliverAfterMs * 3 + 60_000 });
    const operations = createOperationsServer({ health, metrics, log });
    const operationsPort = await listenIfFree(operations, environment, log);
    if (operationsPort !== null) started.push(() => operations.stop());

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

async function prepareStore(store: Store, log: Log): Promise<void> {
  for (const problem of (await checkSettings(store)).problems) log.warn({ reason: problem }, 'the store');
  await migrate(store);
}

async function connectForWork(address: string, namespace: string): Promise<NativeConnection> {
  const native = await NativeConnection.connect({ address });
  try {
    await probe(native, namespace);
    return native;
  } catch (error) {
    await native.close();
    throw error;
  }
}

function registerAgain(connection: NativeConnection, namespace: string, log: Log): void {
  ensureSearchAttributes(connection, namespace).then(
    ({ added }) => {
      if (added.length > 0)
        log.warn({}, 'Temporal came back without our search attributes: it lost its data');
    },
    (error: unknown) => log.error({ error }, 'search attributes could not be registered again'),
  );
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
