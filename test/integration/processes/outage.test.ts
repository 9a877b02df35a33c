import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSystem } from './system.ts';
import type { System } from './system.ts';

/** The server keeps its data in memory: every return is one of a server that lost everything. */
let system: System;
beforeAll(async () => {
  system = await startSystem({ ownTemporal: true, redeliverAfterMs: 5_000 });
});
afterAll(() => system.world.cleanup());

const temporal = () => {
  if (!system.temporal) throw new Error('this test has a server of its own');
  return system.temporal;
};

const toldOfOutages = () => system.warnings.filter((line) => line.startsWith('Temporal cannot be reached'));

describe('Temporal goes away and comes back empty', () => {
  test('[R6] deliveries are accepted and stored meanwhile, at once, and flow on by themselves', async () => {
    const { newOrder, send, untilStatus, untilSettled, doneEffects } = system;
    await temporal().kill();
    const orders = Array.from({ length: 15 }, () => newOrder());
    const slowest = { ms: 0 };
    for (const order of orders) {
      for (const event of [order.created(), order.captured()]) {
        const startedAt = performance.now();
        expect(await send(event)).toBe(202);
        slowest.ms = Math.max(slowest.ms, performance.now() - startedAt);
      }
    }
    // A call to Temporal would have taken its deadline of 1.5 s.
    expect(slowest.ms).toBeLessThan(1_000);
    await expect.poll(() => toldOfOutages().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
    await temporal().restart();
    for (const order of orders) await untilStatus(order.id, 'paid', 60_000);
    await untilSettled();
    for (const order of orders) {
      await expect
        .poll(() => doneEffects(order.id).sort(), { timeout: 20_000 })
        .toEqual(['fulfil', 'sendReceipt']);
    }
  });

  test('[R44] open orders, their gaps, asks and effects go on from MySQL', async () => {
    const { newOrder, send, untilStatus, untilSettled, outcomesOf, shop, doneEffects } = system;
    const [open, gap, unsent] = [newOrder(), newOrder(), newOrder()];
    await send(open.created());
    await untilStatus(open.id, 'awaiting_payment');
    shop.sandbox.setMood({ down: true });
    gap.failed();
    const late = gap.captured();
    await send(late);
    await expect.poll(() => outcomesOf(gap.id), { timeout: 20_000 }).toEqual({ [late.id]: 'held' });

    await temporal().kill();
    await send(unsent.captured());
    shop.sandbox.setMood({ down: false });
    await temporal().restart();

    await untilStatus(unsent.id, 'paid', 60_000);
    await untilStatus(gap.id, 'paid', 60_000);
    expect(await send(open.captured())).toBe(202);
    await untilStatus(open.id, 'paid');
    await untilSettled();
    for (const order of [open, gap, unsent]) {
      await expect
        .poll(() => doneEffects(order.id).sort(), { timeout: 20_000 })
        .toEqual(['fulfil', 'sendReceipt']);
    }
    expect(shop.effects.offences).toEqual([]);
  });

  test('an outage is told once by each process, and its end too', () => {
    const told = toldOfOutages();
    // Two outages, a receiver and a worker; one that is over before a process notices it is not told by it.
    expect(told.length).toBeGreaterThanOrEqual(1);
    expect(told.length).toBeLessThanOrEqual(4);
  });
});

describe('a repeat of an event that was stored and not taken', () => {
  test('[R7] wakes it at once', async () => {
    const {
      newOrder,
      newWorker,
      send,
      untilStatus,
      outcomesOf,
      temporal: server,
    } = await startSystem({
      ownTemporal: true,
      redeliverAfterMs: 3_600_000,
      worker: false,
    });
    const order = newOrder();
    const created = order.created();
    await server?.kill();
    expect(await send(created)).toBe(202);
    await server?.restart();
    await newWorker();
    expect(await outcomesOf(order.id)).toEqual({ [created.id]: null });
    expect(await send(created)).toBe(202);
    await untilStatus(order.id, 'awaiting_payment');
  });
});
