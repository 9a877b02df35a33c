/**
 * The world of one story, in this process: a database, a task queue and an environment of its own, its providers' APIs,
 * the receiver of its effects, receivers and workers. Only the servers of MySQL and Temporal are shared.
 */
import { randomBytes } from 'node:crypto';
import { WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import type { Config, Source } from '../../../config/resolved.ts';
import { loadEnvironment } from '../../../config/environment.ts';
import type { Environment } from '../../../config/environment.ts';
import type { OrderKey } from '../../../ordering/state.ts';
import type { MachineDefinition } from '../../../ordering/machine.ts';
import { Closing } from '../../../processes/closing.ts';
import { createDatabase, dropDatabase } from '../../../store/database.ts';
import { migrate } from '../../../store/migrate.ts';
import { listEvents } from '../../../store/event-listing.ts';
import { openStore } from '../../../store/store.ts';
import type { Store } from '../../../store/store.ts';
import { connectLazily } from '../../../temporal/connection.ts';
import { workflowIdOf } from '../../../temporal/workflow-id.ts';
import type { OrderClient } from '../../../temporal/update-order.ts';
import { startApiServer } from './api-server.ts';
import type { ApiServer } from './api-server.ts';
import { startEffectRecorder } from './effect-recorder.ts';
import type { EffectRecorder } from './effect-recorder.ts';
import { startChildren } from './child-processes.ts';
import { writerOf } from '../providers/provider-writers.ts';
import type { Scenario } from '../format/scenario.ts';
import { sourcesWithApi, storyConfig } from './story-config.ts';
import { NOTHING_OWN, openOwnServers } from './own-servers.ts';
import type { StoryServers } from './story-servers.ts';
import { startInProcess, touchedProcesses } from './story-processes.ts';
import type { StoryProcesses } from './story-processes.ts';
import { Truth } from '../providers/truth.ts';

export interface Story {
  scenario: Scenario;
  /** Its file, for messages; what it names lies beside it. */
  file: string;
  machine: MachineDefinition;
}

export interface Stage {
  story: Story;
  environment: Environment;
  /** The name under which its orders run. */
  storyEnvironment: string;
  machine: string;
  config: Config;
  store: Store;
  client: OrderClient;
  truth: Truth;
  api: ApiServer;
  effects: EffectRecorder;
  secretsOf: (source: string) => { current: string; old: string };
  processes: StoryProcesses;
  /** Aborted when nobody wants to know any more how it ends. */
  signal: AbortSignal;
  close(): Promise<void>;
}

export interface StageOptions {
  signal?: AbortSignal;
  /** Of its receivers and workers; null: they are silent. */
  logFile?: string | null;
}

export async function openStage(
  story: Story,
  servers: StoryServers,
  { signal = new AbortController().signal, logFile = null }: StageOptions = {},
): Promise<Stage> {
  const { scenario } = story;
  const mark = randomBytes(5).toString('hex');
  const storyEnvironment = `story-${mark}`;
  const problems: string[] = [];
  const closing = new Closing((line) => problems.push(line));
  try {
    const name = `inorder_story_${mark}` as const;
    const touched = touchedProcesses(scenario);
    const own = touched.size === 0 ? NOTHING_OWN : await openOwnServers(touched, closing);
    const shared = { ...servers, ...own.addresses };
    const workers = touched.size === 0 && sharesWorkers(scenario) ? servers.workers : null;
    const mysqlUrl = await createDatabase(shared.mysqlUrl, name, { replace: false });
    closing.add('its database', () => dropDatabase(mysqlUrl, name));
    const environment = loadEnvironment({
      MYSQL_URL: mysqlUrl,
      TEMPORAL_ADDRESS: shared.temporalAddress,
      TEMPORAL_NAMESPACE: shared.namespace,
      INORDER_TASK_QUEUE: workers?.taskQueue ?? `story-${mark}`,
      INORDER_HOST: '127.0.0.1',
      INORDER_PORT: '0',
      INORDER_OPERATIONS_PORT: '0',
      INORDER_LOG_LEVEL: 'silent',
    });
    const truth = new Truth(scenario);
    const sources = new Map<string, Source>();
    const api = await startApiServer(truth, (source) => sources.get(source));
    closing.add('the APIs', () => api.close());
    for (const [source, mood] of Object.entries(scenario.api ?? {})) api.setMood(source, mood);
    const effects = await startEffectRecorder();
    closing.add('the receiver of effects', () => effects.close());
    for (const [effect, mood] of Object.entries(scenario.effects ?? {})) effects.setMood(effect, mood);

    const secrets = new Map(
      Object.entries(scenario.sources).map(([source, { provider }]) => {
        const writer = writerOf(provider);
        return [source, { current: writer.newSecret(), old: writer.newSecret() }];
      }),
    );
    const secretsOf = (source: string) => secrets.get(source) ?? { current: '', old: '' };
    const asked = sourcesWithApi(scenario);
    const config = storyConfig(scenario, story.file, {
      machine: story.machine,
      environment: storyEnvironment,
      apiOf: (source) => (asked.has(source) ? api.addressOf(source) : null),
      secretOf: (source) => secretsOf(source).current,
      oldSecretOf: (source) => secretsOf(source).old,
      effects: { url: effects.url, secret: effects.secret },
    });
    for (const [source, resolved] of config.sources) sources.set(source, resolved);

    // It only looks, and a busy machine may take its time.
    const patience = { connectTimeoutMs: 20_000, statementTimeoutMs: 30_000, silenceSeconds: 120 };
    const store = openStore(mysqlUrl, { connections: 2, ...patience });
    closing.add('the connection to its database', () => store.close());
    await migrate(store);
    const connection = connectLazily(environment);
    closing.add('the connection to Temporal', () => connection.close());
    const client = new WorkflowClient({ connection, namespace: shared.namespace });

    const processes =
      touched.size === 0
        ? await startInProcess(scenario, {
            ...{ config, environment, closing, logFile },
            ...(workers && { createWorkers: workers.join(storyEnvironment) }),
          })
        : await startChildren(scenario, {
            world: {
              ...{ scenario, file: story.file, machine: story.machine, environment: storyEnvironment },
              apis: Object.fromEntries([...asked].map((source) => [source, api.addressOf(source)])),
              secrets: Object.fromEntries(secrets),
              effects: { url: effects.url, secret: effects.secret },
            },
            ...{ environment, logFile },
            directory: own.directory,
            servers: own.servers,
            closing,
          });
    closing.add('its workflows', () => endWorkflows(store, client));
    return {
      ...{ story, environment, storyEnvironment, machine: story.machine.name, config, store, truth, api },
      ...{ effects, secretsOf, client: { client, taskQueue: environment.taskQueue } },
      processes,
      signal,
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** What is left of it would go on for ever: a shared worker would be called for a story that is over. */
async function endWorkflows(store: Store, client: WorkflowClient): Promise<void> {
  for (const key of await ordersOf(store)) {
    try {
      await client.getHandle(workflowIdOf(key)).terminate('the story is over');
    } catch (error) {
      // It has closed by itself, or never began.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/** All that something is known of. */
export async function ordersOf(store: Store): Promise<OrderKey[]> {
  const events = await listEvents(store, { limit: 10_000 });
  const keys = events.flatMap(({ order }) => (order === null ? [] : [order]));
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

/** Not those that are about workers: how many there are, how often they ask, what they read on a schedule. */
const sharesWorkers = ({ workers, sources }: Scenario): boolean =>
  workers === undefined &&
  Object.values(sources).every(
    (source) => source['apiPerSecond'] === undefined && source['reconcile'] === undefined,
  );
