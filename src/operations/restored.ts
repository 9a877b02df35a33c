/**
 * The database was brought back from a backup, and a person names what was lost (R44). Effects that stood still go on;
 * what of them may have been done in the lost time is unknown from now on; every order looks again at what is stored
 * and asks its provider.
 *
 * 1. The window, and what follows from it for effects, is one transaction. Said again it changes nothing.
 * 2. Orders are told afterwards, by signals that wait for a worker. Run again, all are told again: they only ask.
 */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowClient } from '@temporalio/client';
import { DELIVER_SIGNAL, ORDER_WORKFLOW } from '../../workflows/messages.ts';
import type { DeliverSignal } from '../../workflows/messages.ts';
import { inParallel } from '../dispatch/in-parallel.ts';
import type { Deliver } from '../dispatch/deliver.ts';
import { InorderError } from '../errors.ts';
import type { EffectCause, OrderKey } from '../ordering/state.ts';
import { selectOrdersSince } from '../store/orders.ts';
import {
  countOpenEffects,
  countUnseenAttempts,
  doubtOpenEffects,
  makeUncertain,
  selectUnseenEffects,
} from '../store/restored-effects.ts';
import { isWindowNamed, nameWindow, selectLastStored, selectRestores } from '../store/restores.ts';
import type { LostWindow } from '../store/restores.ts';
import type { Queryable, Store } from '../store/store.ts';
import { workflowIdOf } from '../temporal/workflow-id.ts';

export interface RestoreSurvey {
  /** Since when effects stand still, and what showed it; null: nothing has yet. */
  openSince: string | null;
  found: string | null;
  /** The window was named before. */
  isNamed: boolean;
  /** The last decision that is stored from before the window's end; null: there is none. */
  lastStored: string | null;
  /** Effects of the backup that an attempt of the lost time may have done. */
  openEffects: number;
  /** Effects asked for after the restore that may have been done before, and were not begun. */
  doubtful: number;
  /** Effects asked for after the restore that were begun before anybody saw it. */
  begunUnseen: number;
}

/** What naming the window would do. */
export async function surveyRestore(
  db: Queryable,
  window: Pick<LostWindow, 'fromMs' | 'toMs'>,
): Promise<RestoreSurvey> {
  const restores = await selectRestores(db);
  const seenMs = restores.openSinceMs ?? restores.nowMs;
  const isNamed = await isWindowNamed(db, window);
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    openSince: iso(restores.openSinceMs),
    found: restores.found,
    isNamed,
    lastStored: iso(await selectLastStored(db, window.toMs)),
    openEffects: isNamed ? 0 : await countOpenEffects(db, window),
    doubtful: (await doubtfulOf(db, window, seenMs)).length,
    begunUnseen: await countUnseenAttempts(db, window.toMs, seenMs),
  };
}

/** What cannot be, in words; null: it can. */
export function whyNoWindow(
  { fromMs, toMs }: Pick<LostWindow, 'fromMs' | 'toMs'>,
  nowMs: number,
): string | null {
  if (fromMs >= toMs)
    return '--from must be before --to: from when the backup is, until when the old database ran.';
  return toMs > nowMs ? '--to lies in the future.' : null;
}

export async function nameLostWindow(store: Store, window: LostWindow): Promise<RestoreSurvey> {
  return store.transaction(
    async (tx) => {
      const survey = await surveyRestore(tx, window);
      const { openSinceMs, nowMs } = await selectRestores(tx);
      const doubtful = await doubtfulOf(tx, window, openSinceMs ?? nowMs);
      await nameWindow(tx, window);
      if (!survey.isNamed) await doubtOpenEffects(tx, window);
      const error = `asked for after a restore, and its cause may be of before ${new Date(window.toMs).toISOString()}`;
      await makeUncertain(tx, doubtful, error);
      return survey;
    },
    { idempotent: true },
  );
}

const PAGE = 500;

async function doubtfulOf(
  db: Queryable,
  { toMs }: Pick<LostWindow, 'fromMs' | 'toMs'>,
  seenMs: number,
): Promise<string[]> {
  const doubtful: string[] = [];
  for (let after = '0'; ;) {
    const page = await selectUnseenEffects(db, { toMs, seenMs, after, limit: PAGE });
    for (const { id, body } of page) {
      after = id;
      const { cause } = JSON.parse(body.toString('utf8')) as { cause: EffectCause };
      const causedAtMs = cause.claimedAt === null ? null : Date.parse(cause.claimedAt);
      if (causedAtMs === null || causedAtMs <= toMs) doubtful.push(id);
    }
    if (page.length < PAGE) return doubtful;
  }
}

export interface TellDeps {
  db: Queryable;
  client: WorkflowClient;
  taskQueue: string;
  deliver: Deliver;
  onProgress: (told: number) => void;
}

/**
 * Tells every order that runs, and every stored one that changed since this instant: one that was lost whole is known
 * to its workflow alone, and one whose workflow was lost to the store alone.
 */
export async function tellOrders(deps: TellDeps, changedSinceMs: number): Promise<number> {
  const { db, client, taskQueue, deliver, onProgress } = deps;
  const signal: DeliverSignal = { v: 1, events: [], sources: {}, restored: true };
  const running = new Set<string>();
  const query = `WorkflowType = '${ORDER_WORKFLOW}' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`;
  for await (const { workflowId } of client.list({ query })) running.add(workflowId);
  let told = 0;
  await inParallel([...running], IN_FLIGHT, async (workflowId) => {
    try {
      await client.getHandle(workflowId).signal(DELIVER_SIGNAL, signal);
    } catch (error) {
      // It has closed since; if it is stored, it is told below.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      running.delete(workflowId);
      return;
    }
    onProgress((told += 1));
  });
  for (let after: OrderKey | null = null; ;) {
    const page: OrderKey[] = await selectOrdersSince(db, changedSinceMs, after, PAGE);
    const rest = page.filter((key) => !running.has(workflowIdOf(key)));
    await inParallel(rest, IN_FLIGHT, async (key) => {
      const sent = await deliver(key, [], `restored-${changedSinceMs}-${Date.now()}`, { restored: true });
      if (sent.kind !== 'sent')
        throw new InorderError(
          'temporal_unavailable',
          `Temporal did not take a signal: ${sent.error.message}`,
          {
            cause: sent.error,
          },
        );
      onProgress((told += 1));
    });
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return told;
  }
}

const IN_FLIGHT = 16;
