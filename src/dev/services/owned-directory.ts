/**
 * One directory belongs to one running command. The owner is written into it; a directory whose owner is gone
 * (crashed, killed, machine switched off) is taken over without a question, one whose owner lives is refused.
 *
 * 1. Of two commands that start at once on one directory, one gets it and the other is refused.
 * 2. A stale owner never needs a person to delete a file.
 */
import { mkdir, open, readFile, rename, rm, link } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { InorderError } from '../../errors.ts';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';

const OWNER_FILE = 'owner.json';

export interface OwnedDirectory {
  release(): Promise<void>;
}

/** `advice`: what else there is to do than to end who has it, for the message. */
export async function ownDirectory(
  directory: string,
  advice = 'use another directory',
): Promise<OwnedDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const ownerFile = join(directory, OWNER_FILE);
  const claim = join(directory, `${OWNER_FILE}.${process.pid}.${Date.now()}`);
  const refuse = (owner: ProcessIdentity) => refuseIfRunning(directory, owner, advice);
  const file = await open(claim, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(identify(process.pid)));
  } finally {
    await file.close();
  }
  try {
    // (1) link() either creates the name, with its content already whole, or fails.
    while (!(await tryLink(claim, ownerFile))) await removeStaleOwner(ownerFile, refuse);
  } finally {
    await rm(claim, { force: true });
  }
  return { release: () => rm(ownerFile, { force: true }) };
}

/** Whether its owner is gone without having released it. A directory that nobody owns yet is not abandoned. */
export async function isAbandoned(directory: string): Promise<boolean> {
  try {
    const owner = await readOwner(join(directory, OWNER_FILE));
    return owner !== null && !isRunning(owner);
  } catch (error) {
    // Somebody else's, on a machine with several users.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false;
    throw error;
  }
}

async function tryLink(existing: string, name: string): Promise<boolean> {
  try {
    await link(existing, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeStaleOwner(ownerFile: string, refuse: (owner: ProcessIdentity) => void): Promise<void> {
  const found = await readOwner(ownerFile);
  if (found === null) return;
  refuse(found);
  const aside = `${ownerFile}.stale.${process.pid}`;
  try {
    await rename(ownerFile, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // (1) Between the look and the rename another command may have taken over: then its claim goes back.
  const moved = await readOwner(aside);
  if (moved !== null && isRunning(moved)) {
    await tryLink(aside, ownerFile);
    await rm(aside, { force: true });
    refuse(moved);
  }
  await rm(aside, { force: true });
}

function refuseIfRunning(directory: string, owner: ProcessIdentity, advice: string): void {
  if (!isRunning(owner)) return;
  throw new InorderError(
    'service_failed',
    `services: ${relative('', directory) || '.'} is used by process ${owner.pid}, which is still running; stop it, or ${advice}`,
  );
}

/** A file that cannot be understood was never written by a living owner: link() shows only whole files. */
async function readOwner(file: string): Promise<ProcessIdentity | null> {
  try {
    const text = await readFile(file, 'utf8');
    const owner = JSON.parse(text) as Partial<ProcessIdentity> | null;
    return { pid: owner?.pid ?? 0, startedAt: owner?.startedAt ?? '' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof SyntaxError) return { pid: 0, startedAt: '' };
    throw error;
  }
}
