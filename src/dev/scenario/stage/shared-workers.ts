/**
 * One Temporal worker for all stories of a process: making one takes half a second of work, more than most stories do.
 *
 * 1. Stories share the thread that runs workflows, and nothing that they decide by: each call goes to the activities of
 *    the story whose workflow made it, and these have its store and its configuration.
 * 2. A story that is over takes no call any more; its workflows are ended before it leaves (stage.ts).
 */
import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';
import { askTaskQueue } from '../../../../workflows/messages.ts';
import type { Log } from '../../../log.ts';
import type { Closing } from '../../../processes/closing.ts';
import { connectForWork } from '../../../temporal/native-connection.ts';
import { createOrderWorkers } from '../../../temporal/order-workers.ts';
import type { OrderWorkers, OrderWorkersOptions } from '../../../temporal/order-workers.ts';
import { installRuntime } from '../../../temporal/runtime.ts';
import { bundleWorkflows } from '../../../temporal/workflow-bundle.ts';

export interface SharedWorkers {
  readonly taskQueue: string;
  /** In place of a story's own workers. */
  join(environment: string): (options: OrderWorkersOptions) => Promise<OrderWorkers>;
}

type Activities = OrderWorkersOptions['activities'] & OrderWorkersOptions['askActivities'];

export interface SharedWorkersOptions {
  temporalAddress: string;
  namespace: string;
  taskQueue: string;
  closing: Closing;
  log: Log;
}

export async function openSharedWorkers(options: SharedWorkersOptions): Promise<SharedWorkers> {
  const { temporalAddress, namespace, taskQueue, closing, log } = options;
  installRuntime(log);
  const connection = await connectForWork({ temporalAddress }, namespace);
  closing.add("the stories' connection to Temporal", () => connection.close());
  const stories = new Map<string, Activities>();
  const { activities, askActivities } = callsOf(stories);
  const workflowBundle = await bundleWorkflows(log);
  const shared = { connection, namespace, taskQueue };
  const orders = await createOrderWorkers({
    ...{ ...shared, workflowBundle, activities, askActivities, asks: [] },
  });
  const ended = orders.run();
  ended.catch((error: unknown) => log.error({ error }, 'the worker that stories share ended by itself'));
  closing.add('the worker that stories share', async () => {
    orders.stop();
    await ended;
  });

  const asking = new Map<string, Promise<void>>();
  const startAsking = (source: string): Promise<void> => {
    const known =
      asking.get(source) ??
      runAsking(connection, shared, source, { activities: askActivities, closing, log });
    asking.set(source, known);
    return known;
  };
  return {
    taskQueue,
    join: (environment) => async (story) => {
      stories.set(environment, { ...story.activities, ...story.askActivities });
      for (const { source } of story.asks) await startAsking(source);
      let leave = (): void => {};
      const left = new Promise<void>((resolve) => (leave = resolve));
      return {
        run: () => left,
        stop: () => {
          stories.delete(environment);
          leave();
        },
      };
    },
  };
}

async function runAsking(
  connection: NativeConnection,
  { namespace, taskQueue }: { namespace: string; taskQueue: string },
  source: string,
  {
    activities,
    closing,
    log,
  }: { activities: OrderWorkersOptions['askActivities']; closing: Closing; log: Log },
): Promise<void> {
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: askTaskQueue(taskQueue, source),
    activities,
    shutdownForceTime: '5s',
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 5 },
  });
  const ended = worker.run();
  ended.catch((error: unknown) => log.error({ error }, 'a worker that asks for stories ended by itself'));
  closing.add('a worker that asks for stories', async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await ended;
  });
}

/** (1) By the workflow that calls: `<machine>/<environment>/<order>`. */
function callsOf(
  stories: ReadonlyMap<string, Activities>,
): Pick<OrderWorkersOptions, 'activities' | 'askActivities'> {
  const own = (): Activities => {
    const environment = activityInfo().workflowExecution?.workflowId.split('/')[1] ?? '';
    const story = stories.get(environment);
    if (story !== undefined) return story;
    throw ApplicationFailure.nonRetryable(`the story of ${environment} is over`);
  };
  return {
    activities: {
      load: (input) => own().load(input),
      untaken: (input) => own().untaken(input),
      apply: (input) => own().apply(input),
      runEffect: (input) => own().runEffect(input),
      openListing: (input) => own().openListing(input),
    },
    askActivities: {
      ask: (input) => own().ask(input),
      find: (input) => own().find(input),
      listPage: (input) => own().listPage(input),
    },
  };
}
