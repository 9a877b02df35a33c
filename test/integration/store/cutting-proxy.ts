/**
 * A TCP proxy before the real server that sees each statement and can end the session before the server gets it,
 * or after the server has carried it out and before its answer is heard.
 */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export type Fate = 'pass' | 'cut_before' | 'cut_after';

export interface CuttingProxy {
  url: string;
  /** Decides about each statement; `pass` at first. */
  onStatement: (sql: string) => Fate;
  /** Statements seen so far. */
  statements: string[];
  /** Refuses new sessions and ends those there are. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const COM_QUERY = 3;
const HEADER_BYTES = 4;

export async function cuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isDropping = false;
    let pending: Buffer = Buffer.alloc(0);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    upstream.on('data', (chunk) => {
      if (isDropping) end();
      else client.write(chunk);
    });
    client.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= HEADER_BYTES) {
        const length = HEADER_BYTES + pending.readUIntLE(0, 3);
        if (pending.length < length) return;
        const packet = pending.subarray(0, length);
        pending = pending.subarray(length);
        const fate = judge(packet);
        if (fate === 'cut_before') return end();
        if (fate === 'cut_after') isDropping = true;
        upstream.write(packet);
      }
    });
  });

  const proxy: CuttingProxy = {
    url: '',
    onStatement: () => 'pass',
    statements: [],
    async goDown() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    comeBack: () => listen(Number(new URL(proxy.url).port)),
    close: () => (server.listening ? proxy.goDown() : Promise.resolve()),
  };
  const judge = (packet: Buffer): Fate => {
    if (packet[3] !== 0 || packet[HEADER_BYTES] !== COM_QUERY) return 'pass';
    const sql = packet.subarray(HEADER_BYTES + 1).toString('utf8');
    proxy.statements.push(sql);
    return proxy.onStatement(sql);
  };
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });

  await listen(0);
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  proxy.url = url.href;
  return proxy;
}
