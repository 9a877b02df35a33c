/**
 * The sandbox providers' HTTP API, on loopback. One server plays all of them, each below its own path:
 *
 *   GET  /<provider>/objects/<object>    the object's last state, its version, each refund
 *   GET  /<provider>/orders/<order>      the objects this provider has of an order, and how the order stands
 *   GET  /<provider>/changes?since=…&until=…&cursor=…   what it announced in that time, in pages
 *   POST /admin/mood                     { "down": true, … }, see mood.ts
 *
 * 1. Every request needs its provider's key; the admin route exists for whoever is on this machine.
 * 2. Each request that asked is counted, also those that a mood left without an answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeAtOnce, listenOnLoopback } from '../listen.ts';
import { GOOD_MOOD, readMoodChange, type Mood } from './mood.ts';
import { createRandom } from './random.ts';
import { providerOf, type ObjectAnswer, type World } from './world.ts';

export interface SandboxServer {
  readonly url: string;
  /** How many requests the API got. */
  readonly asked: number;
  setMood(change: Partial<Mood>): void;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const NOT_FOUND: Reply = { status: 404, body: { error: 'not found' } };
const CHANGES_PER_PAGE = 100;
const MAX_ADMIN_BYTES = 10_000;

/** `apiKeys`: by the providers' names, which are those of PROVIDER_OF_KIND. */
export async function startSandbox(world: World, apiKeys: Record<string, string>): Promise<SandboxServer> {
  let mood: Mood = { ...GOOD_MOOD };
  let asked = 0;
  const second = { startedAtMs: 0, requests: 0 };
  const travel = createRandom('travel');

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    if (path === '/admin/mood') return await changeMood(request);
    if (request.method !== 'GET') return { status: 405, body: { error: 'method_not_allowed' } };
    const [, provider = '', kind = '', id = '', ...more] = path.split('/').map(decode);
    if (!Object.hasOwn(apiKeys, provider)) return NOT_FOUND;
    if (request.headers.authorization !== `Bearer ${apiKeys[provider]}`) {
      return { status: 401, body: { error: 'the API key is missing or wrong' } };
    }
    asked++;
    // A mood is that of the moment of asking, also for an answer that takes its time.
    const now = { ...mood };
    if (typeof mood.down === 'number' && mood.down > 0) mood = { ...mood, down: mood.down - 1 };
    if (now.delayMs > 0) await delay(now.delayMs);
    if (now.down !== false && now.down !== 0) return { status: 503, body: { error: 'down' } };
    if (now.perSecond !== null && isTooMany(now.perSecond)) {
      return { status: 429, body: { error: 'too many requests' }, headers: { 'retry-after': '1' } };
    }
    if (kind === 'changes' && now.wrong === null) return listChanges(provider, searchParams);
    const found = more.length > 0 ? null : find(provider, kind, id, now);
    if (found === null) return NOT_FOUND;
    return { status: 200, body: now.wrong === null ? found : spoil(found, now.wrong) };
  }

  function find(provider: string, kind: string, id: string, now: Mood): object | null {
    if (kind === 'objects')
      return providerOf(id) === provider ? world.answerAbout(id, now.versionsBehind) : null;
    if (kind !== 'orders') return null;
    const objects = world.objectsOf(id)?.filter((object) => providerOf(object) === provider) ?? [];
    return objects.length === 0 ? null : { order: id, objects, ...world.standingOf(id) };
  }

  function listChanges(provider: string, query: URLSearchParams): Reply {
    const bound = (name: string, otherwise: number) => {
      const at = Date.parse(query.get(name) ?? '');
      return Number.isNaN(at) ? otherwise : at;
    };
    const window = { sinceMs: bound('since', 0), untilMs: bound('until', Infinity) };
    const from = Number(query.get('cursor') ?? 0);
    const { bodies, next } = world.changesOf(provider, { ...window, from, limit: CHANGES_PER_PAGE });
    // Put together of the very bytes that were announced: some hold numbers that no double can.
    const cursor = next === null ? 'null' : `"${next}"`;
    return { status: 200, body: `{"changes":[${bodies.join(',')}],"next":${cursor}}` };
  }

  function isTooMany(perSecond: number): boolean {
    const nowMs = Date.now();
    if (nowMs - second.startedAtMs >= 1_000) Object.assign(second, { startedAtMs: nowMs, requests: 0 });
    return ++second.requests > perSecond;
  }

  async function changeMood(request: IncomingMessage): Promise<Reply> {
    if (request.method !== 'POST') return { status: 200, body: { ...mood, asked } };
    const change = readMoodChange(parseOrNull(await readText(request)));
    if (change === null)
      return { status: 400, body: { error: 'no such mood', moods: Object.keys(GOOD_MOOD) } };
    mood = { ...mood, ...change };
    return { status: 200, body: { ...mood, asked } };
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => {
        if (mood.travelMs === 0) send(response, reply);
        else setTimeout(() => send(response, reply), travel.between(0, mood.travelMs));
      },
      (error: unknown) => send(response, { status: 500, body: { error: String(error) } }),
    );
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    get asked() {
      return asked;
    },
    setMood(change) {
      mood = { ...mood, ...change };
    },
    close: () => closeAtOnce(server),
  };
}

function spoil(found: object, how: NonNullable<Mood['wrong']>): unknown {
  if (how === 'a_page') return '<!doctype html><title>Maintenance</title>';
  if (how === 'half') return JSON.stringify(found).slice(0, -10);
  if (how === 'an_unknown_type') return { ...found, type: 'object.became_strange' };
  return { ...(found as ObjectAnswer), object: 'payment:of_somebody_else' };
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ADMIN_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // Not an id of anything here.
    return encoded;
  }
}
