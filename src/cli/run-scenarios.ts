/** Stories at a terminal: reads them, plays them side by side, shows each as it ends. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { MachineDefinition } from '../ordering/machine.ts';
import { Closing } from '../processes/closing.ts';
import { aborted, catchInterrupt } from '../dev/interrupt.ts';
import { dropOwnVariables, tellOfDropped, toEnvFile } from '../dev/own-variables.ts';
import { Progress } from '../dev/progress.ts';
import { readStories } from '../dev/scenario/read-stories.ts';
import type { FoundStory } from '../dev/scenario/read-stories.ts';
import { playStory } from '../dev/scenario/run-scenarios.ts';
import type { StoryResult } from '../dev/scenario/run-scenarios.ts';
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
/** Where the files of variables lie by which kept stories are reached. */
const KEPT_DIRECTORY = join('.inorder', 'stories');

/** Whether all of them ended as they say. */
export async function runScenarios(names: string[], options: RunOptions): Promise<boolean> {
  let machines: Promise<MachineDefinition[]> | null = null;
  const found = await readStories(names, {
    machines: () => (machines ??= readMachineDefinitions(options)),
  });
  const unread = found.filter((one) => 'problems' in one);
  for (const one of unread) tellStory(one, null, options);
  const stories = found.filter((one): one is ReadableStory => !('problems' in one));
  const sum = ({ right, wrong }: Ends): void => {
    if (!options.json) print(`\n${count(right, 'story', 'stories')} right, ${wrong + unread.length} wrong.`);
  };
  const none: Ends = { right: 0, wrong: 0 };
  if (stories.length === 0) sum(none);
  const { right } = stories.length === 0 ? none : await playAll(stories, options, sum);
  return right === found.length;
}

interface Ends {
  right: number;
  wrong: number;
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
  const ends: Ends = { right: 0, wrong: 0 };
  const places: string[] = [];
  try {
    const servers = await openStoryServers(closing, (line) => progress.say(line));
    const playOne = async (one: ReadableStory): Promise<void> => {
      if (interrupt.signal.aborted) return;
      const result = await playStory(one.story, { servers, keptBy: options.keep ? closing : null });
      ends[result.diffs.length === 0 ? 'right' : 'wrong']++;
      progress.end();
      tellStory(one, result, options);
      if (result.kept !== null) places.push(await whereToLook(one, result.kept, closing));
      const ended = ends.right + ends.wrong;
      if (ended < stories.length)
        progress.show(() => `${ended} of ${count(stories.length, 'story', 'stories')} played`);
    };
    const hasProcesses = ({ story }: ReadableStory): boolean => touchedProcesses(story.scenario).size > 0;
    const quick = stories.filter((one) => !hasProcesses(one));
    await inParallel(quick, AT_ONCE, playOne);
    await inParallel(stories.filter(hasProcesses), AT_ONCE_WITH_PROCESSES, playOne);
    progress.end();
    onEnd(ends);
    if (options.keep && !interrupt.signal.aborted) await stayUp(servers, places, progress, interrupt.signal);
    return ends;
  } finally {
    progress.end();
    await closing.close();
    interrupt.release();
  }
}

/** Variables hold passwords: in a file of one's own, never on a command line. It goes with what it names. */
async function whereToLook(
  { file: story }: ReadableStory,
  { variables, order }: NonNullable<StoryResult['kept']>,
  closing: Closing,
): Promise<string> {
  await mkdir(KEPT_DIRECTORY, { recursive: true });
  const file = join(KEPT_DIRECTORY, `${basename(story, extname(story))}.env`);
  closing.add('the file of variables', () => rm(file, { force: true }));
  await writeFile(file, toEnvFile(variables), { mode: 0o600 });
  return `. ${file} && npx inorder orders ${order === null ? 'list' : `show ${order}`}`;
}

async function stayUp(
  { temporalUiUrl, temporalAddress }: OpenServers,
  places: string[],
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const temporal =
    temporalUiUrl === null ? `Temporal      ${temporalAddress}` : `Temporal UI   ${temporalUiUrl}`;
  const lines = places.map((place) => `Look around   ${place}`);
  for (const line of ['', temporal, ...lines, 'Everything stays up until Ctrl-C.']) progress.say(line);
  await aborted(signal);
}
