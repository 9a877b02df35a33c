/** A story from its file to its result, over servers that others use, too. */
import { InorderError } from '../../errors.ts';
import { orderTimeline } from '../../operations/order-timeline.ts';
import type { Timeline } from '../../operations/order-timeline.ts';
import type { Closing } from '../../processes/closing.ts';
import type { Diff } from './verdict/judge.ts';
import { runStory } from './run-story.ts';
import { openStage, ordersOf } from './stage/stage.ts';
import type { Stage, Story } from './stage/stage.ts';
import type { StoryServers } from './stage/story-servers.ts';

export interface StoryResult {
  story: Story;
  diffs: Diff[];
  /** Of each of its orders, where something differs. */
  timelines: { order: string; timeline: Timeline }[];
  durationMs: number;
  /** The variables by which the commands reach it, while it is kept; null: it is gone. */
  kept: { variables: Record<string, string>; order: string | null } | null;
  /** What its receivers and workers warned of, in a file; nothing: they did not, or nobody wanted to know. */
  log?: string | null;
}

export interface PlayOptions {
  servers: StoryServers;
  /** It stays up until this closes. */
  keptBy?: Closing | null;
  onStep?: (index: number) => void;
  /** Cuts it off where it waits: then it has no result, and this is thrown. */
  signal?: AbortSignal;
  /** Where its receivers and workers write what they warn of; made when there is something. */
  logFile?: string;
}

export async function playStory(story: Story, options: PlayOptions): Promise<StoryResult> {
  const { servers, keptBy = null, onStep, signal, logFile } = options;
  const startedAtMs = Date.now();
  const ended = (diffs: Diff[]) => ({ story, diffs, durationMs: Date.now() - startedAtMs });
  let stage: Stage | null = null;
  try {
    stage = await openStage(story, servers, {
      ...(signal && { signal }),
      ...(logFile !== undefined && { logFile }),
    });
    const result = ended(await runStory(stage, onStep));
    const timelines = result.diffs.length === 0 ? [] : await timelinesOf(stage);
    return { ...result, timelines, kept: keptBy === null ? null : await reachable(stage) };
  } catch (error) {
    signal?.throwIfAborted();
    const { message } = InorderError.from(error);
    const diffs = [{ path: [], expected: 'the story is played', actual: message }];
    return { ...ended(diffs), timelines: [], kept: null };
  } finally {
    const close = () => stage?.close();
    if (keptBy === null) await close();
    else keptBy.add('a story', close);
  }
}

async function timelinesOf(stage: Stage): Promise<StoryResult['timelines']> {
  const found: StoryResult['timelines'] = [];
  for (const key of await ordersOf(stage.store)) {
    const timeline = await orderTimeline(stage.store, key);
    if (timeline !== null) found.push({ order: key.id, timeline });
  }
  return found;
}

async function reachable({ environment, store }: Stage): Promise<StoryResult['kept']> {
  const [first] = await ordersOf(store);
  const variables = {
    MYSQL_URL: environment.mysqlUrl,
    TEMPORAL_ADDRESS: environment.temporalAddress,
    TEMPORAL_NAMESPACE: environment.temporalNamespace,
    INORDER_TASK_QUEUE: environment.taskQueue,
  };
  return { variables, order: first?.id ?? null };
}
