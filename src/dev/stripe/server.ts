/**
 * Stripe's API by HTTP, on loopback, over a world. It behaves as the real one does on good days and, by its mood, on
 * bad ones; every request that asked is counted, also those a mood left without an answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeAtOnce, listenOnLoopback } from '../listen.ts';
import type { StripeReply, StripeRoute } from './answer.ts';
import { answerAsStripe, failure, routeOf } from './answer.ts';
import type { StripeWorld } from './world.ts';

export interface StripeMood {
  /** Every answer waits this long. */
  delayMs: number;
  /** Answers 503: for ever, or for the next so many requests. */
  down: boolean | number;
  /** Answers 429 with Retry-After to the next so many requests. */
  limited: number;
  retryAfterSeconds: number;
  /** Answers as a replica that has not heard of the last so many happenings of a story. */
  behind: number;
  /** Answers 200 with something that is no answer. */
  wrong: 'another_object' | 'another_mode' | 'a_page' | 'half' | null;
}

const GOOD_STRIPE_MOOD: StripeMood = {
  delayMs: 0,
  down: false,
  limited: 0,
  retryAfterSeconds: 1,
  behind: 0,
  wrong: null,
};

export interface StripeServer {
  readonly url: string;
  /** Requests by route, e.g. `GET /v1/payment_intents/:id`. */
  readonly calls: Readonly<Record<StripeRoute, number>>;
  /** The headers of the last request, in lower case. */
  readonly lastHeaders: IncomingMessage['headers'];
  setMood(change: Partial<StripeMood>): void;
  close(): Promise<void>;
}

export async function startStripe(world: StripeWorld, apiKey: string): Promise<StripeServer> {
  let mood: StripeMood = { ...GOOD_STRIPE_MOOD };
  let lastHeaders: IncomingMessage['headers'] = {};
  const calls: Record<StripeRoute, number> = {};

  async function answer(
    request: IncomingMessage,
  ): Promise<StripeReply & { headers?: Record<string, string> }> {
    const path = request.url ?? '/';
    lastHeaders = request.headers;
    if (request.method !== 'GET') return failure(405, 'This stand-in only reads.');
    if (request.headers.authorization !== `Bearer ${apiKey}`)
      return failure(401, 'Invalid API Key provided.');
    const route = routeOf(path);
    calls[route] = (calls[route] ?? 0) + 1;
    // A mood is that of the moment of asking, also for an answer that takes its time.
    const now = { ...mood };
    if (typeof mood.down === 'number' && mood.down > 0) mood = { ...mood, down: mood.down - 1 };
    else if (mood.limited > 0) mood = { ...mood, limited: mood.limited - 1 };
    const reply = answerAsStripe(world, path, now.behind);
    if (now.delayMs > 0) await delay(now.delayMs);
    if (now.down !== false && now.down !== 0) return failure(503, 'An error occurred on our side.');
    if (now.limited > 0) {
      return {
        ...failure(429, 'Too many requests hit the API too quickly.', 'rate_limit'),
        headers: { 'retry-after': String(now.retryAfterSeconds) },
      };
    }
    return reply.status === 200 && now.wrong !== null
      ? { status: 200, body: spoil(reply.body, now.wrong) }
      : reply;
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, failure(500, String(error))),
    );
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    calls,
    get lastHeaders() {
      return lastHeaders;
    },
    setMood(change) {
      mood = { ...mood, ...change };
    },
    close: () => closeAtOnce(server),
  };
}

function spoil(body: unknown, how: NonNullable<StripeMood['wrong']>): unknown {
  const object = body as Record<string, unknown>;
  switch (how) {
    case 'a_page':
      return '<!doctype html><title>Maintenance</title>';
    case 'half':
      return JSON.stringify(object).slice(0, -10);
    case 'another_mode':
      return { ...object, livemode: object['livemode'] !== true };
    case 'another_object':
      return { ...object, id: `${String(object['id'])}_of_somebody_else` };
  }
}

function send(
  response: ServerResponse,
  { status, body, headers }: StripeReply & { headers?: Record<string, string> },
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
