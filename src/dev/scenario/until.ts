/** Waits for what a story waits for: that a sign can be seen, or that everything is at rest. */
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { InorderError } from '../../errors.ts';
import { parseDurationMs } from '../../ordering/duration.ts';
import { workflowIdOf } from '../../temporal/workflow-id.ts';
import { observe } from './verdict/observe.ts';
import type { ScenarioUntil } from './format/scenario.ts';
import { missing } from './verdict/signs.ts';
import type { Look } from './verdict/signs.ts';
import type { Stage } from './stage/stage.ts';
import { touchedProcesses } from './stage/story-processes.ts';

const LOOK_EVERY_MS = 60;
/** What takes a second on a quiet machine takes half a minute on one that is busy with other things. */
const LIMIT_MS = 60_000;
/** Processes start anew, and Temporal gives their tasks to others only when a time limit is over. */
const LIMIT_WITH_PROCESSES_MS = 120_000;

const limitOf = ({ story }: Stage): number =>
  touchedProcesses(story.scenario).size > 0 ? LIMIT_WITH_PROCESSES_MS : LIMIT_MS;

/** At rest: what an end that is just being reported may still change shows within this. */
const CALM_MS = 200;

/** null: it came about; else what did not, in time. */
export async function untilMet(
  stage: Stage,
  { until, within }: ScenarioUntil,
  refused: Record<string, number>,
): Promise<{ expected: string; actual: string } | null> {
  const limitMs = (within === undefined ? null : parseDurationMs(within)) ?? limitOf(stage);
  if (until.settled === true) await atRest(stage, refused, limitMs);
  const giveUpAtMs = Date.now() + limitMs;
  for (;;) {
    const look = await observeIfThere(stage, refused);
    const missed =
      look === null
        ? { expected: 'it comes about', actual: STORE_AWAY }
        : (missing(stage.story.scenario.order, until, look) ?? (await missingOfWorkflow(stage, until)));
    if (missed === null) return null;
    if (Date.now() >= giveUpAtMs) return missed;
    await delay(LOOK_EVERY_MS, undefined, { signal: stage.signal });
  }
}

/** The last look: at rest, or when the time was over. */
export async function atRest(
  stage: Stage,
  refused: Record<string, number>,
  limitMs = limitOf(stage),
): Promise<Look> {
  const giveUpAtMs = Date.now() + limitMs;
  let calmSinceMs: number | null = null;
  let last = '';
  for (;;) {
    const look = await observeIfThere(stage, refused);
    if (look === null) {
      if (Date.now() >= giveUpAtMs) throw new InorderError('store_unavailable', STORE_AWAY);
      calmSinceMs = null;
      await delay(LOOK_EVERY_MS, undefined, { signal: stage.signal });
      continue;
    }
    const now = JSON.stringify(look.observation);
    const nowMs = Date.now();
    if (look.unrest !== null) calmSinceMs = null;
    else if (calmSinceMs === null || now !== last) calmSinceMs = nowMs;
    last = now;
    const isCalm = calmSinceMs !== null && nowMs - calmSinceMs >= CALM_MS;
    if (isCalm || nowMs >= giveUpAtMs) return look;
    await delay(LOOK_EVERY_MS, undefined, { signal: stage.signal });
  }
}

const STORE_AWAY = 'the database of the story does not answer';

/** null: a story may take the database away, and looks again. */
async function observeIfThere(stage: Stage, refused: Record<string, number>): Promise<Look | null> {
  try {
    return await observe(stage, refused);
  } catch (error) {
    if (error instanceof InorderError && error.code === 'store_unavailable') return null;
    throw error;
  }
}

type Wish = ScenarioUntil['until'];

async function missingOfWorkflow(
  stage: Stage,
  wish: Wish,
): Promise<{ expected: string; actual: string } | null> {
  const id = wish.order ?? stage.story.scenario.order;
  if (wish.workflow === undefined || id === undefined) return null;
  const { machine, storyEnvironment: environment, client } = stage;
  const handle = client.client.getHandle(workflowIdOf({ machine, environment, id }));
  const described = await handle.describe().catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  });
  if (described === null) return { expected: `its workflow has ${wish.workflow}`, actual: 'it has none yet' };
  const { runId, status, raw } = described;
  if (wish.workflow === 'closed' && status.name === 'RUNNING')
    return { expected: 'its workflow has closed', actual: 'it runs' };
  const first = raw.workflowExecutionInfo?.firstRunId;
  if (wish.workflow === 'continued' && (first === undefined || first === null || first === runId)) {
    return { expected: 'its workflow has gone on as a new run', actual: 'it is the first' };
  }
  return null;
}
