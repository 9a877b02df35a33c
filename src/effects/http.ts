/**
 * One HTTP call of an effect. It never repeats by itself, never follows a redirect and never reads an answer for
 * more than its status and `Retry-After`.
 *
 * 1. The body is sent as the bytes that were stored, `webhook-id` and `Idempotency-Key` are the key; only timestamp
 *    and signature are made anew (R31).
 * 2. Each call has a connection of its own: one kept open from before may be dead, and a reset on it would leave an
 *    unknown end where nothing was sent.
 * 3. The address that was checked is the address that is connected to: the name is resolved once, here, so that a
 *    DNS answer which changes between check and connection finds no way in.
 * 4. "Not done" is claimed only while not one byte of the request can have left: before TCP, and for https TLS,
 *    stood. From then on every end but a telling answer is unknown.
 */
import { lookup as resolve } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

import { signStandardWebhook } from '../providers/standard-webhooks-signature.ts';
import { parseRetryAfterMs } from '../providers/retry-after.ts';
import { endOfAnswer } from './answer.ts';
import type { AttemptEnd } from './answer.ts';
import { isPrivateAddress } from './private-address.ts';
import { shortError } from './short-error.ts';

export interface HttpCall {
  url: string;
  secret: string;
  key: string;
  body: Buffer;
  allowPrivate: boolean;
  timeoutMs: number;
  nowMs: number;
}

const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS';
const MAX_ANSWER_BYTES = 65_536;

export async function callHttp(call: HttpCall): Promise<AttemptEnd> {
  const notSent = (error: string): AttemptEnd => ({ kind: 'failed', error, retryAfterMs: null });
  if (!URL.canParse(call.url)) return notSent('the URL is not valid');
  const url = new URL(call.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return notSent('the URL is neither http nor https');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A literal address is connected to without a lookup.
  if (!call.allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) return notSent(refusedAddress());

  let request: ClientRequest;
  try {
    request = open(url, call);
  } catch (thrown) {
    return notSent(shortError(thrown));
  }
  return await new Promise<AttemptEnd>((settle) => {
    let mayHaveLeft = false;
    const timer = setTimeout(() => request.destroy(new Error('TIMEOUT')), call.timeoutMs);
    const end = (ended: AttemptEnd) => {
      clearTimeout(timer);
      settle(ended);
    };

    request.on('socket', (socket) => {
      const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(connected, () => {
        mayHaveLeft = true;
      });
    });
    request.on('response', (response) => {
      const retryAfterMs = parseRetryAfterMs(response.headers['retry-after'], call.nowMs);
      drain(response, request, timer);
      settle(endOfAnswer(response.statusCode ?? 0, retryAfterMs));
    });
    // Stays: errors after the answer (a connection reset while draining it) change nothing.
    request.on('error', (error) => {
      const what = describe(error, call.timeoutMs);
      end(mayHaveLeft ? { kind: 'unknown', error: what, retryAfterMs: null } : notSent(what));
    });
    request.end(call.body);
  });
}

function open(url: URL, call: HttpCall): ClientRequest {
  const message = { id: call.key, timestampSeconds: Math.floor(call.nowMs / 1_000), body: call.body };
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    lookup: call.allowPrivate ? resolve : publicLookup,
    headers: {
      'content-type': 'application/json',
      'content-length': call.body.length,
      'user-agent': 'inorder',
      'idempotency-key': call.key,
      ...signStandardWebhook(call.secret, message),
    },
  };
  return url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
}

/** Resolves a name to its public addresses only; what it returns is what the socket connects to. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  const all: LookupOptions & { all: true } = { ...options, all: true };
  resolve(hostname, all, (error, addresses) => {
    if (error) return callback(error, '');
    const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
    const first = allowed[0];
    if (first === undefined) {
      return callback(Object.assign(new Error(refusedAddress()), { code: PRIVATE_ADDRESS }), '');
    }
    if (options.all === true) return callback(null, allowed satisfies LookupAddress[]);
    return callback(null, first.address, first.family);
  });
};

/** Lets the receiver finish its answer instead of resetting it, within the attempt's time and a few KB. */
function drain(response: IncomingMessage, request: ClientRequest, timer: NodeJS.Timeout): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) request.destroy();
  });
  response.on('error', () => clearTimeout(timer));
  response.on('close', () => clearTimeout(timer));
}

const refusedAddress = () =>
  'the URL leads to a private address; allow it with allowPrivate, or name a public one';

function describe(error: Error, timeoutMs: number): string {
  if (error.message === 'TIMEOUT') return `no answer within ${timeoutMs} ms`;
  if ('code' in error && error.code === PRIVATE_ADDRESS) return error.message;
  return shortError(error);
}
