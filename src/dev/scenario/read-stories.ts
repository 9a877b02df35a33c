/** The stories that a person names: files, or folders with all below them; each with the machine it is about. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { createJiti } from 'jiti';
import { InorderError } from '../../errors.ts';
import * as inorder from '../../index.ts';
import { compileMachine } from '../../ordering/compile-machine.ts';
import { didYouMean } from '../../ordering/did-you-mean.ts';
import type { MachineDefinition } from '../../ordering/machine.ts';
import { configProblems } from './stage/story-config.ts';
import { checkNames } from './format/check-names.ts';
import { checkSaid } from './format/check-said.ts';
import { pathText, readScenario } from './format/read-scenario.ts';
import type { ReadStory, StoryProblem } from './format/read-scenario.ts';
import type { Story } from './stage/stage.ts';

/** `name` of one that could not be read: its file's, since its own may be what is wrong. */
export type FoundStory = { file: string; name: string } & (
  { story: Story; placeOf: ReadStory['placeOf'] } | { problems: StoryProblem[] }
);

export interface ReadStoriesOptions {
  /** The machines of the configuration in the working directory; asked for when a story names no file. */
  machines: () => Promise<MachineDefinition[]>;
}

export async function readStories(names: string[], options: ReadStoriesOptions): Promise<FoundStory[]> {
  const files = (await Promise.all(names.map(filesAt))).flat();
  const found: FoundStory[] = [];
  for (const file of [...new Set(files)]) found.push(await readStory(file, options));
  return found;
}

async function filesAt(name: string): Promise<string[]> {
  const path = resolve(name);
  const entry = await statOf(path, name);
  if (!entry.isDirectory()) return [path];
  const inside = await readdir(path, { recursive: true });
  const files = inside
    .filter((one) => isStoryFile(one))
    .sort()
    .map((one) => join(path, one));
  if (files.length === 0) throw new InorderError('usage', `No story (*.yaml) is in ${name}.`);
  return files;
}

async function statOf(path: string, name: string) {
  try {
    return await stat(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new InorderError('usage', `There is no file or folder ${name}.`);
  }
}

const isStoryFile = (name: string): boolean =>
  (extname(name) === '.yaml' || extname(name) === '.yml') && !name.includes('node_modules');

async function readStory(file: string, options: ReadStoriesOptions): Promise<FoundStory> {
  const read = await readScenario(file);
  if ('problems' in read) return { ...read, name: basename(file) };
  const { scenario, placeOf } = read;
  const { name } = scenario;
  const at = (path: string[], message: string) => ({ file, name, problems: [{ ...placeOf(path), message }] });
  const machine = await machineOf(scenario.machine, file, options);
  if (typeof machine === 'string') return at(['machine'], machine);
  const compiled = compileMachine(machine);
  if ('problems' in compiled)
    return at(['machine'], `the machine has problems: ${compiled.problems.join('; ')}`);
  const names = [...checkNames(scenario, compiled.machine), ...checkSaid(scenario)];
  // A source of a provider that there is not has no fields to check.
  const wrong = names.length > 0 ? names : configProblems(scenario, file, machine);
  const problems = wrong.map(({ path, message }) => ({
    ...placeOf(path),
    message: `${pathText(path)}${message}`,
  }));
  if (problems.length > 0) return { file, name, problems };
  return { file, name, story: { scenario, file, machine }, placeOf };
}

async function machineOf(
  name: string | undefined,
  file: string,
  { machines }: ReadStoriesOptions,
): Promise<MachineDefinition | string> {
  if (name !== undefined && /\.[cm]?[jt]s$/.test(name))
    return await importMachine(resolve(dirname(file), name));
  const known = await machines();
  const names = known.map((machine) => machine.name);
  if (name === undefined) {
    const [only, ...others] = known;
    if (only !== undefined && others.length === 0) return only;
    return `say with 'machine' which one it is about: ${names.join(', ')}`;
  }
  return (
    known.find((machine) => machine.name === name) ??
    `there is no machine '${name}'.${didYouMean(name, names)}`
  );
}

/** The one machine that a file exports, under whatever name. */
async function importMachine(path: string): Promise<MachineDefinition | string> {
  const jiti = createJiti(import.meta.url, { fsCache: false, virtualModules: { inorder } });
  let exported: Record<string, unknown>;
  try {
    exported = await jiti.import(path);
  } catch (error) {
    return `${path} could not be loaded: ${InorderError.from(error).message}`;
  }
  const found = Object.values(exported).filter(
    (value): value is MachineDefinition => typeof value === 'object' && value !== null && 'statuses' in value,
  );
  const [only, ...others] = [...new Set(found)];
  if (only === undefined) return `${path} exports no machine; write export const … = defineMachine({ … })`;
  return others.length === 0 ? only : `${path} exports several machines; a story is about one`;
}
