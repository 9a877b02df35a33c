/** Plays many stories side by side over the same servers, and tells of each as it ends. */
import { InorderError } from '../../errors.ts';
import type { Diff } from './judge.ts';
import { orderTimeline } from '../../operations/order-timeline.ts';
import type { Timeline } from '../../operations/order-timeline.ts';
import { runStory } from './run-story.ts';
import { openStage } from './stage.ts';
import type { Stage, Story, StoryServers } from './stage.ts';

export interface StoryResult {
  story: Story;
  diffs: Diff[];
  /** Of each of its orders, where something differs. */
  timelines: { order: string; timeline: Timeline }[];
  durationMs: number;
  /** Where to look, when it was kept. */
  kept: { mysqlUrl: string; environment: string } | null;
}

export interface PlayOptions {
  servers: StoryServers;
  keepsDatabase?: boolean;
  onStep?: (index: number) => void;
}

export async function playStory(
  story: Story,
  { servers, keepsDatabase = false, onStep }: PlayOptions,
): Promise<StoryResult> {
  const startedAtMs = Date.now();
  let stage: Stage | null = null;
  try {
    stage = await openStage(story, servers, { keepsDatabase });
    const diffs = await runStory(stage, onStep);
    const timelines: StoryResult['timelines'] = [];
    if (diffs.length > 0) {
      const orders = await stage.store.query<{ id: string }>(
        'SELECT DISTINCT order_id AS id FROM events WHERE order_id IS NOT NULL ORDER BY order_id',
      );
      for (const { id } of orders) {
        const key = { machine: stage.machine, environment: stage.storyEnvironment, id };
        const timeline = await orderTimeline(stage.store, key);
        if (timeline !== null) timelines.push({ order: id, timeline });
      }
    }
    const kept = keepsDatabase
      ? { mysqlUrl: stage.environment.mysqlUrl, environment: stage.storyEnvironment }
      : null;
    return { story, diffs, timelines, durationMs: Date.now() - startedAtMs, kept };
  } catch (error) {
    const { message } = InorderError.from(error);
    const diffs = [{ path: [], expected: 'the story is played', actual: message }];
    return { story, diffs, timelines: [], durationMs: Date.now() - startedAtMs, kept: null };
  } finally {
    await stage?.close();
  }
}
