/** MySQL and Temporal for stories: those that are named, or private ones that end with the command. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createLog } from '../../../log.ts';
import type { Closing } from '../../../processes/closing.ts';
import { connectLazily } from '../../../temporal/connection.ts';
import { ensureSearchAttributes } from '../../../temporal/search-attributes.ts';
import { checkGiven } from '../../check-given.ts';
import { givenServices } from '../../own-services.ts';
import { startMysql } from '../../services/mysql.ts';
import { startTemporal } from '../../services/temporal.ts';
import { makeTemporaryDirectory } from '../../services/temporary-directory.ts';
import { openSharedWorkers } from './shared-workers.ts';
import type { SharedWorkers } from './shared-workers.ts';

/** Servers that stories share. */
export interface StoryServers {
  /** Of a MySQL server; each story makes a database on it. */
  mysqlUrl: string;
  temporalAddress: string;
  namespace: string;
  /** For stories that need none of their own; null: each has. */
  workers: SharedWorkers | null;
}

export interface OpenServers extends StoryServers {
  /** null: somebody else's, whose UI we do not know. */
  temporalUiUrl: string | null;
}

export async function openStoryServers(
  closing: Closing,
  announce: (line: string) => void,
): Promise<OpenServers> {
  const given = givenServices();
  await checkGiven(given);
  const starts = [
    given.mysqlUrl === null ? privateMysql(closing, announce) : Promise.resolve(given.mysqlUrl),
    given.temporalAddress === null
      ? privateTemporal(closing, announce)
      : namedTemporal(given.temporalAddress, given.namespace),
  ] as const;
  // When one fails, the other is still ended by the caller: it must have begun to run.
  await Promise.allSettled(starts);
  const [mysqlUrl, temporal] = await Promise.all(starts);
  const { namespace } = given;
  const workers = await shareWorkers({ ...temporal, namespace, closing });
  return { mysqlUrl, ...temporal, namespace, workers };
}

/** For as many stories as a process plays. */
export function shareWorkers(options: {
  temporalAddress: string;
  namespace: string;
  closing: Closing;
}): Promise<SharedWorkers> {
  const taskQueue = `stories-${randomBytes(5).toString('hex')}`;
  return openSharedWorkers({ ...options, taskQueue, log: createLog('silent', 'stories') });
}

async function privateMysql(closing: Closing, announce: (line: string) => void): Promise<string> {
  const dataDir = await makeTemporaryDirectory('stories');
  const server = await startMysql({ dataDir, announce });
  closing.add('MySQL', async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return server.url;
}

async function privateTemporal(closing: Closing, announce: (line: string) => void) {
  const server = await startTemporal({ dataDir: null, announce });
  closing.add('Temporal', () => server.stop());
  return { temporalAddress: server.address, temporalUiUrl: server.uiUrl };
}

async function namedTemporal(temporalAddress: string, namespace: string) {
  const connection = connectLazily({ temporalAddress });
  await ensureSearchAttributes(connection, namespace);
  await connection.close();
  return { temporalAddress, temporalUiUrl: null };
}
