/**
 * Builds the command, and starts one MySQL-compatible server and one Temporal server for a whole run, or takes those that MYSQL_URL and
 * TEMPORAL_ADDRESS name. Tests share the servers and nothing in them: see setup.ts.
 */
import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { connectLazily } from '../../src/temporal/connection.ts';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.ts';
import { startMysql } from '../../src/dev/services/mysql.ts';
import { startTemporal } from '../../src/dev/services/temporal.ts';
import { makeTemporaryDirectory } from '../../src/dev/services/temporary-directory.ts';
import { buildCommand } from './build-command.ts';

declare module 'vitest' {
  interface ProvidedContext {
    mysqlServerUrl: string;
    temporalAddress: string;
    /** The folder of a package that was built from these sources. */
    installedPackage: string;
  }
}

interface Service {
  where: string;
  stop(): Promise<void>;
}

export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const [mysql, temporal, installedPackage] = await Promise.all([
    useMysql(process.env['MYSQL_URL']),
    useTemporal(process.env['TEMPORAL_ADDRESS']),
    buildCommand(),
  ]);
  project.provide('mysqlServerUrl', mysql.where);
  project.provide('temporalAddress', temporal.where);
  project.provide('installedPackage', installedPackage);
  return async () => {
    await Promise.all([mysql.stop(), temporal.stop()]);
    await rm(installedPackage, { recursive: true, force: true });
  };
}

async function useMysql(url: string | undefined): Promise<Service> {
  if (url !== undefined && url !== '') return { where: url, stop: () => Promise.resolve() };
  const dataDir = await makeTemporaryDirectory('mysql');
  const server = await startMysql({ dataDir, announce });
  return {
    where: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function useTemporal(address: string | undefined): Promise<Service> {
  if (address !== undefined && address !== '') {
    const connection = connectLazily({ temporalAddress: address });
    await ensureSearchAttributes(connection, 'default');
    await connection.close();
    return { where: address, stop: () => Promise.resolve() };
  }
  const server = await startTemporal({ dataDir: null, announce });
  return { where: server.address, stop: () => server.stop() };
}

function announce(line: string): void {
  process.stderr.write(`${line}\n`);
}
