/** Servers of one story alone, where it ends or stops them; and a place for the logs of its processes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closing } from '../../../processes/closing.ts';
import { startMysql } from '../../services/mysql.ts';
import type { RunningService } from '../../services/service.ts';
import { startTemporal } from '../../services/temporal.ts';
import { makeTemporaryDirectory } from '../../services/temporary-directory.ts';
import type { ProcessName } from '../format/scenario.ts';
import type { StoryServers } from './story-servers.ts';

export interface OwnServers {
  directory: string;
  servers: Partial<Record<'mysql' | 'temporal', RunningService>>;
  /** Of these, in place of the shared ones'. */
  addresses: Partial<StoryServers>;
}

export const NOTHING_OWN: OwnServers = { directory: '', servers: {}, addresses: {} };

export async function openOwnServers(
  touched: ReadonlySet<ProcessName>,
  closing: Closing,
): Promise<OwnServers> {
  const directory = await makeTemporaryDirectory('story');
  closing.add('its directory', () => rm(directory, { recursive: true, force: true }));
  const own: OwnServers = { directory, servers: {}, addresses: {} };
  const announce = (): void => {};
  if (touched.has('mysql')) {
    const mysql = await startMysql({ dataDir: join(directory, 'mysql'), announce });
    closing.add('its MySQL', () => mysql.stop());
    own.servers.mysql = mysql;
    own.addresses.mysqlUrl = mysql.url;
  }
  if (touched.has('temporal')) {
    const temporal = await startTemporal({ dataDir: join(directory, 'temporal'), announce });
    closing.add('its Temporal', () => temporal.stop());
    own.servers.temporal = temporal;
    Object.assign(own.addresses, { temporalAddress: temporal.address, namespace: 'default' });
  }
  return own;
}
