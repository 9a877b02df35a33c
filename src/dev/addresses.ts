/** Where to look while demo or dev is up, and a file with the variables that the commands need for it. */
import { rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Closing } from '../processes/closing.ts';
import type { OwnServices } from './own-services.ts';
import { toEnvFile } from './own-variables.ts';
import type { Processes } from './processes.ts';

export async function addresses(up: {
  directory: string;
  environment: Record<string, string>;
  /** What a person chose, for the commands to know as well. */
  settings?: Record<string, string>;
  services: OwnServices;
  processes: Processes;
  closing: Closing;
}): Promise<string[]> {
  const { directory, environment, services, processes, closing } = up;
  const file = join(directory, 'env');
  // They hold passwords and secrets: in a file of one's own, never on a command line. It goes with what it names.
  closing.add('the file of variables', () => rm(file, { force: true }));
  await writeFile(file, toEnvFile(environment, up.settings), { mode: 0o600 });
  return [
    ...(services.temporalUiUrl ? [`Temporal UI   ${services.temporalUiUrl}`] : []),
    `Operations    ${processes.operationsUrl}/healthz  /metrics`,
    `Webhooks      ${processes.webhooksUrl}/<source>`,
    `Look around   . ${relative('', file)} && npx inorder orders list`,
  ];
}
