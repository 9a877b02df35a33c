/**
 * The private listener: `/metrics`, `/healthz` and `/livez` (this process answers, whatever is behind it). It binds to
 * loopback unless told otherwise, names no id and needs no token.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import Koa from 'koa';

import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Health } from './health.ts';

export interface OperationsServer {
  /** Resolves with the port that was taken. */
  listen(port: number, host: string): Promise<number>;
  stop(): Promise<void>;
}

export function createOperationsServer(deps: {
  health: Pick<Health, 'report'>;
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  log: Log;
}): OperationsServer {
  const { health, metrics, log } = deps;
  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') ctx.status = 405;
    else if (ctx.path === '/livez') ctx.body = { status: 'ok' };
    else if (ctx.path === '/metrics') {
      ctx.set('Content-Type', metrics.contentType);
      ctx.body = await metrics.text();
    } else if (ctx.path === '/healthz') {
      const report = await health.report();
      ctx.status = report.status === 'ok' ? 200 : 503;
      ctx.body = report;
    }
  });
  app.on('error', (error: unknown) => {
    log.error({ error }, 'a request to the private listener failed');
  });
  const handle = app.callback();
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 20_000 }, (request, response) => {
    void handle(request, response);
  });
  server.maxConnections = 200;
  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
