/** Stories at a terminal: reads them, plays them side by side, shows each as it ends. */
import { rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { MachineDefinition } from '../ordering/machine.ts';
import { Closing } from '../processes/closing.ts';
import { aborted, catchInterrupt } from '../dev/interrupt.ts';
import { dropOwnVariables, tellOfDropped } from '../dev/own-variables.ts';
import { Progress } from '../dev/progress.ts';
import { readStories } from '../dev/scenario/read-stories.ts';
import type { FoundStory } from '../dev/scenario/read-stories.ts';
import { playStory } from '../dev/scenario/run-scenarios.ts';
import type { StoryResult } from '../dev/scenario/run-scenarios.ts';
import { touchedProcesses } from '../dev/scenario/stage/story-processes.ts';
import { openStoryServers } from '../dev/scenario/stage/story-servers.ts';
import type { OpenServers } from '../dev/scenario/stage/story-servers.ts';
import { inParallel } from '../dispatch/in-parallel.ts';
import { count } from './count.ts';
import type { ConfigOption, JsonOption } from './options.ts';
import { print } from './print.ts';
import { readMachineDefinitions } from './read-machines.ts';
import { EXIT } from './report.ts';
import { logIfThere, storyFiles, writeEnvironment } from './story-files.ts';
import type { StoryFiles } from './story-files.ts';
import { tellStory } from './tell-story.ts';

interface RunOptions extends ConfigOption, JsonOption {
  keep?: boolean;
}

/** So many at once: a story mostly waits, unless it starts processes. */
const AT_ONCE = 8;
const AT_ONCE_WITH_PROCESSES = 2;
const SHOWN_EVERY_MS = 200;

/** The exit status: whether all of them ended as they say, or that of an interrupt that came before. */
export async function runScenarios(names: string[], options: RunOptions): Promise<number> {
  let machines: Promise<MachineDefinition[]> | null = null;
  const found = await readStories(names, {
    machines: () => (machines ??= readMachineDefinitions(options)),
  });
  const unread = found.filter((one) => 'problems' in one);
  for (const one of unread) tellStory(one, null, options);
  const stories = found.filter((one): one is ReadableStory => !('problems' in one));
  const sum = ({ right, wrong }: Ends): void => {
    if (options.json) return;
    const cut = stories.length - right - wrong;
    const rest = cut === 0 ? '' : `, ${cut} not played to the end`;
    print(`\n${count(right, 'story', 'stories')} right, ${wrong + unread.length} wrong${rest}.`);
  };
  const none: Ends = { right: 0, wrong: 0, interrupted: null };
  if (stories.length === 0) sum(none);
  const { right, interrupted } = stories.length === 0 ? none : await playAll(stories, options, sum);
  return interrupted ?? (right === found.length ? EXIT.ok : EXIT.failed);
}

interface Ends {
  right: number;
  wrong: number;
  /** The status of a Ctrl-C before they had ended. */
  interrupted: number | null;
}
type ReadableStory = Exclude<FoundStory, { problems: unknown }>;

async function playAll(
  stories: ReadableStory[],
  options: RunOptions,
  onEnd: (ends: Ends) => void,
): Promise<Ends> {
  const progress = new Progress();
  const closing = new Closing((line) => progress.say(line));
  const interrupt = catchInterrupt(() => progress.say('stopping …'));
  for (const line of tellOfDropped(dropOwnVariables(process.env))) progress.say(line);
  const ends: Ends = { right: 0, wrong: 0, interrupted: null };
  const places: string[] = [];
  const { signal } = interrupt;
  const playing = new Map<ReadableStory, number>();
  const showing = setInterval(() => {
    if (playing.size > 0) progress.show(() => progressLine(ends, stories, playing));
  }, SHOWN_EVERY_MS);
  try {
    const files = await storyFiles(stories.map(({ file }) => file));
    const servers = await openStoryServers(closing, (line) => progress.say(line));
    const playOne = async (one: ReadableStory): Promise<void> => {
      if (signal.aborted) return;
      const own = files.get(one.file) as StoryFiles;
      const result = await playStory(one.story, {
        ...{ servers, signal, logFile: resolve(own.log), keptBy: options.keep ? closing : null },
        onStep: (index) => playing.set(one, index),
      }).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      playing.delete(one);
      if (result === null) return;
      const isRight = result.diffs.length === 0;
      ends[isRight ? 'right' : 'wrong']++;
      progress.end();
      tellStory(one, { ...result, log: logIfThere(own) }, options);
      if (result.kept !== null) places.push(...(await whereToLook(own, result.kept, closing)));
      else if (isRight) await rm(own.log, { force: true });
    };
    const hasProcesses = ({ story }: ReadableStory): boolean => touchedProcesses(story.scenario).size > 0;
    const quick = stories.filter((one) => !hasProcesses(one));
    await inParallel(quick, AT_ONCE, playOne);
    await inParallel(stories.filter(hasProcesses), AT_ONCE_WITH_PROCESSES, playOne);
    clearInterval(showing);
    progress.end();
    ends.interrupted = interrupt.status;
    onEnd(ends);
    // From here on Ctrl-C is the end that was asked for.
    if (options.keep && !signal.aborted) await stayUp(servers, places, progress, signal);
    return ends;
  } finally {
    clearInterval(showing);
    progress.end();
    await closing.close();
    interrupt.release();
  }
}

/** What one that waits is waiting for, as its file says it. */
function progressLine(
  { right, wrong }: Ends,
  stories: ReadableStory[],
  playing: Map<ReadableStory, number>,
): string {
  const under = [...playing].map(([{ file, story }, index]) => {
    const step = story.scenario.deliveries[index];
    const what = step !== undefined && 'until' in step ? `, until ${JSON.stringify(step.until)}` : '';
    return `${basename(file)} at step ${index + 1} of ${story.scenario.deliveries.length}${what}`;
  });
  return `${right + wrong} of ${count(stories.length, 'story', 'stories')} played; ${under.join('; ')}`;
}

async function whereToLook(
  { environment, log }: StoryFiles,
  { variables, order }: NonNullable<StoryResult['kept']>,
  closing: Closing,
): Promise<string[]> {
  closing.add('the file of variables', () => rm(environment, { force: true }));
  await writeEnvironment(environment, variables);
  return [
    `Look around   . ${environment} && npx inorder orders ${order === null ? 'list' : `show ${order}`}`,
    `Warnings      ${log}, as soon as there are any`,
  ];
}

async function stayUp(
  { temporalUiUrl, temporalAddress }: OpenServers,
  places: string[],
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const temporal =
    temporalUiUrl === null ? `Temporal      ${temporalAddress}` : `Temporal UI   ${temporalUiUrl}`;
  for (const line of ['', temporal, ...places, 'Everything stays up until Ctrl-C.']) progress.say(line);
  await aborted(signal);
}
