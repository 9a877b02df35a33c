import { createServer, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { startCutProxy, type CutProxy } from '../../../../src/dev/chaos/cut-proxy.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Answers what it hears, and keeps it. */
async function world() {
  const heard: string[] = [];
  let onHeard = () => {};
  const server = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk.toString());
      onHeard();
      socket.write(`${chunk.toString()}!`);
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const proxy = await startCutProxy({ host: '127.0.0.1', port: (server.address() as { port: number }).port });
  closing.push(() => proxy.close());
  const untilHeard = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => (heard.length >= count ? resolve() : undefined);
      onHeard = look;
      look();
    });
  return { proxy, heard, untilHeard };
}

function open({ port }: CutProxy): Socket {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.on('error', () => {});
  closing.push(() => socket.destroy());
  return socket;
}
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));
const answer = async (socket: Socket): Promise<string> => {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
};

it('passes on what is said and answered', async () => {
  const { proxy } = await world();
  const socket = open(proxy);
  socket.write('a');
  expect(await answer(socket)).toBe('a!');
});

it('ends what is open and what comes, until it is mended', async () => {
  const { proxy } = await world();
  const before = open(proxy);
  before.write('a');
  await answer(before);
  proxy.cut('reset');
  await closed(before);
  await closed(open(proxy));
  proxy.mend();
  const after = open(proxy);
  after.write('b');
  expect(await answer(after)).toBe('b!');
});

it('lets nothing pass in silence, and delivers it afterwards', async () => {
  const { proxy, heard } = await world();
  const socket = open(proxy);
  socket.write('a');
  await answer(socket);
  proxy.cut('silence');
  const late = open(proxy);
  await once(late, 'connect');
  socket.write('b');
  late.write('c');
  // Both have left us; what the proxy does not read stays with the system.
  const probe = open(proxy);
  await once(probe, 'connect');
  expect(heard).toEqual(['a']);
  proxy.mend();
  expect(await Promise.all([answer(socket), answer(late)])).toEqual(['b!', 'c!']);
});

it('lets pass what is asked, and loses the answer with its connection', async () => {
  const { proxy, untilHeard } = await world();
  const socket = open(proxy);
  socket.write('a');
  await answer(socket);
  proxy.cut('no answers');
  let answered = '';
  socket.on('data', (chunk: Buffer) => (answered += chunk.toString()));
  socket.write('b');
  await untilHeard(2);
  proxy.mend();
  await closed(socket);
  expect(answered).toBe('');
});
