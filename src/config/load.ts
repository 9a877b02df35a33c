/**
 * Loads a configuration file as it is, TypeScript included, without a build step. `inorder` inside it means this
 * very package, wherever the file lies, so a file outside of any project works too. Anything wrong stops the start
 * with everything that is wrong.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createJiti } from 'jiti';
import { InorderError } from '../errors.ts';
import * as inorder from '../index.ts';
import { checkConfig } from './check.ts';
import type { Variables } from './read-variable.ts';
import type { Config } from './resolved.ts';

export async function loadConfig(file: string, variables: Variables = process.env): Promise<Config> {
  const path = resolve(file);
  const checked = checkConfig(await importConfig(path), path, variables);
  if ('config' in checked) return checked.config;
  throw invalid(
    path,
    `has ${checked.problems.length === 1 ? 'a problem' : `${checked.problems.length} problems`}`,
    checked.problems,
  );
}

/** The file's default export, unchecked. */
export async function importConfig(path: string): Promise<unknown> {
  if (!existsSync(path)) {
    throw new InorderError(
      'config_invalid',
      `There is no configuration at ${path}. Name it with --config or INORDER_CONFIG, or run in its folder.`,
    );
  }
  // No cache on disk: nothing is written beside the team's files.
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    virtualModules: { inorder },
  });
  let written: unknown;
  try {
    written = await jiti.import(path, { default: true });
  } catch (error) {
    throw invalid(path, 'could not be loaded', [firstLine(error)], error);
  }
  if (typeof written !== 'object' || written === null || !('sources' in written || 'machines' in written)) {
    throw invalid(path, 'exports no configuration', ['write `export default defineConfig({ … })`']);
  }
  return written;
}

function invalid(path: string, what: string, problems: string[], cause?: unknown): InorderError {
  const list = problems.map((problem) => `\n  - ${problem}`).join('');
  return new InorderError('config_invalid', `The configuration ${path} ${what}:${list}`, { cause });
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? 'unknown error';
