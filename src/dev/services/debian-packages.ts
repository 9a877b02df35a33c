/**
 * Packages of Debian or Ubuntu, unpacked into a directory of ours: nothing is installed, no rights are needed,
 * and deleting the directory undoes it.
 *
 * The system's package list is used if it knows the package and its files can still be fetched; if not (a new
 * container, a list grown old), a list of our own is fetched beside it. The system's own state stays as it is.
 */
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InorderError } from '../../errors.ts';
import { findPrograms } from './find-program.ts';
import { runProgram } from './run-program.ts';

export function hasDebianPackages(): boolean {
  return ['apt-get', 'apt-cache', 'dpkg'].every((name) => findPrograms([name]).length > 0);
}

/** Brings `packageName` and the libraries it misses here to `directory`, whole or not at all. */
export async function unpackDebianPackage(
  packageName: string,
  directory: string,
  announce: (line: string) => void,
): Promise<void> {
  if (await exists(directory)) return;
  await mkdir(dirname(directory), { recursive: true });
  const work = await mkdtemp(`${directory}.`);
  try {
    await fetchPackages(packageName, work, announce);
    const root = join(work, 'root');
    for (const file of (await readdir(work)).filter((name) => name.endsWith('.deb'))) {
      const unpacked = await runProgram('dpkg', ['-x', join(work, file), root]);
      if (!unpacked.isOk) throw failed(packageName, unpacked.output);
    }
    try {
      await rename(root, directory);
    } catch (error) {
      // Another command unpacked the same meanwhile.
      if (!(await exists(directory))) throw error;
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchPackages(packageName: string, work: string, announce: (line: string) => void) {
  const system = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  if (await fetchWith(system, packageName, work, announce)) return;

  announce('fetching the list of packages (into a directory of our own)');
  const state = join(work, 'apt');
  await mkdir(join(state, 'lists', 'partial'), { recursive: true });
  await mkdir(join(state, 'cache', 'archives', 'partial'), { recursive: true });
  const own = [
    ...['-o', `Dir::State::lists=${join(state, 'lists')}`, '-o', `Dir::Cache=${join(state, 'cache')}`],
    ...['-o', 'Debug::NoLocking=1', '-o', 'Acquire::Languages=none', ...system],
  ];
  // One source that cannot be reached fails the update; what counts is whether ours was among the others.
  const updated = await runProgram('apt-get', [...own, '-q', 'update']);
  if (!(await fetchWith(own, packageName, work, announce))) throw failed(packageName, updated.output);
}

async function fetchWith(
  options: string[],
  packageName: string,
  work: string,
  announce: (line: string) => void,
): Promise<boolean> {
  const names = [packageName, ...(await missingLibraries(options, packageName))];
  const known = await runProgram('apt-cache', [...options, 'show', '--no-all-versions', packageName]);
  if (!known.isOk) return false;
  announce(`fetching ${names.join(', ')} from the system's package source (unpacked, not installed)`);
  const fetched = await runProgram('apt-get', [...options, '-q', 'download', ...names], { cwd: work });
  return fetched.isOk;
}

/** What an installation would bring besides, as far as it is libraries: a simulation tells, without rights. */
async function missingLibraries(options: string[], packageName: string): Promise<string[]> {
  const simulation = await runProgram('apt-get', [
    ...options,
    ...['-s', '--no-install-recommends', '-o', 'Debug::NoLocking=1', 'install', packageName],
  ]);
  return [...simulation.stdout.matchAll(/^Inst (lib\S+)/gm)].flatMap((match) => match[1] ?? []);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function failed(packageName: string, output: string): InorderError {
  const reason = output.trim().split('\n').slice(-5).join('\n');
  return new InorderError('service_missing', `services: could not unpack ${packageName}: ${reason}`);
}
