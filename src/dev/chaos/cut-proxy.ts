/**
 * Stands on loopback between one process and one service, and passes bytes on, until it is told to cut: by ending what is
 * open and all that comes, by letting nothing pass, or by letting pass what is asked and nothing that is answered.
 *
 * 1. What was held back in silence is delivered afterwards, as a network does; what was not answered is lost, and its
 *    connection ends.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { CutHow } from './fault.ts';

export interface CutProxy {
  readonly port: number;
  cut(how: CutHow): void;
  mend(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  /** Something was asked that will not be answered. */
  isDoomed: boolean;
}

export async function startCutProxy(target: { host: string; port: number }): Promise<CutProxy> {
  const pairs = new Set<Pair>();
  let how: CutHow | null = null;

  function pass(client: Socket): void {
    if (how === 'reset') {
      client.destroy();
      return;
    }
    const server = connect({ ...target, noDelay: true });
    client.setNoDelay(true);
    const pair: Pair = { client, server, isDoomed: false };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', (chunk: Buffer) => {
      pair.isDoomed ||= how === 'no answers';
      forward(chunk, client, server);
    });
    server.on('data', (chunk: Buffer) => {
      pair.isDoomed ||= how === 'no answers';
      if (!pair.isDoomed) forward(chunk, server, client);
    });
    client.on('end', () => server.end());
    server.on('end', () => client.end());
    if (how === 'silence') hush(pair);
  }

  function forward(chunk: Buffer, from: Socket, to: Socket): void {
    if (to.write(chunk)) return;
    from.pause();
    to.once('drain', () => {
      if (how !== 'silence') from.resume();
    });
  }

  const listener: Server = createServer({ noDelay: true }, pass);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  const address = listener.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut(wanted) {
      how = wanted;
      for (const pair of pairs) {
        if (wanted === 'reset') pair.client.resetAndDestroy();
        else if (wanted === 'silence') hush(pair);
      }
    },
    mend() {
      how = null;
      for (const { client, server, isDoomed } of pairs) {
        // (1)
        if (isDoomed) client.destroy();
        client.resume();
        server.resume();
      }
    },
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        for (const { client } of pairs) client.destroy();
      }),
  };
}

function hush({ client, server }: Pair): void {
  client.pause();
  server.pause();
}
