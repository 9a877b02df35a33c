/**
 * A private Temporal development server: loopback only, free ports, in memory or with a file, ended with us.
 * The same two invariants as for MySQL (mysql.ts) hold here.
 */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { InorderError } from '../../errors.ts';
import { SEARCH_ATTRIBUTES } from '../../temporal/search-attributes.ts';
import { findFreePort } from './free-port.ts';
import { ownDirectory } from './owned-directory.ts';
import { lastError } from './last-error.ts';
import { endLeftover, lastLines, ServerProcess } from './server-process.ts';
import { DEFAULT_TOOLS_DIRECTORY, type RunningService } from './service.ts';
import { findTemporal } from './temporal-program.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

const START_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 5;
const NAMESPACE = 'default';
/** Longer than any provider goes on redelivering; the server's own default is one day. */
const RETENTION = '30 days';

export interface TemporalOptions {
  /** Where the server's file and log lie; null: in memory, gone when it ends. */
  dataDir: string | null;
  /** What is in the file is given up. */
  isEmptied?: boolean;
  announce: (line: string) => void;
  /** A fixed port for the web UI, for people; without it a free one is taken. */
  uiPort?: number;
  toolsDirectory?: string;
  /** The server's dynamic configuration, e.g. limits that a test comes near to. */
  limits?: Readonly<Record<string, number>>;
}

export interface TemporalService extends RunningService {
  readonly address: string;
  readonly uiUrl: string;
}

export async function startTemporal(options: TemporalOptions): Promise<TemporalService> {
  const isInMemory = options.dataDir === null;
  const { limits = {} } = options;
  const directory =
    options.dataDir === null ? await makeTemporaryDirectory('temporal') : resolve(options.dataDir);
  const owned = await ownDirectory(directory);
  const giveBack = async () => {
    await owned.release();
    if (isInMemory) await rm(directory, { recursive: true, force: true });
  };
  try {
    const command = await findTemporal(
      resolve(options.toolsDirectory ?? DEFAULT_TOOLS_DIRECTORY),
      options.announce,
    );
    await endLeftover(join(directory, 'pid'), marker(directory));

    // SQLite's own files beside it belong to it.
    for (const end of options.isEmptied ? ['', '-wal', '-shm'] : []) {
      await rm(`${databaseFile(directory)}${end}`, { force: true });
    }
    const start = (ports: Ports) => startOnPorts(command, { directory, isInMemory, ports, limits });
    let { server, ports } = await startOnFreePorts(start, options.uiPort);
    return {
      address: `127.0.0.1:${ports.grpc}`,
      uiUrl: `http://127.0.0.1:${ports.ui}`,
      get pid() {
        return server.pid;
      },
      async stop() {
        await server.stop();
        await giveBack();
      },
      kill: (signal) => server.kill(signal),
      freeze: () => server.freeze(),
      thaw: () => server.thaw(),
      async restart() {
        await server.stop();
        const restarted = await start(ports);
        if (restarted === 'port_taken') {
          throw new InorderError(
            'service_failed',
            `services: port ${ports.grpc} or ${ports.ui} was taken while Temporal was stopped`,
          );
        }
        server = restarted;
      },
    };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

interface Ports {
  grpc: number;
  ui: number;
}
type Start = (ports: Ports) => Promise<ServerProcess | 'port_taken'>;

async function startOnFreePorts(start: Start, uiPort: number | undefined) {
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    const ports = { grpc: await findFreePort(), ui: uiPort ?? (await findFreePort()) };
    const server = await start(ports);
    if (server !== 'port_taken') return { server, ports };
  }
  throw new InorderError(
    'service_failed',
    uiPort === undefined
      ? 'services: the Temporal server found no free port'
      : `services: the Temporal server did not get port ${uiPort} for its web UI`,
  );
}

async function startOnPorts(
  command: string,
  {
    directory,
    isInMemory,
    ports,
    limits,
  }: {
    directory: string;
    isInMemory: boolean;
    ports: Ports;
    limits: Readonly<Record<string, number>>;
  },
): Promise<ServerProcess | 'port_taken'> {
  const logFile = join(directory, 'log');
  const server = await ServerProcess.start({
    command,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--ui-ip', '127.0.0.1'],
      ...['--port', String(ports.grpc), '--ui-port', String(ports.ui), '--ui-disable-news-fetch'],
      ...['--log-level', 'error', '--log-format', 'json', marker(directory)],
      ...['--disable-config-env', '--disable-config-file'],
      ...SEARCH_ATTRIBUTES.flatMap(({ name, type }) => ['--search-attribute', `${name}=${type}`]),
      ...Object.entries(limits).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
      ...(isInMemory ? [] : fileArguments(directory)),
    ],
    pidFile: join(directory, 'pid'),
    logFile,
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (server.isRunning && Date.now() < deadline) {
    if (await isReady(ports.grpc)) return server;
    await delay(50);
  }
  await server.stop();
  const log = await lastLines(logFile);
  if (/address already in use|port already in use/i.test(log)) return 'port_taken';
  throw new InorderError(
    'service_failed',
    `services: ${command} did not start; if its data in ${directory} is of another version, remove it. Its last error: ${await lastError(logFile)}`,
  );
}

const databaseFile = (directory: string): string => join(directory, 'temporal.db');

/** Survives SIGKILL of the server; a power cut may cost the last moments, which MySQL gives back. Four times as fast. */
function fileArguments(directory: string): string[] {
  return [
    ...['--db-filename', databaseFile(directory)],
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
  ];
}

/** An argument that only our server in this directory has: a name for its process, without effect. */
function marker(directory: string): string {
  return `--env-file=${join(directory, 'no-environment.yaml')}`;
}

async function isReady(port: number): Promise<boolean> {
  let connection: Connection | null = null;
  try {
    connection = await Connection.connect({ address: `127.0.0.1:${port}`, connectTimeout: 2_000 });
    await connection.workflowService.updateNamespace({
      namespace: NAMESPACE,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION) },
    });
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
