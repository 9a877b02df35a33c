/**
 * Loads a configuration file as it is, TypeScript included, without a build step. `inorder` and `inorder/provider`
 * inside it mean this very package, wherever the file lies, so a file outside of any project works too. Anything
 * wrong stops the start with everything that is wrong.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createJiti } from 'jiti';
import { InorderError } from '../errors.ts';
import * as inorder from '../index.ts';
import * as inorderProvider from '../provider.ts';
import { checkConfig } from './check.ts';
import type { CheckOptions } from './check.ts';
import { importProblem } from './import-problem.ts';
import type { Variables } from './read-variable.ts';
import type { Config } from './resolved.ts';

/** The configuration, or one error that names everything wrong. */
export async function loadConfig(
  file: string,
  variables: Variables = process.env,
  options: CheckOptions = {},
): Promise<Config> {
  const checked = await checkConfigFile(file, variables, options);
  if ('config' in checked) return checked.config;
  throw new InorderError('config_invalid', configMessage(file, checked.problems), { cause: checked.cause });
}

export type CheckedFile = { config: Config } | { problems: string[]; cause?: unknown };

/** The configuration in a file, or everything that is wrong with either. */
export async function checkConfigFile(
  file: string,
  variables: Variables = process.env,
  options: CheckOptions = {},
): Promise<CheckedFile> {
  const path = resolve(file);
  const read = await readFile(path);
  return 'written' in read ? checkConfig(read.written, path, variables, options) : read;
}

/** The file's default export, unchecked. */
export async function importConfig(path: string): Promise<unknown> {
  const read = await readFile(path);
  if ('written' in read) return read.written;
  throw new InorderError('config_invalid', configMessage(path, read.problems), { cause: read.cause });
}

export function configMessage(file: string, problems: string[]): string {
  const what = problems.length === 1 ? 'has a problem' : `has ${problems.length} problems`;
  return `The configuration ${resolve(file)} ${what}:${problems.map((problem) => `\n  - ${problem}`).join('')}`;
}

type ReadFile = { written: unknown } | { problems: string[]; cause?: unknown };

async function readFile(path: string): Promise<ReadFile> {
  if (!existsSync(path)) {
    return {
      problems: ['there is no such file; name it with --config or INORDER_CONFIG, or run in its folder'],
    };
  }
  // No cache on disk: nothing is written beside the team's files.
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    virtualModules: { inorder, 'inorder/provider': inorderProvider },
  });
  let written: unknown;
  try {
    written = await jiti.import(path, { default: true });
  } catch (error) {
    return { problems: [`could not be loaded: ${importProblem(error, path)}`], cause: error };
  }
  if (typeof written !== 'object' || written === null || !('sources' in written || 'machines' in written)) {
    return { problems: ['exports no configuration; write `export default defineConfig({ … })`'] };
  }
  return { written };
}
