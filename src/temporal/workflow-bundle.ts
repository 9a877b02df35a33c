/**
 * The workflows as Temporal's sandbox runs them: one bundle of `workflows/workflows.ts` and what it imports. Making
 * it costs seconds, so a package brings it along, and a checkout keeps it under `node_modules/.cache`.
 *
 * 1. A kept bundle is used only if every byte of what it is made of is the same: the sources of the rooms that a
 *    workflow may import, and the SDK's version.
 * 2. Keeping is for speed alone: where it cannot be read or written, the bundle is made.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { Log } from '../log.ts';
import { asTemporalLogger } from './runtime.ts';

export interface WorkflowCode {
  code: string;
}

const EXTENSION = extname(fileURLToPath(import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** All that a workflow imports beside the SDK; the import directions are checked by `npm run check`. */
const ROOMS = ['workflows', 'src/ordering'];
const CACHE = join(ROOT, 'node_modules', '.cache', 'inorder');
/** In a package, below what was built. */
export const BUILT_BUNDLE = 'workflows/bundle.js';

let made: Promise<WorkflowCode> | null = null;

export function bundleWorkflows(log: Log): Promise<WorkflowCode> {
  made ??= EXTENSION === '.ts' ? keptOrMade(log) : built();
  return made;
}

async function built(): Promise<WorkflowCode> {
  return { code: await readFile(join(ROOT, BUILT_BUNDLE), 'utf8') };
}

async function make(log: Log): Promise<WorkflowCode> {
  const workflowsPath = join(ROOT, 'workflows', 'workflows.ts');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: asTemporalLogger(log) });
  return { code };
}

async function keptOrMade(log: Log): Promise<WorkflowCode> {
  const file = `workflows-${await digestOfSources()}.js`;
  try {
    return { code: await readFile(join(CACHE, file), 'utf8') };
  } catch {
    const bundle = await make(log);
    await keep(file, bundle.code).catch((error: unknown) => {
      log.debug({ error }, 'the bundle of the workflows could not be kept');
    });
    return bundle;
  }
}

/** Renamed into place, so that a reader sees all of it or nothing; older ones go. */
async function keep(file: string, code: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = join(CACHE, `${randomUUID()}.tmp`);
  await writeFile(unfinished, code);
  await rename(unfinished, join(CACHE, file));
  const older = (await readdir(CACHE)).filter((name) => name.startsWith('workflows-') && name !== file);
  await Promise.all(older.map((name) => rm(join(CACHE, name), { force: true })));
}

async function digestOfSources(): Promise<string> {
  const sdk = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string };
  const hash = createHash('sha256').update(`${sdk.version}\n`);
  for (const room of ROOMS) {
    const names = await readdir(join(ROOT, room), { recursive: true });
    for (const name of names.filter((one) => one.endsWith('.ts')).sort()) {
      const content = await readFile(join(ROOT, room, name));
      hash.update(`${room}/${name} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex').slice(0, 32);
}
