/** Stories in memory: the same files and the same judge, without servers, in milliseconds. */
import { relative } from 'node:path';
import { InorderError } from '../errors.ts';
import type { MachineDefinition } from '../ordering/machine.ts';
import { needsRealStack } from '../dev/scenario/pure/needs-real-stack.ts';
import { playPure, preparePure } from '../dev/scenario/pure/play-pure.ts';
import { readStories } from '../dev/scenario/read-stories.ts';
import type { FoundStory } from '../dev/scenario/read-stories.ts';
import type { StoryResult } from '../dev/scenario/run-scenarios.ts';
import type { Story } from '../dev/scenario/stage/stage.ts';
import { count } from './count.ts';
import type { ConfigOption, JsonOption } from './options.ts';
import { print, say } from './print.ts';
import { readMachineDefinitions } from './read-machines.ts';
import { tellStory } from './tell-story.ts';

/** Whether all that can be played so ended as they say, and at least one could. */
export async function runPure(names: string[], options: ConfigOption & JsonOption): Promise<boolean> {
  let machines: Promise<MachineDefinition[]> | null = null;
  const found = await readStories(names, {
    machines: () => (machines ??= readMachineDefinitions(options)),
  });
  const counts = { right: 0, wrong: 0, left: 0 };
  for (const one of found) {
    const needs = whatItNeeds(one);
    if (needs !== null) {
      counts.left++;
      say(`${relative('', one.file)}: left out, it needs the real stack (${needs})`);
      continue;
    }
    const result = 'problems' in one ? null : await playOne(one.story);
    counts[result?.diffs.length === 0 ? 'right' : 'wrong']++;
    tellStory(one, result, options);
  }
  if (!options.json) {
    const left = counts.left === 0 ? '' : `, ${counts.left} left out`;
    print('');
    print(`${count(counts.right, 'story', 'stories')} right, ${counts.wrong} wrong${left}; in memory.`);
  }
  return counts.wrong === 0 && counts.right > 0;
}

const whatItNeeds = (found: FoundStory): string | null =>
  'problems' in found ? null : needsRealStack(found.story.scenario);

async function playOne(story: Story): Promise<StoryResult> {
  const startedAtMs = performance.now();
  const ended = { story, timelines: [], kept: null };
  try {
    const diffs = await playPure(preparePure(story));
    return { ...ended, diffs, durationMs: performance.now() - startedAtMs };
  } catch (error) {
    const { message } = InorderError.from(error);
    const diffs = [{ path: [], expected: 'the story is played', actual: message }];
    return { ...ended, diffs, durationMs: performance.now() - startedAtMs };
  }
}
