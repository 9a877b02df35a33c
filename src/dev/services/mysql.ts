/**
 * A private MySQL-compatible server: loopback only, a free port, durable at each commit, ended with us.
 *
 * 1. Whoever had this directory before is either gone, then its server is ended first, or still runs, then we
 *    do not start. Another server is never touched.
 * 2. `restart` keeps port and data: clients that hold the URL find it again.
 */
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { InorderError } from '../../errors.ts';
import { findFreePort } from './free-port.ts';
import {
  commonArguments,
  MYSQL_USER,
  openMysqlData,
  removeMysqlData,
  temporaryFilesOf,
  type MysqlData,
} from './mysql-data.ts';
import { findMysql, type MysqlProgram } from './mysql-program.ts';
import { ownDirectory } from './owned-directory.ts';
import { lastError } from './last-error.ts';
import { endLeftover, lastLines, ServerProcess } from './server-process.ts';
import { DEFAULT_TOOLS_DIRECTORY, type RunningService } from './service.ts';

const START_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 5;

export interface MysqlOptions {
  dataDir: string;
  /** Its data goes when it is stopped, and only its log stays: for one run. */
  isTemporary?: boolean;
  /** Of the server, behind ours: the last one counts. */
  arguments?: readonly string[];
  announce: (line: string) => void;
  toolsDirectory?: string;
}

export interface MysqlService extends RunningService {
  /** With user and password, without a database. */
  readonly url: string;
}

export async function startMysql(options: MysqlOptions): Promise<MysqlService> {
  const directory = resolve(options.dataDir);
  const owned = await ownDirectory(directory);
  try {
    const program = await findMysql(
      resolve(options.toolsDirectory ?? DEFAULT_TOOLS_DIRECTORY),
      options.announce,
    );
    const pidFile = join(directory, 'pid');
    await endLeftover(pidFile, `--datadir=${join(directory, 'data')}`);
    const data = await openMysqlData(program, directory);

    const start = async (port: number) =>
      startOnPort(program, directory, data, port, options.arguments ?? []);
    let { server, port } = await startOnFreePort(start);
    const url = urlFor(data.password, port);
    let isGivenBack = false;
    return {
      url,
      get pid() {
        return server.pid;
      },
      async stop() {
        await server.stop();
        // Once: a second call may find the directory in other hands.
        if (isGivenBack) return;
        isGivenBack = true;
        if (options.isTemporary) await removeMysqlData(directory);
        await owned.release();
      },
      kill: (signal) => server.kill(signal),
      freeze: () => server.freeze(),
      thaw: () => server.thaw(),
      async restart() {
        await server.stop();
        server = await restartOn(port, start);
      },
    };
  } catch (error) {
    await owned.release();
    throw error;
  }
}

type Start = (port: number) => Promise<ServerProcess | 'port_taken'>;

async function startOnFreePort(start: Start): Promise<{ server: ServerProcess; port: number }> {
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    const port = await findFreePort();
    const server = await start(port);
    if (server !== 'port_taken') return { server, port };
  }
  throw new InorderError('service_failed', 'services: the MySQL server found no free port');
}

async function restartOn(port: number, start: Start): Promise<ServerProcess> {
  const server = await start(port);
  if (server === 'port_taken') {
    throw new InorderError('service_failed', `services: port ${port} was taken while MySQL was stopped`);
  }
  return server;
}

async function startOnPort(
  program: MysqlProgram,
  directory: string,
  data: MysqlData,
  port: number,
  more: readonly string[],
): Promise<ServerProcess | 'port_taken'> {
  const logFile = join(directory, 'log');
  const server = await ServerProcess.start({
    command: program.command,
    args: [
      ...['--no-defaults', ...commonArguments(program, data.directory)],
      ...[...serverArguments(directory, port), ...more],
    ],
    environment: program.environment,
    pidFile: join(directory, 'pid'),
    logFile,
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (server.isRunning && Date.now() < deadline) {
    if (await answers(urlFor(data.password, port))) return server;
    await delay(50);
  }
  await server.stop();
  const log = await lastLines(logFile);
  if (/Bind on TCP\/IP port|Do you already have another/.test(log)) return 'port_taken';
  throw new InorderError(
    'service_failed',
    `services: ${program.command} did not start; if its data in ${directory} is of another version, remove it. Its last error: ${await lastError(logFile)}`,
  );
}

function serverArguments(directory: string, port: number): string[] {
  return [
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    // A socket file has a short maximal length and nobody here uses it.
    '--socket=',
    '--skip-name-resolve',
    `--pid-file=${join(directory, 'server.pid')}`,
    `--secure-file-priv=${temporaryFilesOf(join(directory, 'data'))}`,
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-buffer-pool-size=128M',
    '--character-set-server=utf8mb4',
    '--max-connections=500',
    '--table-open-cache=512',
    '--performance-schema=OFF',
  ];
}

/** Also the proof that it is our server that answers on this port: nobody else takes the password. */
async function answers(url: string): Promise<boolean> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 5_000 });
    try {
      await connection.query('SELECT 1');
    } finally {
      connection.destroy();
    }
    return true;
  } catch {
    return false;
  }
}

function urlFor(password: string, port: number): string {
  return `mysql://${MYSQL_USER}:${password}@127.0.0.1:${port}`;
}
