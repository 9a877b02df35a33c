/**
 * How `inorder simulate` reaches the providers that `inorder dev` plays: what is told there is true for their APIs,
 * too. On loopback; found by a file in dev's directory, which goes when dev ends.
 *
 *   POST /tell/<source>   { "run": "…", "order": "1042", "word": "charge.refunded" }
 *                         → { "events": [{ source, id, type, body }] }, the next step of that run; null when it is over
 */
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { InorderError } from '../../errors.ts';
import { closeAtOnce, listenOnLoopback } from '../listen.ts';
import { readBytes } from '../traffic/read-bytes.ts';
import type { Teller, ToldEvent } from './teller.ts';

/** What dev says of itself. */
export interface DevFile {
  control: string;
  webhooks: string;
  /** Sources whose provider is played. */
  played: string[];
}

const fileIn = (directory: string): string => join(directory, 'simulate.json');

export async function startControl(
  tellers: Map<string, Teller>,
): Promise<{ url: string; close(): Promise<void> }> {
  const runs = new Map<string, Generator<ToldEvent[]>>();
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const name = /^\/tell\/([\w-]+)$/.exec(request.url ?? '')?.[1] ?? '';
    const teller = tellers.get(name);
    if (request.method !== 'POST' || teller === undefined)
      return { status: 404, body: { error: 'not_found' } };
    const { run, order, word } = JSON.parse((await readBytes(request)).toString('utf8')) as Record<
      string,
      unknown
    >;
    if (typeof run !== 'string' || typeof order !== 'string' || typeof word !== 'string')
      return { status: 400, body: { error: 'fields' } };
    const steps = runs.get(run) ?? teller.tell(order, word);
    const next = steps.next();
    if (next.done === true) runs.delete(run);
    else runs.set(run, steps);
    return { status: 200, body: { events: next.done === true ? null : next.value } };
  };
  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => ({ status: 500, body: { error: String(error) } }))
      .then(
        ({ status, body }) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        () => response.destroy(),
      );
  });
  return { url: await listenOnLoopback(server), close: () => closeAtOnce(server) };
}

export async function writeDevFile(directory: string, file: DevFile): Promise<() => Promise<void>> {
  await writeFile(fileIn(directory), JSON.stringify(file), { mode: 0o600 });
  return () => rm(fileIn(directory), { force: true });
}

/** null: no dev is up there, or one that was killed. */
export async function readDevFile(directory: string): Promise<DevFile | null> {
  try {
    const file = JSON.parse(await readFile(fileIn(directory), 'utf8')) as DevFile;
    await fetch(file.control, { signal: AbortSignal.timeout(2_000) });
    return file;
  } catch {
    return null;
  }
}

/** The same as a teller, step by step, in dev's worlds. */
export async function* tellThere(
  control: string,
  source: string,
  order: string,
  word: string,
): AsyncGenerator<ToldEvent[]> {
  const body = JSON.stringify({ run: randomUUID(), order, word });
  for (;;) {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`${control}/tell/${source}`, { method: 'POST', body, signal });
    if (!response.ok)
      throw new InorderError(
        'internal',
        `dev's control answered ${response.status}: ${await response.text()}`,
      );
    const { events } = (await response.json()) as { events: ToldEvent[] | null };
    if (events === null) return;
    yield events;
  }
}
