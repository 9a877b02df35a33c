/**
 * Reads a window of a source's list on a person's word: by the workflow that the schedule runs, on the same task
 * queue, so that both keep to one pace. It goes on when whoever watches has gone; asked again, it is watched again.
 */
import {
  ApplicationFailure,
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
} from '@temporalio/client';
import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';
import { PROGRESS_QUERY, RECONCILE_SOURCE_WORKFLOW } from '../../workflows/messages.ts';
import type { ListingWindow, ReconcileProgress, ReconcileSourceInput } from '../../workflows/messages.ts';
import type { Source } from '../config/resolved.ts';
import { InorderError } from '../errors.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import { scheduleIdOf } from '../temporal/reconcile-schedules.ts';

export interface ReconcileSourceDeps {
  client: WorkflowClient;
  taskQueue: string;
  onProgress: (progress: ReconcileProgress) => void;
  /** One was under way; it is watched, whatever window was asked for. */
  onFound: () => void;
  lookEveryMs?: number;
  /** How long a worker may take to show that it is there. */
  patienceMs?: number;
}

/** What of a request cannot be, and what to do instead; null: it can. */
export function whyNotRead(
  source: Source,
  { sinceMs, untilMs }: ListingWindow,
  nowMs: number,
): string | null {
  if (!source.lists) {
    return `The source '${source.name}' lists nothing: its adapter cannot, or it has no API in the configuration. 'inorder orders reconcile' asks about one order.`;
  }
  if (sinceMs >= untilMs) return '--since must be before --until (which is now, if it is not given).';
  const { listsForMs } = source.provider;
  if (listsForMs === undefined || sinceMs >= nowMs - listsForMs) return null;
  return `'${source.provider.name}' lists only the last ${formatDuration(listsForMs)}: give a later --since. What is older is asked for order by order, with 'inorder orders reconcile'.`;
}

export async function reconcileSource(
  deps: ReconcileSourceDeps,
  source: string,
  byHand: ListingWindow & { isDryRun: boolean },
): Promise<ReconcileProgress> {
  const { client, taskQueue, onProgress, onFound, lookEveryMs = 500, patienceMs = 30_000 } = deps;
  const workflowId = `${scheduleIdOf(taskQueue, source)}-by-hand`;
  const input: ReconcileSourceInput = { v: 1, source, byHand };
  let handle: WorkflowHandle;
  try {
    handle = await client.start(RECONCILE_SOURCE_WORKFLOW, {
      ...{ workflowId, taskQueue, args: [input] },
      staticSummary: `what ${source} sent, by its own list, read by hand`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw unheard(error);
    onFound();
    handle = client.getHandle(workflowId);
  }

  let isOver = false;
  const ended = handle.result().finally(() => (isOver = true)) as Promise<ReconcileProgress>;
  ended.catch(() => {});
  const startedAtMs = Date.now();
  let isHeard = false;
  while (!isOver) {
    await Promise.race([ended.catch(() => {}), pause(lookEveryMs)]);
    if (isOver) break;
    const progress = await look(handle);
    if (progress !== null) onProgress(progress);
    isHeard ||= progress !== null;
    if (!isHeard && Date.now() - startedAtMs > patienceMs) {
      throw new InorderError(
        'temporal_unavailable',
        `No worker has taken it up within ${formatDuration(patienceMs)}; is one running? It begins when one does; the same command shows it then.`,
      );
    }
  }
  try {
    return await ended;
  } catch (error) {
    throw failed(error);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** null: nobody answered for it now. */
async function look(handle: WorkflowHandle): Promise<ReconcileProgress | null> {
  try {
    return await handle.client.withDeadline(Date.now() + 2_000, () =>
      handle.query<ReconcileProgress>(PROGRESS_QUERY),
    );
  } catch {
    return null;
  }
}

function failed(error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError)) return unheard(error);
  const { cause } = error;
  const why = cause instanceof ApplicationFailure ? cause.message : (cause?.message ?? error.message);
  return new InorderError(
    'service_failed',
    `It did not come to its end: ${why}. What was found until then is stored; the same command begins again, and what is known costs nothing.`,
    { cause: error },
  );
}

function unheard(error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause)) return error;
  return new InorderError('temporal_unavailable', `Temporal did not take the request: ${cause.details}`, {
    cause: error,
  });
}
