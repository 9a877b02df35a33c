/**
 * Reads the raw bytes of one request. Signatures are checked over exactly these bytes (R1), so nothing may read,
 * decode or rewrite the body before.
 *
 * 1. It always ends: with the bytes, with a refusal, or with an error; never later than `timeoutMs`.
 * 2. No more than `maxBytes` are kept, on the wire and after inflating (R2).
 * 3. A declared length is believed only to refuse early, and never beside a Transfer-Encoding.
 * 4. A body that somebody else has begun to read is an error at once: its bytes are gone.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

import { InorderError } from '../errors.ts';
import type { Refusal } from '../providers/provider.ts';
import { isRefusal } from '../providers/provider.ts';
import type { ByteLease } from './byte-budget.ts';
import type { Deadlines } from './deadlines.ts';

export interface BodyLimits {
  maxBytes: number;
  timeoutMs: number;
}
/** What reading a body draws on. */
export interface BodyMeans {
  deadlines: Deadlines;
  lease: ByteLease;
}

const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflate);
const inflateRawAsync = promisify(inflateRaw);
const brotliAsync = promisify(brotliDecompress);

type Encoding = 'identity' | 'gzip' | 'deflate' | 'br';

export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  means: BodyMeans,
): Promise<Buffer | Refusal> {
  const encoding = encodingOf(request.headers['content-encoding']);
  if (encoding === null) {
    return {
      refused: 'encoding',
      message: 'the body may be plain, gzip, deflate or br, and only one of these',
    };
  }
  if (request.readableDidRead || request.readableEnded) {
    throw new InorderError(
      'internal',
      'receiver: the request body was read before the receiver could; nothing may parse bodies in front of it',
    );
  }
  const wire = await readWire(request, response, limits, means);
  if (isRefusal(wire) || encoding === 'identity') return wire;
  return inflated(wire, encoding, limits.maxBytes, means.lease);
}

function encodingOf(header: string | undefined): Encoding | null {
  switch (header?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return 'identity';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    case 'deflate':
      return 'deflate';
    case 'br':
      return 'br';
    default:
      return null;
  }
}

const tooLarge = (maxBytes: number): Refusal => ({
  refused: 'too_large',
  message: `the body is larger than this source allows (${String(maxBytes)} bytes)`,
});
const overloaded: Refusal = { refused: 'unavailable', message: 'too many bodies are being read; try again' };

/** An abort is reported by `close` too; without a listener the error would end the process. */
const ignoreAbort = (): void => undefined;

function readWire(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, timeoutMs }: BodyLimits,
  { deadlines, lease }: BodyMeans,
): Promise<Buffer | Refusal> {
  const declared =
    request.headers['transfer-encoding'] === undefined
      ? Number(request.headers['content-length'])
      : Number.NaN;
  if (declared > maxBytes) return Promise.resolve(tooLarge(maxBytes));
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: Buffer | Refusal): void => {
      deadlines.clear(deadline);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (isRefusal(result)) request.pause();
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) finish(tooLarge(maxBytes));
      else if (!lease.take(chunk.length)) finish(overloaded);
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      finish(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onClose = (): void => {
      finish({ refused: 'body_truncated', message: 'the connection ended before the body did' });
    };
    const deadline = deadlines.set(timeoutMs, () => {
      finish({ refused: 'too_slow', message: `the body did not arrive within ${String(timeoutMs)} ms` });
    });
    request.on('error', ignoreAbort);
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

async function inflated(
  wire: Buffer,
  encoding: Exclude<Encoding, 'identity'>,
  maxBytes: number,
  lease: ByteLease,
): Promise<Buffer | Refusal> {
  // Reserved before it is known: what a bomb may reach before it is stopped has to fit, too.
  if (!lease.take(maxBytes)) return overloaded;
  const options = { maxOutputLength: maxBytes };
  try {
    let body: Buffer;
    if (encoding === 'gzip') body = await gunzipAsync(wire, options);
    else if (encoding === 'br') body = await brotliAsync(wire, options);
    // RFC 9110 §8.4.1.2: `deflate` means the zlib format, but some senders leave its two header bytes out.
    else if (((wire[0] ?? 0) & 0x0f) === 8) body = await inflateAsync(wire, options);
    else body = await inflateRawAsync(wire, options);
    lease.give(maxBytes - body.length);
    return body;
  } catch (thrown) {
    return inflateRefusal(thrown, encoding, maxBytes);
  }
}

function inflateRefusal(thrown: unknown, encoding: string, maxBytes: number): Refusal {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxBytes);
  if (code === 'Z_BUF_ERROR')
    return { refused: 'body_truncated', message: `the ${encoding} body ends too early` };
  return { refused: 'body_malformed', message: `the body is not valid ${encoding}` };
}

/**
 * Lets a refused sender finish its sentence, so that it reads the answer instead of a broken pipe; but only within
 * bounds, after which the connection is cut.
 */
export function discardRest(request: IncomingMessage, limits: BodyLimits): void {
  if (request.complete || request.destroyed) return;
  let size = 0;
  const cut = (): void => {
    request.destroy();
  };
  const timer = setTimeout(cut, limits.timeoutMs);
  request.on('error', ignoreAbort);
  request.on('close', () => {
    clearTimeout(timer);
  });
  request.on('end', () => {
    clearTimeout(timer);
  });
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.maxBytes) cut();
  });
  request.resume();
}
