/** One request to be judged: from two files, or from the store. */
import { readFile } from 'node:fs/promises';
import { VARIABLES } from '../config/environment.ts';
import { InorderError } from '../errors.ts';
import { storedRequest } from '../operations/stored-request.ts';
import type { VerifyRequest } from '../operations/verify-delivery.ts';
import { readHeaders } from '../verify/read-headers.ts';
import { withStore } from './with-store.ts';

interface RequestOptions {
  headers?: string;
  body?: string;
  event?: string;
  at?: number;
}

export async function readRequest(source: string, options: RequestOptions): Promise<VerifyRequest> {
  const { headers, body, event, at } = options;
  // Schemes that sign the URL need the one that the provider was given.
  const url = `${process.env[VARIABLES.publicUrl.name] ?? 'http://localhost'}/webhooks/${source}`;
  if (event !== undefined) {
    if (headers !== undefined || body !== undefined) {
      throw new InorderError('usage', '--event names what is stored; leave --headers and --body out.');
    }
    const stored = await withStore((store) => storedRequest(store, { source, event }));
    if (stored === null)
      throw new InorderError('event_unknown', `The source '${source}' has no event '${event}'.`);
    return { ...stored, url, atMs: at ?? stored.receivedAtMs };
  }
  if (headers === undefined || body === undefined) {
    throw new InorderError(
      'usage',
      'Name two files, --headers and --body, or an event that is stored with --event.',
    );
  }
  return {
    headers: readHeaders((await read('--headers', headers)).toString('utf8')),
    body: await read('--body', body),
    url,
    atMs: at ?? Date.now(),
  };
}

async function read(option: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new InorderError('usage', `${option}: ${file} cannot be read (${code}).`, { cause: error });
  }
}
