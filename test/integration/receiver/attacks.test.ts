import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { startReceiverProcess } from './receiver-process.ts';
import { bodyOf, signed, startWorld } from './world.ts';
import type { World } from './world.ts';

/** A connection of a stranger, with all that came back on it. */
interface Stranger {
  socket: Socket;
  answer: () => string;
  /** When the receiver has ended its side. */
  closed: Promise<unknown>;
}

async function dial(port: number): Promise<Stranger> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  // A reset is one of the ways in which a flood ends.
  socket.on('error', () => undefined);
  const closed = Promise.race([once(socket, 'end'), once(socket, 'close')]);
  await once(socket, 'connect');
  return { socket, answer: () => text, closed };
}

function requestOf(body: Buffer, extra: Record<string, string> = {}): string {
  const headers = { Host: 'x', ...signed(body), 'Content-Length': String(body.length), ...extra };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /webhooks/shop HTTP/1.1\r\n${lines.join('')}\r\n${body.toString()}`;
}

async function dialMany(world: World, count: number): Promise<Stranger[]> {
  const strangers = await Promise.all(Array.from({ length: count }, () => dial(world.receiver.port)));
  world.defer(() => strangers.map(({ socket }) => socket.destroy()));
  return strangers;
}

describe('a stranger who is slow', () => {
  it('[R2] with the headers is cut off, while others are served', async () => {
    const world = await startWorld({ limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_500 } });
    const slow = await dialMany(world, 100);
    for (const { socket } of slow) socket.write('POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    // One byte at a time keeps a connection busy; it must not keep it alive.
    const drip = setInterval(() => slow.map(({ socket }) => socket.write('x')), 50);
    world.defer(() => clearInterval(drip));
    expect((await world.deliver()).status).toBe(202);
    await Promise.all(slow.map(({ closed }) => closed));
    expect(slow.every(({ answer }) => answer().startsWith('HTTP/1.1 408 '))).toBe(true);
    expect((await world.deliver()).status).toBe(202);
  });

  it('[R2] to send anything at all is cut off', async () => {
    const world = await startWorld({ limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_500 } });
    const silent = await dialMany(world, 20);
    await Promise.all(silent.map(({ closed }) => closed));
    expect((await world.deliver()).status).toBe(202);
  });

  it('[R2] with the body, a byte at a time, is cut off at the limit', async () => {
    const world = await startWorld({ limits: { bodyTimeoutMs: 500 } });
    const slow = await dialMany(world, 50);
    for (const { socket } of slow) socket.write(requestOf(bodyOf(), { 'Content-Length': '100000' }));
    const drip = setInterval(() => slow.map(({ socket }) => socket.write(' ')), 50);
    world.defer(() => clearInterval(drip));
    await Promise.all(slow.map(({ closed }) => closed));
    expect(slow.every(({ answer }) => answer().startsWith('HTTP/1.1 408 '))).toBe(true);
    expect(await world.rows()).toEqual([]);
  });

  it('[R2] to read the answer, and sends on after a refusal, is cut off within the bounds of a body', async () => {
    const world = await startWorld({
      limits: { bodyTimeoutMs: 500 },
      sources: { shop: { maxBytes: 10_000 } },
    });
    const [endless] = await dialMany(world, 1);
    endless?.socket.write(requestOf(Buffer.alloc(0), { 'Content-Length': '1000000000' }));
    const flood = setInterval(() => endless?.socket.write(Buffer.alloc(5_000)), 10);
    world.defer(() => clearInterval(flood));
    await endless?.closed;
    expect(endless?.answer()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('a flood', () => {
  it('[R2] of headers is answered 431 and costs nobody else anything', async () => {
    const world = await startWorld();
    const many = await dialMany(world, 20);
    const headers = Array.from({ length: 2_000 }, (_, n) => `X-${String(n)}: ${'y'.repeat(50)}\r\n`).join('');
    for (const { socket } of many) socket.write(`POST /webhooks/shop HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    await Promise.all(many.map(({ closed }) => closed));
    expect(many.every(({ answer }) => answer().startsWith('HTTP/1.1 431 '))).toBe(true);
    expect((await world.deliver()).status).toBe(202);
  });

  it('[R2] of connections is turned away and counted, and leaves room as soon as the idle ones are cut', async () => {
    const world = await startWorld({
      limits: { maxConnections: 40, headersTimeoutMs: 1_000, requestTimeoutMs: 1_500 },
    });
    const flood = await dialMany(world, 200);
    await expect.poll(() => world.metric('inorder_connections_dropped_total')).toBeGreaterThanOrEqual(160);
    await Promise.all(flood.map(({ closed }) => closed));
    expect((await world.deliver()).status).toBe(202);
  });

  it('[R1] of forged deliveries costs no row each, and authentic ones go on', async () => {
    const world = await startWorld();
    const body = bodyOf();
    const forged = signed('other');
    let isOver = false;
    let refused = 0;
    const forge = async (): Promise<void> => {
      while (!isOver) if ((await world.post(body, forged)).status === 401) refused += 1;
    };
    const forgers = Array.from({ length: 16 }, forge);
    for (let n = 0; n < 10; n += 1) expect((await world.deliver({ order: String(n) })).status).toBe(202);
    await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThan(200);
    isOver = true;
    await Promise.all(forgers);
    expect(await world.rows()).toHaveLength(10);
    const count = async () => {
      const rows = await world.store.query<{ total: string }>('SELECT SUM(total) AS total FROM refusals');
      return Number(rows[0]?.total);
    };
    await expect.poll(count, { timeout: 5_000 }).toBe(refused);
    const samples = await world.store.query('SELECT 1 FROM refusal_samples');
    expect(samples.length).toBeLessThanOrEqual(20);
    // A line per forgery would fill a disk.
    expect(world.log.filter(({ level }) => level !== 'debug').length).toBeLessThan(20);
  });

  it('[R2] of large bodies is bounded over all connections: what does not fit is told to come again', async () => {
    const world = await startWorld({
      limits: { maxBodyBytesInMemory: 1_000_000, bodyTimeoutMs: 2_000 },
      sources: { shop: { maxBytes: 200_000 } },
    });
    const holders = await dialMany(world, 20);
    const part = Buffer.alloc(100_000, 0x20);
    for (const { socket } of holders) {
      socket.write(requestOf(Buffer.alloc(0), { 'Content-Length': '150000' }));
      socket.write(part);
    }
    await Promise.all(holders.map(({ closed }) => closed));
    const answers = holders.map(({ answer }) => answer().slice(9, 12));
    expect(answers.filter((status) => status === '408').length).toBeLessThanOrEqual(10);
    expect(answers.filter((status) => status === '503').length).toBeGreaterThanOrEqual(10);
    expect((await world.deliver()).status).toBe(202);
  });
});

