/**
 * A client that costs little: keeps a number of connections busy with signed, distinct deliveries for a time, and
 * prints what it saw as one line of JSON. A process of its own, so that its work is not counted as the server's.
 *
 *     node --import tsx bench/load.ts <port> <path> <secret> <connections> <seconds> [deliveries at most]
 *
 * It shares the cores with the server and its database, so all deliveries are made and signed before the clock
 * starts; what is left is to write bytes and to look at the status of what comes back.
 */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

import { signStandardWebhook } from '../src/providers/standard-webhooks-signature.ts';

export interface LoadResult {
  answered: number;
  /** Answers other than 2xx. */
  failed: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of this process, per answer. */
  cpuMicros: number;
}

const [port = '', path = '', secret = '', connections = '', seconds = '', most = ''] = process.argv.slice(2);
/** More than any contender takes here; a run that uses them up ends early and is as good. */
const MAX_PER_SECOND = 12_000;
const run = randomUUID();
const length = most === '' ? Number(seconds) * MAX_PER_SECOND : Number(most);
const deliveries = Array.from({ length }, (_, n) => delivery(n));
const latencies: number[] = [];
let sent = 0;
let failed = 0;

/** About a kilobyte, as a small provider event is. */
function delivery(n: number): Buffer {
  const id = `evt_${run}_${String(n)}`;
  const body = JSON.stringify({
    id,
    type: 'order.created',
    created: new Date().toISOString(),
    order: `o_${run}_${String(n)}`,
    object: { kind: 'order', id: `o_${run}_${String(n)}` },
    version: 1,
    data: { amount: '12500', currency: 'EUR', note: 'x'.repeat(600) },
  });
  const signature = signStandardWebhook(secret, {
    id: `msg_${id}`,
    timestampSeconds: Math.floor(Date.now() / 1_000),
    body,
  });
  const lines = Object.entries(signature).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${lines.join('')}` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
  );
}

/** One request after the other on one connection, until the time is over. */
function keepBusy(untilMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let startedAtMs = 0;
    let answer = '';
    const next = (): void => {
      startedAtMs = performance.now();
      const bytes = startedAtMs < untilMs ? deliveries[sent] : undefined;
      if (bytes === undefined) {
        socket.destroy();
        resolve();
        return;
      }
      sent += 1;
      answer = '';
      socket.write(bytes);
    };
    const onread = {
      buffer: Buffer.alloc(4_096),
      callback: (length: number, buffer: Uint8Array): boolean => {
        answer += (buffer as Buffer).toString('latin1', 0, length);
        // Every contender answers with one small JSON object.
        if (!answer.endsWith('}')) return true;
        latencies.push(performance.now() - startedAtMs);
        if (answer[9] !== '2') failed += 1;
        next();
        return true;
      },
    };
    const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true, onread });
    socket.on('connect', next);
    socket.on('error', reject);
  });
}

const before = process.cpuUsage();
const startedAtMs = performance.now();
const untilMs = startedAtMs + Number(seconds) * 1_000;
await Promise.all(Array.from({ length: Number(connections) }, () => keepBusy(untilMs)));
const elapsedSeconds = (performance.now() - startedAtMs) / 1_000;
const cpu = process.cpuUsage(before);
latencies.sort((a, b) => a - b);
const quantile = (q: number): number => latencies[Math.floor(latencies.length * q)] ?? 0;
const result: LoadResult = {
  answered: latencies.length,
  failed,
  perSecond: latencies.length / elapsedSeconds,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  cpuMicros: (cpu.user + cpu.system) / latencies.length,
};
console.log(JSON.stringify(result));
