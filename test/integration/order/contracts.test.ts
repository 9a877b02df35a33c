/** Orders of sources that promise less than a contiguous sequence: the provider is asked instead. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SourcePolicy } from '../../../src/ordering/state.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

/** The demo's sources, but with these promises. */
const startWith = (promises: Partial<SourcePolicy>): Promise<OrderSystem> =>
  startOrderSystem({
    configure: (config) => {
      for (const source of config.sources.values()) {
        source.policy = { ...source.policy, ...promises };
        source.contract = source.policy.contract;
      }
    },
  });

describe('a source without versions', () => {
  let system: OrderSystem;
  beforeAll(async () => {
    system = await startWith({ contract: 'unordered', lagWindowMs: 1_000 });
  });
  afterAll(() => system.world.cleanup());

  test('[R22] is asked by each hint, inside the order’s own series of decisions, and the answer is applied', async () => {
    const { newOrder, send, untilStatus, untilOutcome, eventOf } = system;
    const order = newOrder();
    const captured = order.captured();
    await send(captured);
    await untilStatus(order.id, 'paid');
    await untilOutcome(order.id, captured.id, 'applied');
    expect((await eventOf(order.id, captured.id))?.reason).toBe('by an answer');
  });

  test('[R22] many hints at once cost few calls', async () => {
    const { newOrder, send, untilStatus, untilSettled, shop } = system;
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    const hints = Array.from({ length: 20 }, () => order.say(payment, 'payment.failed'));
    hints.push(order.say(payment, 'payment.captured'));
    const asked = shop.sandbox.asked;
    await Promise.all(hints.map(send));
    await untilStatus(order.id, 'paid');
    await untilSettled();
    expect(shop.sandbox.asked - asked).toBeLessThanOrEqual(6);
  });

  test('[R62] a lagging answer that says what no hint said is not believed until it has stood', async () => {
    const { newOrder, send, untilStatus, untilSettled, shop, orderOf } = system;
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    await send(order.say(payment, 'payment.authorized'));
    await untilStatus(order.id, 'authorized');
    shop.sandbox.setMood({ versionsBehind: 1 });
    const asked = shop.sandbox.asked;
    await send(order.say(payment, 'payment.captured'));
    await expect.poll(() => shop.sandbox.asked, { timeout: 10_000 }).toBeGreaterThan(asked);
    expect((await orderOf(order.id))?.status).toBe('authorized');
    shop.sandbox.setMood({ versionsBehind: 0 });
    await untilStatus(order.id, 'paid');
    await untilSettled();
  });
});

describe('a source whose versions rise with holes', () => {
  let system: OrderSystem;
  beforeAll(async () => {
    system = await startWith({ contract: 'monotonic' });
  });
  afterAll(() => system.world.cleanup());

  test('[R21] a higher version is applied at once, and a lower one after it changes nothing', async () => {
    const { newOrder, send, untilStatus, untilOutcome, orderOf } = system;
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    const failed = order.say(payment, 'payment.failed');
    order.say(payment, 'payment.authorized');
    const captured = order.say(payment, 'payment.captured');
    await send(captured);
    await untilStatus(order.id, 'paid');
    await send(failed);
    await untilOutcome(order.id, failed.id, 'superseded');
    expect((await orderOf(order.id))?.status).toBe('paid');
  });

  test('[R23] two contents at one version are a tie: the provider is asked, and neither wins by arrival', async () => {
    const { newOrder, send, sendBody, untilStatus, untilSettled, untilOutcome, shop } = system;
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    const captured = order.say(payment, 'payment.captured');
    const twin = JSON.parse(captured.body) as Record<string, unknown>;
    const failed = { ...captured, id: `${captured.id}-b` };
    await sendBody(payment, failed.id, JSON.stringify({ ...twin, id: failed.id, type: 'payment.failed' }));
    await untilStatus(order.id, 'payment_failed');
    const asked = shop.sandbox.asked;
    await send(captured);
    await untilStatus(order.id, 'paid');
    await untilSettled();
    await untilOutcome(order.id, captured.id, 'applied');
    expect(shop.sandbox.asked).toBeGreaterThan(asked);
  });
});

describe('a table', () => {
  test('[R25] is total: what it does not list is asked about, and what it cannot explain is for a person', async () => {
    const system = await startWith({ askDeadlineMs: 1_500 });
    const { newOrder, send, untilStatus, untilOutcome, orderOf } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    const shipped = order.shipped();
    await send(shipped);
    await untilOutcome(order.id, shipped.id, 'held');
    await expect
      .poll(async () => (await orderOf(order.id))?.attention_kinds, { timeout: 20_000 })
      .toContain('review');
    expect((await orderOf(order.id))?.status).toBe('awaiting_payment');
  });
});