describe('one connection', () => {
  it('that closes its sending side too early loses its answer and not its delivery', async () => {
    const world = await startWorld();
    const [half] = await dialMany(world, 1);
    half?.socket.end(requestOf(bodyOf({ id: 'evt_1' })));
    await half?.closed;
    await expect.poll(async () => (await world.rows()).map((row) => row.event_id)).toEqual(['evt_1']);
    expect(await world.deliver({ id: 'evt_1' })).toMatchObject({ status: 202, body: { status: 'known' } });
  });

  it('may send many requests at once and gets as many answers, in their order', async () => {
    const world = await startWorld();
    const [pipe] = await dialMany(world, 1);
    const requests = Array.from({ length: 300 }, (_, n) =>
      n % 3 === 0
        ? requestOf(bodyOf({ id: `evt_${String(n)}` }))
        : `GET /nothing-${String(n)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    pipe?.socket.write(requests.join(''));
    const statuses = () =>
      [...(pipe?.answer() ?? '').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    await expect.poll(() => statuses().length, { timeout: 20_000 }).toBe(300);
    expect(statuses()).toEqual(requests.map((_, n) => (n % 3 === 0 ? '202' : '404')));
    expect(await world.rows()).toHaveLength(100);
  });

  it('that turns to nonsense after a delivery gets the answer to the delivery, and nothing in its place', async () => {
    const world = await startWorld();
    const [odd] = await dialMany(world, 1);
    odd?.socket.write(`${requestOf(bodyOf())}\u0000nonsense\r\n\r\n`);
    await odd?.closed;
    expect([...(odd?.answer() ?? '').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '202',
    ]);
    expect(await world.rows()).toHaveLength(1);
  });

  it('that sends nonsense and never closes is closed by us', async () => {
    const world = await startWorld();
    const odd = await dialMany(world, 10);
    for (const { socket } of odd) socket.write('\u0016\u0003\u0001 hello\r\n\r\n');
    await Promise.all(odd.map(({ closed }) => closed));
    expect(odd.every(({ answer }) => answer().startsWith('HTTP/1.1 400 '))).toBe(true);
    await expect.poll(() => world.metric('inorder_connections_open')).toBe(0);
  });
});

describe('the receiver process under attack', () => {
  it('[R2] stays alive and within its memory: bombs, forgeries, floods and broken connections together', async () => {
    const receiver = await startReceiverProcess();
    const port = Number(new URL(receiver.url).port);
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    expect(bomb.length).toBeLessThan(200_000);
    const before = await receiver.peakMemoryMib();

    const post = async (body: Buffer, headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`${receiver.url}/webhooks/shop`, { method: 'POST', body, headers });
      await response.arrayBuffer();
      return response.status;
    };
    const bombs = Array.from({ length: 20 }, () =>
      post(bomb, { ...signed(bomb), 'content-encoding': 'gzip' }),
    );
    const forgeries = Array.from({ length: 150 }, () => {
      const body = Buffer.alloc(200_000, 0x7b);
      return post(body, signed('other'));
    });
    const broken = Array.from({ length: 150 }, async (_, n) => {
      const { socket, closed } = await dial(port);
      socket.write(requestOf(bodyOf()).slice(0, 50 + n * 4));
      socket.resetAndDestroy();
      await closed;
    });
    const statuses = new Set([...(await Promise.all(bombs)), ...(await Promise.all(forgeries))]);
    await Promise.all(broken);

    expect([...statuses].every((status) => [401, 413, 503].includes(status))).toBe(true);
    expect(receiver.isRunning()).toBe(true);
    // A line per attack would fill a disk.
    expect(receiver.log().split('\n').length).toBeLessThan(10);
    expect((await receiver.peakMemoryMib()) - before).toBeLessThan(250);
    const body = bodyOf({ id: 'evt_1' });
    expect(await post(body, signed(body))).toBe(202);
  });
});
