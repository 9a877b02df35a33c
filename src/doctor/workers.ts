/** Whether workers poll: the queue that decides orders and runs effects, and one per source that can be asked. */
import { lastPolls } from '../temporal/describe.ts';
import { askTaskQueue } from '../../workflows/messages.ts';
import { fail, ok } from './check.ts';
import type { Check } from './check.ts';

/** A poll that finds nothing is held open for a minute. */
const ALIVE_MS = 90_000;

export const workers: Check = {
  name: 'workers',
  needs: ['environment', 'configuration', 'temporal'],
  look({ temporal, environment, config, now }) {
    const { temporalNamespace, taskQueue } = environment;
    const queues = [
      { of: 'orders', queue: taskQueue, kind: 'workflow' as const },
      { of: 'effects', queue: taskQueue, kind: 'activity' as const },
      ...[...config.sources.values()].flatMap(({ name, api }) =>
        api === null
          ? []
          : [{ of: `asks of ${name}`, queue: askTaskQueue(taskQueue, name), kind: 'activity' as const }],
      ),
    ];
    return Promise.all(
      queues.map(async ({ of, queue, kind }) => {
        const polls = await lastPolls(temporal, temporalNamespace, queue, kind);
        const alive = polls.filter((at) => at >= now() - ALIVE_MS).length;
        if (alive > 0) return ok(`${alive} polling ${queue}`, of);
        return fail(
          `nobody polls the task queue ${queue}`,
          'start `inorder worker` with this configuration, this INORDER_TASK_QUEUE and this Temporal',
          of,
        );
      }),
    );
  },
};
