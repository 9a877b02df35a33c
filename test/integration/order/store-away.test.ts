import { expect, test } from 'vitest';
import { cuttingProxy } from '../store/cutting-proxy.ts';
import { startOrderSystem } from './order-system.ts';

test('[R37, R42] an order whose store is away waits in its run, and goes on when the store is back', async () => {
  const system = await startOrderSystem({ worker: false });
  const { newOrder, send, untilStatus, handleOf, doneEffects } = system;
  const proxy = await cuttingProxy(system.environment.mysqlUrl);
  system.defer(() => proxy.close());
  system.environment.mysqlUrl = proxy.url;
  await system.newWorker();
  const order = newOrder();
  await send(order.created());
  await untilStatus(order.id, 'awaiting_payment');
  const { runId } = await handleOf(order.id).describe();
  const timers = async () => {
    const { events } = await handleOf(order.id).fetchHistory();
    return events?.filter((event) => event.timerStartedEventAttributes).length ?? 0;
  };
  const before = await timers();

  await proxy.goDown();
  // The receiver has its own way to the store.
  expect(await send(order.captured())).toBe(202);
  await expect.poll(timers, { timeout: 30_000 }).toBeGreaterThan(before + 1);
  expect(await handleOf(order.id).describe()).toMatchObject({ runId, status: { name: 'RUNNING' } });

  await proxy.comeBack();
  await untilStatus(order.id, 'paid');
  expect((await handleOf(order.id).describe()).runId).toBe(runId);
  await expect.poll(() => doneEffects(order.id), { timeout: 10_000 }).toContain('fulfil');
});

test('[R42] a run that is lost while it asks is made up for: the order is woken and asks again', async () => {
  const system = await startOrderSystem();
  const { newOrder, send, untilStatus, handleOf, shop, store, orderOf } = system;
  const order = newOrder();
  const payment = `payment:pay-${order.id}`;
  order.say(payment, 'payment.authorized');
  shop.sandbox.setMood({ delayMs: 60_000 });
  const asked = shop.sandbox.asked;
  await send(order.say(payment, 'payment.captured'));
  await expect.poll(() => shop.sandbox.asked, { timeout: 20_000 }).toBeGreaterThan(asked);
  await handleOf(order.id).terminate('lost');
  shop.sandbox.setMood({ delayMs: 0 });
  expect((await orderOf(order.id))?.status).not.toBe('paid');
  const one = 'order_id = ?';
  const [row] = await store.query<{ seconds: string }>(
    `SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(6), wake_at) AS seconds FROM orders WHERE ${one}`,
    [order.id],
  );
  expect(Number(row?.seconds)).toBeLessThan(120);
  // Instead of waiting for it.
  await store.write(`UPDATE orders SET due_at = UTC_TIMESTAMP(6), wake_at = UTC_TIMESTAMP(6) WHERE ${one}`, [
    order.id,
  ]);
  await untilStatus(order.id, 'paid');
});
