/**
 * An application that receives effects: a real HTTP server on loopback that keeps every request as it came and
 * answers as it is told. Signals instead of sleeps: `received(n)` resolves when the n-th request is complete.
 */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
export type Reply = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

export interface Receiver {
  url: string;
  calls: ReceivedCall[];
  /** The next replies, in order; when they are used up the last one stays. */
  replies: Reply[];
  received(count: number): Promise<void>;
  stop: () => Promise<void>;
}

export const answer =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, headers).end('the body of an answer, with a secret in it: s3cret');
/** The connection is cut after the request was read: nobody can know what was done. */
export const reset: Reply = (_, request) => void request.socket.resetAndDestroy();
export const silence: Reply = () => undefined;

export async function startReceiver(...replies: Reply[]): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const queue = replies.length === 0 ? [answer(200)] : [...replies];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      calls.push({ method, path: url, headers, body: Buffer.concat(chunks) });
      const reply = queue.length > 1 ? queue.shift() : queue[0];
      void reply?.(response, request);
      for (const { count, resolve } of waiting) if (calls.length >= count) resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/effect`,
    calls,
    replies: queue,
    received: (count) =>
      calls.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push({ count, resolve })),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
