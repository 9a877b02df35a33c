/** One connection of a stranger: writes bytes, ends as told, and keeps what came back. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Exchange } from './requests.ts';

export interface Answered {
  status: number;
  body: string;
}

/** How long a stranger waits for an answer that may never come. */
const PATIENCE_MS = 300;

/** `awaited`: so many answers are waited for, for seconds if need be; without it only what comes soon is taken. */
export async function exchange(
  port: number,
  bytes: Buffer,
  { ending, awaited }: { ending: Exchange['ending']; awaited: number | null },
): Promise<Answered[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  // A reset is one of the ways in which a stranger is turned away.
  socket.on('error', () => undefined);
  let isOver = false;
  let heard: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    heard();
  });
  for (const end of ['end', 'close'])
    socket.on(end, () => {
      isOver = true;
      heard();
    });
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  socket.write(typeof ending === 'number' ? bytes.subarray(0, (bytes.length * ending) / 1_000) : bytes);
  if (ending === 'half-closes') socket.end();
  const isEnough = () => isOver || (awaited !== null && answersIn(Buffer.concat(chunks)).length >= awaited);
  const waitMs = awaited === null ? PATIENCE_MS : 20_000;
  if (typeof ending !== 'number' && ending !== 'resets') {
    const until = performance.now() + waitMs;
    while (!isEnough() && performance.now() < until) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, until - performance.now());
        heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
  if (ending === 'resets') socket.resetAndDestroy();
  else socket.destroy();
  return answersIn(Buffer.concat(chunks));
}

/** The answers in a stream of bytes; "100 Continue" is none. */
function answersIn(stream: Buffer): Answered[] {
  const text = stream.toString('latin1');
  const answers: Answered[] = [];
  for (let at = 0; at < text.length;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/.exec(text.slice(at));
    if (head === null) {
      answers.push({ status: 0, body: text.slice(at) });
      break;
    }
    at += head[0].length;
    const status = Number(head[1]);
    if (status === 100) continue;
    const length = Number(/content-length: (\d+)/i.exec(head[2] ?? '')?.[1] ?? 0);
    const body = text.slice(at, at + length);
    // To a HEAD request the length is that of a body which does not come.
    const isThere = !body.startsWith('HTTP/1.1 ');
    answers.push({ status, body: isThere ? body : '' });
    if (isThere) at += length;
  }
  return answers;
}
