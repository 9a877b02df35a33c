/**
 * A webhook handler as it is written in an afternoon: it checks the signature, knows a repeated event id, and lets
 * the last arrival win. It gets the same deliveries as inorder, over HTTP, and shows what order alone does.
 */
import { createServer } from 'node:http';
import { verifyStandardWebhook } from '../../providers/standard-webhooks-signature.ts';
import type { Secret } from '../../providers/provider.ts';
import { parseJsonBody } from '../../providers/json.ts';
import { closeAtOnce, listenOnLoopback } from '../listen.ts';
import { STATUS_OF } from '../sandbox/story.ts';
import { readBytes } from './read-bytes.ts';

export interface NaiveHandler {
  readonly url: string;
  statusOf(order: string): string;
  close(): Promise<void>;
}

const TOLERANCE_MS = 300_000;

export async function startNaiveHandler(secretsOf: Record<string, Secret[]>): Promise<NaiveHandler> {
  const statuses = new Map<string, string>();
  const seen = new Set<string>();

  function take(source: string, headers: Record<string, string[] | undefined>, body: Buffer): number {
    const delivery = {
      source,
      headers: headers as Record<string, string[]>,
      body,
      url: '',
      receivedAtMs: Date.now(),
    };
    if ('refused' in verifyStandardWebhook(delivery, secretsOf[source] ?? [], TOLERANCE_MS)) return 401;
    const parsed = parseJsonBody(body);
    if ('refused' in parsed) return 400;
    const { id, type, order } = parsed.value;
    if (seen.has(String(id))) return 200;
    seen.add(String(id));
    const status = STATUS_OF[String(type)];
    if (status !== undefined) statuses.set(String(order), status);
    return 200;
  }

  const server = createServer((request, response) => {
    readBytes(request).then(
      (body) => {
        const source = (request.url ?? '').split('/').at(-1) ?? '';
        response.writeHead(take(source, request.headersDistinct, body)).end();
      },
      () => response.destroy(),
    );
  });
  const url = await listenOnLoopback(server);
  return { url, statusOf: (order) => statuses.get(order) ?? 'new', close: () => closeAtOnce(server) };
}
