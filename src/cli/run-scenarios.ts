/** Stories at a terminal: reads them, plays them side by side, shows each as it ends. */
import type { MachineDefinition } from '../ordering/machine.ts';
import { Closing } from '../processes/closing.ts';
import { aborted, catchInterrupt } from '../dev/interrupt.ts';
import { Progress } from '../dev/progress.ts';
import { readStories } from '../dev/scenario/read-stories.ts';
import type { FoundStory } from '../dev/scenario/read-stories.ts';
import { playStory } from '../dev/scenario/run-scenarios.ts';
import { touchedProcesses } from '../dev/scenario/story-processes.ts';
import { openStoryServers } from '../dev/scenario/story-servers.ts';
import type { OpenServers } from '../dev/scenario/story-servers.ts';
import { inParallel } from '../dispatch/in-parallel.ts';
import { count } from './count.ts';
import type { ConfigOption, JsonOption } from './options.ts';
import { print } from './print.ts';
import { readMachineDefinitions } from './read-machines.ts';
import { tellStory } from './tell-story.ts';

interface RunOptions extends ConfigOption, JsonOption {
  keep?: boolean;
}

/** So many at once: a story mostly waits, unless it starts processes. */
const AT_ONCE = 8;
const AT_ONCE_WITH_PROCESSES = 2;

/** Whether all of them ended as they say. */
export async function runScenarios(names: string[], options: RunOptions): Promise<boolean> {
  let machines: Promise<MachineDefinition[]> | null = null;
  const found = await readStories(names, {
    machines: () => (machines ??= readMachineDefinitions(options)),
  });
  const progress = new Progress();
  const closing = new Closing((line) => progress.say(line));
  const interrupt = catchInterrupt(() => progress.say('stopping …'));
  try {
    const servers = await openStoryServers(closing, (line) => progress.say(line));
    let failed = 0;
    let ended = 0;
    const show = (): void =>
      progress.show(() => `${ended} of ${count(found.length, 'story', 'stories')} played`);
    const playOne = async (one: FoundStory): Promise<void> => {
      if (interrupt.signal.aborted) return;
      const result =
        'problems' in one
          ? null
          : await playStory(one.story, { servers, keepsDatabase: options.keep ?? false });
      ended++;
      if (result === null || result.diffs.length > 0) failed++;
      progress.end();
      tellStory(one, result, options);
      show();
    };
    const hasProcesses = (one: FoundStory): boolean =>
      !('problems' in one) && touchedProcesses(one.story.scenario).size > 0;
    await inParallel(
      found.filter((one) => !hasProcesses(one)),
      AT_ONCE,
      playOne,
    );
    await inParallel(found.filter(hasProcesses), AT_ONCE_WITH_PROCESSES, playOne);
    progress.end();
    if (!options.json) {
      print('');
      print(`${count(ended - failed, 'story', 'stories')} right, ${failed} wrong.`);
    }
    if (options.keep && !interrupt.signal.aborted) await stayUp(servers, progress, interrupt.signal);
    return failed === 0 && ended === found.length;
  } finally {
    progress.end();
    await closing.close();
    interrupt.release();
  }
}

async function stayUp(
  { temporalUiUrl, temporalAddress }: OpenServers,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  progress.say(`Temporal      ${temporalUiUrl ?? temporalAddress}`);
  progress.say('Everything stays up until Ctrl-C.');
  await aborted(signal);
}
