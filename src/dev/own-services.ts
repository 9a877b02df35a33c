/**
 * MySQL and Temporal for a command that brings its own: what the environment names is used as it is, the rest is
 * started here, private and on loopback, and ends with the command.
 */
import { join } from 'node:path';
import { loadEnvironmentWithoutStore } from '../config/environment.ts';
import { InorderError } from '../errors.ts';
import { createDatabase, dropDatabase, type DatabaseName } from '../store/database.ts';
import type { Closing } from '../processes/closing.ts';
import { checkGiven, type GivenServers } from './check-given.ts';
import { startMysql } from './services/mysql.ts';
import { startTemporal } from './services/temporal.ts';

export interface OwnServices {
  mysqlUrl: string;
  temporalAddress: string;
  /** null: somebody else's server, whose UI we do not know. */
  temporalUiUrl: string | null;
  /** Both were empty when we came. */
  isFresh: boolean;
}

export interface OwnServicesOptions {
  directory: string;
  /**
   * `fresh`: an empty database and an empty Temporal, for one run. `kept`: what was there last time. `emptied`:
   * kept from now on; only for servers of ours.
   */
  lifetime: 'fresh' | 'kept' | 'emptied';
  given: GivenServers;
  closing: Closing;
  announce: (line: string) => void;
}

/** Only what was really named counts: the default address of Temporal is somebody else's server. */
export function givenServices(): GivenServers {
  const { mysqlUrl, temporalAddress, temporalNamespace } = loadEnvironmentWithoutStore(process.env);
  const isNamed = (process.env['TEMPORAL_ADDRESS'] ?? '') !== '';
  return { mysqlUrl, temporalAddress: isNamed ? temporalAddress : null, namespace: temporalNamespace };
}

export async function startOwnServices(options: OwnServicesOptions): Promise<OwnServices> {
  const { given, lifetime } = options;
  if (lifetime === 'emptied' && (given.mysqlUrl ?? given.temporalAddress) !== null) {
    throw new InorderError(
      'usage',
      'only private servers are emptied, never those of MYSQL_URL and TEMPORAL_ADDRESS; unset both to use private ones.',
    );
  }
  await checkGiven(given);
  // Side by side: each takes seconds on a slow machine.
  const starts = [databaseFor(options), temporalFor(options)] as const;
  // When one fails, the other is still ended by the caller: it must have begun to run.
  await Promise.allSettled(starts);
  const [mysqlUrl, temporal] = await Promise.all(starts);
  const isFresh = lifetime === 'fresh' && given.temporalAddress === null;
  return { mysqlUrl, temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl, isFresh };
}

async function databaseFor(options: OwnServicesOptions): Promise<string> {
  const { given, lifetime, directory, closing, announce } = options;
  if (given.mysqlUrl !== null) {
    if (lifetime !== 'fresh') return given.mysqlUrl;
    // Beside the database that is named, never in it: a storm is nothing to mix with real orders.
    const name: DatabaseName = `inorder_demo_${Date.now().toString(36)}`;
    announce(`using the MySQL server of MYSQL_URL, in a database ${name} that is dropped at the end`);
    const url = await createDatabase(given.mysqlUrl, name, { replace: false });
    closing.add('the demo database', () => dropDatabase(url, name));
    return url;
  }
  const mysql = await startMysql({
    dataDir: join(directory, 'mysql'),
    isTemporary: lifetime === 'fresh',
    announce,
  });
  closing.add('MySQL', () => mysql.stop());
  const isFresh = lifetime === 'fresh';
  const name = isFresh ? 'inorder_demo' : 'inorder_dev';
  return await createDatabase(mysql.url, name, { replace: lifetime !== 'kept' });
}

async function temporalFor(options: OwnServicesOptions): Promise<{ address: string; uiUrl: string | null }> {
  const { given, lifetime, directory, closing, announce } = options;
  if (given.temporalAddress !== null) {
    announce(`using the Temporal server at ${given.temporalAddress}`);
    return { address: given.temporalAddress, uiUrl: null };
  }
  const dataDir = lifetime === 'fresh' ? null : join(directory, 'temporal');
  const temporal = await startTemporal({ dataDir, isEmptied: lifetime === 'emptied', announce });
  closing.add('Temporal', () => temporal.stop());
  return temporal;
}
