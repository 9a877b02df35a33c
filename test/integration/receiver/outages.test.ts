import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { cuttingProxy } from '../store/cutting-proxy.ts';
import type { CuttingProxy } from '../store/cutting-proxy.ts';
import { startWorld } from './world.ts';
import type { Answered, World, WorldOptions } from './world.ts';

/** A receiver whose way to the database can be cut; the test's own way is direct. */
async function worldBehindProxy(options: WorldOptions = {}): Promise<{ world: World; proxy: CuttingProxy }> {
  let proxy: CuttingProxy | undefined;
  const world = await startWorld({
    ...options,
    mysqlUrl: async (direct) => (proxy = await cuttingProxy(direct)).url,
  });
  if (proxy === undefined) throw new Error('the proxy was not started');
  const started = proxy;
  world.defer(() => started.close());
  return { world, proxy };
}

describe('while the store is away', () => {
  it('[R5] every delivery is answered 503 with Retry-After, and taken when the store is back', async () => {
    const { world, proxy } = await worldBehindProxy();
    expect((await world.deliver({ id: 'before' })).status).toBe(202);
    await proxy.goDown();
    const answers = await Promise.all([1, 2, 3].map((n) => world.deliver({ id: `during-${String(n)}` })));
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await proxy.comeBack();
    await expect
      .poll(async () => (await world.deliver({ id: 'after' })).status, { timeout: 10_000 })
      .toBe(202);
    expect((await world.rows()).map((row) => row.event_id)).toEqual(['before', 'after']);
  });

  it('[R5] nothing that was answered 2xx is lost, nothing is answered 2xx that is not stored', async () => {
    const { world, proxy } = await worldBehindProxy();
    const answers = new Map<string, Answered>();
    let sent = 0;
    let isOver = false;
    const send = async (): Promise<void> => {
      while (!isOver) {
        const id = `evt_${String((sent += 1))}`;
        answers.set(id, await world.deliver({ id, order: id }));
      }
    };
    const accepted = () => [...answers].filter(([, { status }]) => status === 202).map(([id]) => id);
    const refused = () => answers.size - accepted().length;
    const senders = [send(), send(), send(), send()];
    for (let round = 0; round < 3; round += 1) {
      const [acceptedBefore, refusedBefore] = [accepted().length, refused()];
      await expect.poll(() => accepted().length, { timeout: 20_000 }).toBeGreaterThan(acceptedBefore + 20);
      // In the middle of a commit: the server carries it out, and its answer is never heard.
      let isCut = false;
      proxy.onStatement = (sql) => {
        if (isCut || !sql.endsWith('COMMIT')) return 'pass';
        isCut = true;
        return 'cut_after';
      };
      await expect.poll(() => isCut).toBe(true);
      await proxy.goDown();
      await expect.poll(refused, { timeout: 20_000 }).toBeGreaterThan(refusedBefore);
      await proxy.comeBack();
    }
    isOver = true;
    await Promise.all(senders);
    const stored = new Set((await world.rows()).map((row) => row.event_id));
    expect(accepted().filter((id) => !stored.has(id))).toEqual([]);
    expect(new Set([...answers.values()].map(({ status }) => status))).toEqual(new Set([202, 503]));
  });

  it('/readyz says so, /livez does not, and both recover', async () => {
    const { world, proxy } = await worldBehindProxy();
    const status = async (path: string) => (await fetch(world.url + path)).status;
    expect([await status('/livez'), await status('/readyz')]).toEqual([200, 200]);
    await proxy.goDown();
    await expect.poll(() => status('/readyz'), { timeout: 10_000 }).toBe(503);
    expect(await status('/livez')).toBe(200);
    expect((await fetch(`${world.operationsUrl}/healthz`)).status).toBe(503);
    await proxy.comeBack();
    await expect.poll(() => status('/readyz'), { timeout: 10_000 }).toBe(200);
  });
});

describe('a store that hangs', () => {
  it('[R5] is an answer after seconds: 503, and the repeat is known when the commit came through after all', async () => {
    const world = await startWorld({ limits: { storeTimeoutMs: 500 } });
    await world.store.session(async (session) => {
      await session.query('LOCK TABLES events WRITE');
      expect(await world.deliver({ id: 'evt_1' })).toMatchObject({
        status: 503,
        body: { error: 'unavailable' },
      });
      await session.query('UNLOCK TABLES');
    });
    await expect.poll(async () => (await world.rows()).length, { timeout: 10_000 }).toBe(1);
    expect(await world.deliver({ id: 'evt_1' })).toMatchObject({ status: 202, body: { status: 'known' } });
  });
});

describe('while Temporal is away', () => {
  it('[R6] deliveries are accepted and stored, as fast as ever', async () => {
    // A port that takes connections and never answers: worse than one that refuses them.
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const world = await startWorld({ environment: { temporalAddress: `127.0.0.1:${String(port)}` } });
    world.defer(() => {
      silent.close();
      for (const socket of sockets) socket.destroy();
    });
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => world.deliver({ order: String(n) })),
    );
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    // Less than one call's deadline: no answer waited for any.
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(await world.rows()).toHaveLength(50);
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
  });
});
