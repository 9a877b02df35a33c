/**
 * The APIs of a story's providers, on loopback, one path each: what they answer is the writers' matter, how they behave
 * is here. Each request that came with its key is counted, also one that a mood left without an answer.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Source } from '../../../config/resolved.ts';
import { parseDurationMs } from '../../../ordering/duration.ts';
import { closeAtOnce, listenOnLoopback } from '../../listen.ts';
import { isOn, oneRequestLater } from './moods.ts';
import type { ApiReply } from '../providers/provider-writer.ts';
import { writerOf } from '../providers/provider-writers.ts';
import type { ApiMood } from '../format/scenario.ts';
import type { Truth } from '../providers/truth.ts';

export interface ApiServer {
  /** Where a source's API is, and its key. */
  addressOf(source: string): { url: string; key: string };
  /** From now on it behaves so. */
  setMood(source: string, mood: ApiMood): void;
  moodOf(source: string): ApiMood;
  asked(source: string): number;
  close(): Promise<void>;
}

interface Reply extends ApiReply {
  headers?: Record<string, string>;
}

const NOT_FOUND: Reply = { status: 404, body: { error: 'not found' } };

export async function startApiServer(
  truth: Truth,
  sourceOf: (name: string) => Source | undefined,
): Promise<ApiServer> {
  const key = randomBytes(24).toString('hex');
  const moods = new Map<string, ApiMood>();
  const counts = new Map<string, number>();

  async function answer(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://story');
    const [, name = '', ...path] = url.pathname.split('/').map(decode);
    const source = sourceOf(name);
    if (source === undefined) return NOT_FOUND;
    if (request.headers.authorization !== `Bearer ${key}`) {
      return { status: 401, body: { error: 'the API key is missing or wrong' } };
    }
    counts.set(name, (counts.get(name) ?? 0) + 1);
    // A mood is that of the moment of asking, also for an answer that takes its time.
    const mood = moods.get(name) ?? {};
    moods.set(name, oneRequestLater(mood));
    if (mood.slow !== undefined) await delay(parseDurationMs(mood.slow) ?? 0);
    if (isOn(mood.down)) return { status: 503, body: { error: 'down' } };
    if (isOn(mood.limited)) {
      const seconds = Math.ceil((parseDurationMs(mood.retryAfter ?? '1s') ?? 0) / 1_000);
      return {
        status: 429,
        body: { error: 'too many requests' },
        headers: { 'retry-after': String(seconds) },
      };
    }
    const wrong = mood.wrong ?? null;
    const known = { source, truth, behind: mood.behind ?? 0, wrong };
    const reply = writerOf(source.provider.name).answer({ path, query: url.searchParams }, known);
    if (wrong === 'a_page') return { status: 200, body: '<!doctype html><title>Maintenance</title>' };
    return wrong === 'half' ? { status: 200, body: JSON.stringify(reply.body).slice(0, -10) } : reply;
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, { status: 500, body: { error: String(error) } }),
    );
  });
  const base = await listenOnLoopback(server);
  return {
    addressOf: (source) => ({ url: `${base}/${source}`, key }),
    setMood: (source, mood) => void moods.set(source, { ...moods.get(source), ...mood }),
    moodOf: (source) => moods.get(source) ?? {},
    asked: (source) => counts.get(source) ?? 0,
    close: () => closeAtOnce(server),
  };
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // Not an id of anything here.
    return encoded;
  }
}
