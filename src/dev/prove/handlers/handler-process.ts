/**
 * One handler of the comparison as a process of its own: `handler-process <file>`. What is around the handler is what
 * any framework does: reads the body, checks the signature, answers 200 when the handler has returned and 500 when it
 * has thrown. It keeps nothing in memory.
 *
 * 1. A delivery may carry the name of a crash point; the process kills itself there, with SIGKILL, and leaves a file that
 *    is named as the delivery.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createPool } from 'mysql2/promise';
import { parseJsonBody, isRecord } from '../../../providers/json.ts';
import { ID_HEADER, verifyStandardWebhook } from '../../../providers/standard-webhooks-signature.ts';
import { readBytes } from '../../traffic/read-bytes.ts';
import type { CrashPoint, WebhookEvent } from './handler.ts';
import { CRASH_HEADER, HANDLERS, type HandlerOrder } from './handlers.ts';
import { runEffects } from './run-effects.ts';

const TOLERANCE_MS = 300_000;
const CONNECTIONS = 20;

function serve({ handler, port, mysqlUrl, effectsUrl, api, secrets, crashFolder }: HandlerOrder): void {
  const handle = HANDLERS[handler];
  const db = createPool({ uri: mysqlUrl, connectionLimit: CONNECTIONS });

  async function fetchOrder(order: string): Promise<{ status: string; refunds: string[] }> {
    const answer = await fetch(`${api.url}/orders/${encodeURIComponent(order)}`, {
      headers: { authorization: `Bearer ${api.key}` },
    });
    if (!answer.ok) throw new Error(`the provider answered ${answer.status}`);
    return (await answer.json()) as { status: string; refunds: string[] };
  }

  async function take(request: IncomingMessage): Promise<number> {
    if (request.url === '/livez') return 200;
    const source = (request.url ?? '').split('/').at(-1) ?? '';
    const body = await readBytes(request);
    const headers = request.headersDistinct as Record<string, string[]>;
    const delivery = { source, headers, body, url: '', receivedAtMs: Date.now() };
    const known = (secrets[source] ?? []).map((value, id) => ({ id: String(id), value, untilMs: null }));
    if ('refused' in verifyStandardWebhook(delivery, known, TOLERANCE_MS)) return 401;
    const event = readEvent(body);
    if (event === null) return 400;
    // (1)
    const reached = (point: CrashPoint): void => {
      if (headers[CRASH_HEADER]?.[0] !== point) return;
      writeFileSync(join(crashFolder, headers[ID_HEADER]?.[0] ?? ''), point);
      process.kill(process.pid, 'SIGKILL');
    };
    await handle(event, {
      ...{ db, fetchOrder, reached },
      runEffects: (order, status, refunds) =>
        runEffects({ db, effectsUrl, event: event.id, reached }, order, status, refunds),
    });
    reached('answering');
    return 200;
  }

  createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        response.writeHead(500).end();
      },
    );
  }).listen(port, '127.0.0.1');
}

function readEvent(body: Buffer): WebhookEvent | null {
  const parsed = parseJsonBody(body);
  if ('refused' in parsed) return null;
  const { id, type, order, created, data } = parsed.value;
  const refund = isRecord(data) ? data['refund'] : undefined;
  return {
    id: String(id),
    type: String(type),
    order: String(order),
    created: Math.floor(Date.parse(String(created)) / 1_000),
    refund: typeof refund === 'string' ? refund : null,
  };
}

serve(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as HandlerOrder);
