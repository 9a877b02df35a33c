/**
 * An HTTP server of which a stranger can hold only so much: connections, header bytes and count, the time for
 * headers, for a whole request and between two.
 *
 * 1. Bytes that are no HTTP get an answer in our words, and never in the place of one that an earlier request on the
 *    connection is still owed.
 * 2. A connection that has sent nothing is bounded like one whose headers are slow.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { UNKNOWN_SOURCE } from '../metrics.ts';
import type { Metrics } from '../metrics.ts';

export interface ConnectionLimits {
  maxConnections: number;
  maxHeaderBytes: number;
  maxHeaders: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
}

export function createBoundedServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  limits: ConnectionLimits,
  metrics: Pick<Metrics, 'refused' | 'connectionDropped'>,
): Server {
  /** The newest answer of each connection. */
  const newest = new WeakMap<Duplex, ServerResponse>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    newest.set(request.socket, response);
    void handle(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    onRequest,
  );
  server.maxHeadersCount = limits.maxHeaders;
  server.maxConnections = limits.maxConnections;
  // "Expect: 100-continue" is answered by whoever reads the body, so that a refusal comes before the upload.
  server.on('checkContinue', onRequest);
  // Any other expectation may be ignored (RFC 9110 §10.1.1); Node's own answer would have none of our words.
  server.on('checkExpectation', onRequest);
  server.on('drop', () => {
    metrics.connectionDropped();
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const answer = newest.get(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (answer === undefined || answer.writableFinished || isStillReading(answer)) {
      metrics.refused(UNKNOWN_SOURCE, 'request_malformed');
      // Destroyed, not only ended: a stranger that never closes its side would keep the connection.
      socket.end(rawAnswer(error.code), () => socket.destroy());
    } else {
      // Bytes after a good request are bad: what it is owed comes first, and nothing after it.
      answer.once('close', () => socket.destroy());
    }
  });
  return server;
}

/** Its own request is what went bad, and no earlier one waits before it: then it has a connection of its own. */
const isStillReading = (answer: ServerResponse): boolean =>
  !answer.req.complete && !answer.headersSent && answer.socket !== null;

/** For bytes that are no HTTP request, and for requests that never end. */
function rawAnswer(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return rawResponse(
      '431 Request Header Fields Too Large',
      'headers_too_large',
      'the headers are too large',
    );
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return rawResponse('408 Request Timeout', 'too_slow', 'the request did not arrive in time');
  }
  return rawResponse('400 Bad Request', 'request_malformed', 'the request is not valid HTTP');
}

function rawResponse(status: string, error: string, message: string): string {
  const body = JSON.stringify({ error, message });
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`
  );
}
