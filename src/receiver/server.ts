/**
 * The public listener: `/webhooks/<source>`, `/livez`, `/readyz` and nothing else.
 *
 * 1. Everything a stranger can hold is bounded: connections, header bytes and count, the time for headers and for
 *    the whole request, idle time, bytes of bodies in memory.
 * 2. `stop` takes no new connection, answers what was taken, and ends within `stopTimeoutMs` whatever clients do.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import Koa from 'koa';
import type { Context } from 'koa';

import { createAccept } from './accept.ts';
import type { AcceptDeps } from './accept.ts';
import { NOT_FOUND, PROBE_BAD, PROBE_GOOD } from './answer.ts';
import type { Answer } from './answer.ts';
import { ByteBudget } from './byte-budget.ts';
import { createBoundedServer } from './bounded-server.ts';
import type { ConnectionLimits } from './bounded-server.ts';
import { Deadlines } from './deadlines.ts';
import { discardRest } from './read-body.ts';
import { createReceive } from './receive.ts';
import type { ReceiveDeps } from './receive.ts';

export interface ReceiverLimits extends ConnectionLimits {
  bodyTimeoutMs: number;
  maxBodyBytesInMemory: number;
  storeTimeoutMs: number;
  stopTimeoutMs: number;
}

const RECEIVER_LIMITS: ReceiverLimits = {
  maxConnections: 2_000,
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  bodyTimeoutMs: 10_000,
  // Longer than the idle time of common load balancers, so that it is they who close.
  keepAliveTimeoutMs: 65_000,
  maxBodyBytesInMemory: 67_108_864,
  storeTimeoutMs: 8_000,
  stopTimeoutMs: 15_000,
};

export type ReceiverDeps = Omit<ReceiveDeps, 'accept' | 'budget' | 'deadlines' | 'bodyTimeoutMs'> &
  Omit<AcceptDeps, 'deadlines' | 'storeTimeoutMs' | 'metrics' | 'refusals'> & {
    /** Whether deliveries can be stored now. */
    isReady: () => Promise<boolean>;
    limits?: Partial<ReceiverLimits>;
  };

export interface Receiver {
  /** The Koa application, for those who bring their own server. */
  app: Koa;
  /** Resolves with the port that was taken. */
  listen(port: number, host: string): Promise<number>;
  stop(): Promise<void>;
}

const WEBHOOKS = '/webhooks/';
const SENDER_GONE = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED']);

export function createReceiver(deps: ReceiverDeps): Receiver {
  const limits = { ...RECEIVER_LIMITS, ...deps.limits };
  const deadlines = new Deadlines();
  const receive = createReceive({
    ...deps,
    accept: createAccept({ ...deps, deadlines, storeTimeoutMs: limits.storeTimeoutMs }),
    deadlines,
    budget: new ByteBudget(limits.maxBodyBytesInMemory),
    bodyTimeoutMs: limits.bodyTimeoutMs,
  });
  let isStopping = false;

  const answerTo = async ({ req, res }: Context): Promise<Answer> => {
    const target = req.url ?? '/';
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    if (path.startsWith(WEBHOOKS)) return receive(req, res, path.slice(WEBHOOKS.length), target);
    discardRest(req, { maxBytes: limits.maxHeaderBytes, timeoutMs: limits.bodyTimeoutMs });
    if (path === '/livez') return PROBE_GOOD;
    if (path === '/readyz') return !isStopping && (await deps.isReady()) ? PROBE_GOOD : PROBE_BAD;
    return NOT_FOUND;
  };

  const app = new Koa();
  app.use(async (ctx) => {
    const { status, contentType, body, headers, close } = await answerTo(ctx);
    // Written as it is: Koa's own way looks at each header several times.
    ctx.respond = false;
    const { res } = ctx;
    if (!res.writable) return;
    res.writeHead(status, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      ...headers,
      ...(close === true || isStopping ? { Connection: 'close' } : {}),
    });
    res.end(body);
  });
  app.on('error', (error: Error & { code?: string }) => {
    // The sender went away; a line for each would be an attacker's way to fill a disk.
    if (SENDER_GONE.has(error.code ?? '')) return;
    deps.log.error({ error }, 'a request failed');
  });

  const server = createBoundedServer(app.callback(), limits, deps.metrics);
  deps.metrics.observe('inorder_connections_open', 'Open connections to the public listener', () =>
    promisify(server.getConnections.bind(server))(),
  );
  return {
    app,
    listen: (port, host) => listen(server, port, host),
    stop() {
      isStopping = true;
      return close(server, limits.stopTimeoutMs);
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, timeoutMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
