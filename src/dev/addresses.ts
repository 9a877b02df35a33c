/** Where to look while demo or dev is up, and a file with the variables that the commands need for it. */
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { OwnServices } from './own-services.ts';
import type { Processes } from './processes.ts';

export async function addresses(up: {
  directory: string;
  environment: Record<string, string>;
  services: OwnServices;
  processes: Processes;
}): Promise<string[]> {
  const { directory, environment, services, processes } = up;
  const file = join(directory, 'env');
  // They hold passwords and secrets: in a file of one's own, never on a command line.
  const text = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  await writeFile(file, text.join(''), { mode: 0o600 });
  return [
    ...(services.temporalUiUrl ? [`Temporal UI   ${services.temporalUiUrl}`] : []),
    `Operations    ${processes.operationsUrl}/healthz  /metrics`,
    `Webhooks      ${processes.webhooksUrl}/<source>`,
    `Look around   . ${relative('', file)} && npx inorder orders list`,
  ];
}

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
