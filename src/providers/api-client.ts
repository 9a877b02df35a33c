/**
 * The one way a provider's API is read: base URL, bearer, time limit, size limit.
 *
 * 1. The bearer only ever goes to the configured origin, below the configured path: redirects are not followed, and
 *    a path that leads elsewhere is a bug that throws before anything is sent.
 * 2. Errors carry a status or a system code, never a body, a header or the key (R4).
 * 3. Only 404 and 410 mean that the object is gone; every other end means "not known now".
 */
import { parseJsonText } from './json.ts';
import type { ApiClient } from './provider.ts';
import { parseRetryAfterMs } from './retry-after.ts';

export interface ApiSettings {
  base: string;
  key: string | null;
  /** Of the adapter, with each request. */
  headers?: Record<string, string>;
  timeoutMs: number;
  /** Of an answer, after Content-Encoding was undone. */
  maxBytes?: number;
}

/** The API gave no usable answer. An expected outcome of an ask, thrown only through the adapter's code. */
export class ApiUnavailable extends Error {
  readonly retryAfterMs: number | null;
  /** Of the answer; null: there was none, or it could not be used. */
  readonly status: number | null;

  constructor(message: string, retryAfterMs: number | null = null, status: number | null = null) {
    super(message);
    this.name = 'ApiUnavailable';
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}

const DEFAULT_MAX_BYTES = 5 * 1_048_576;

export function createApiClient(settings: ApiSettings, now: () => number = Date.now): ApiClient {
  const base = new URL(settings.base);
  const maxBytes = settings.maxBytes ?? DEFAULT_MAX_BYTES;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': 'inorder',
    ...settings.headers,
  };
  if (settings.key !== null) headers['authorization'] = `Bearer ${settings.key}`;

  return {
    async get(path) {
      const url = urlBelow(base, path);
      try {
        const response = await fetch(url, {
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(settings.timeoutMs),
        });
        if (response.ok) {
          return { status: 'ok', body: parseAnswer(await readText(response, maxBytes)) };
        }
        // Frees the connection; what is in the body is nobody's business.
        await response.body?.cancel();
        if (response.status === 404 || response.status === 410) return { status: 'gone' };
        const retryAfterMs = parseRetryAfterMs(response.headers.get('retry-after'), now());
        throw new ApiUnavailable(`the API answered ${response.status}`, retryAfterMs, response.status);
      } catch (thrown) {
        throw asUnavailable(thrown, settings.timeoutMs);
      }
    },
  };
}

/** URLs take these for steps in their path, however they are encoded. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

export function urlBelow(base: URL, path: string): URL {
  // An id may be just that; everything else about it would have been encoded.
  if (DOT_SEGMENT.test(path)) throw new ApiUnavailable('an API path cannot hold an id of dots');
  if (!path.startsWith('/')) throw new Error('an API path starts with a slash');
  const prefix = base.pathname.replace(/\/$/, '');
  const url = new URL(`${base.origin}${prefix}${path}`);
  // `//other.example`, `/../` and the like; adapters encode the parts they put in.
  if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`) || url.username !== '') {
    throw new Error('an API path must stay below the base URL');
  }
  return url;
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) throw new ApiUnavailable(`the API's answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseAnswer(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    // The parser's message quotes the text.
    throw new ApiUnavailable("the API's answer is not JSON");
  }
}

function asUnavailable(thrown: unknown, timeoutMs: number): Error {
  if (thrown instanceof ApiUnavailable) return thrown;
  if (thrown instanceof Error && thrown.name === 'TimeoutError') {
    return new ApiUnavailable(`no answer from the API within ${timeoutMs} ms`);
  }
  return new ApiUnavailable(`no connection to the API (${codeOf(thrown)})`);
}

/** fetch hides the system's code one or two causes down. */
function codeOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; depth += 1) {
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string') return code;
    error = error instanceof AggregateError && error.cause === undefined ? error.errors[0] : error.cause;
  }
  return 'unknown error';
}
