/**
 * The files of stories under `.inorder/stories`: of each what its receivers and workers warned of, where it ended wrong or
 * is kept; and of a kept one the variables by which it is reached.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { toEnvFile } from '../dev/own-variables.ts';

const DIRECTORY = join('.inorder', 'stories');

export interface StoryFiles {
  /** Is there as soon as something is written into it. */
  log: string;
  /** Goes with what it names: it holds passwords, which belong on no command line. */
  environment: string;
}

/** Named as the stories' own files, each by itself. */
export async function storyFiles(stories: readonly string[]): Promise<Map<string, StoryFiles>> {
  const taken = new Map<string, number>();
  const files = new Map<string, StoryFiles>();
  for (const story of stories) {
    const name = basename(story, extname(story));
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    const path = join(DIRECTORY, number === 1 ? name : `${name}-${number}`);
    const own = { log: `${path}.log`, environment: `${path}.env` };
    // What it warned of the last time is not what it warns of now.
    await rm(own.log, { force: true });
    files.set(story, own);
  }
  await mkdir(DIRECTORY, { recursive: true });
  return files;
}

export async function writeEnvironment(file: string, variables: Record<string, string>): Promise<void> {
  await writeFile(file, toEnvFile(variables), { mode: 0o600 });
}

/** null: nothing was warned of. */
export const logIfThere = ({ log }: StoryFiles): string | null => (existsSync(log) ? log : null);
