import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderTimeline } from '../../../src/operations/order-timeline.ts';
import { showOrder } from '../../../src/operations/show-order.ts';
import { startOrderSystem } from '../order/order-system.ts';
import type { OrderSystem } from '../order/order-system.ts';

let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem();
});
afterAll(() => system.world.cleanup());

const keyOf = (id: string) => ({ machine: 'order', environment: 'demo', id });

describe('the story of an order that an answer settled', () => {
  test('[R29] tells each step once, what was held and for what, and the version that never came', async () => {
    const { newOrder, send, untilStatus, untilOutcome, store } = system;
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    order.say(payment, 'payment.authorized');
    const captured = order.captured();
    await send(captured);
    await untilStatus(order.id, 'paid');
    await untilOutcome(order.id, captured.id, 'applied');
    const entries = (await orderTimeline(store, keyOf(order.id), { by: 'version' }))?.entries ?? [];
    expect(entries.map(({ version, outcome, from, to }) => [version, outcome, from, to])).toEqual([
      ['1', 'missing', null, null],
      ['2', 'applied', 'awaiting_payment', 'paid'],
      ['1', 'applied', 'new', 'awaiting_payment'],
    ]);
    const [missing, told] = entries;
    expect(missing?.reason).toBe(`version 1 never came; the provider answered at ${told?.settledAt}`);
    expect(told).toMatchObject({
      held: { until: told?.settledAt, waitedFor: 'version 1, which never came' },
      effects: ['fulfil', 'sendReceipt'],
    });
    await expect
      .poll(async () => (await showOrder(store, keyOf(order.id)))?.effects.map(({ endedAt }) => endedAt), {
        timeout: 10_000,
      })
      .toEqual([expect.stringMatching(/^\d{4}-/), expect.stringMatching(/^\d{4}-/)]);
  });

  test('[R33] names the question that a sensitive effect waits for, as long as it is open', async () => {
    const { newOrder, send, untilStatus, store, shop } = system;
    const order = newOrder();
    const created = order.created();
    const noted = order.say(`order:${order.id}`, 'order.note_added');
    shop.sandbox.setMood({ down: true });
    await send(noted);
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    const shown = async () => {
      const view = await showOrder(store, keyOf(order.id));
      const ofName = (name: string) => view?.effects.find((effect) => effect.name === name);
      const stream = view?.streams.find(({ object }) => object === `order:${order.id}`);
      return { ask: stream?.ask, held: stream?.held[0], fulfil: ofName('fulfil') };
    };
    await expect
      .poll(async () => (await shown()).ask, { timeout: 10_000 })
      .toMatchObject({ reason: 'a version is missing', late: false });
    const { fulfil, held } = await shown();
    expect(fulfil).toMatchObject({ state: 'pending', endedAt: null });
    expect(fulfil?.waitsFor).toContain(`the provider's answer about shop/order:${order.id}, asked since 20`);
    expect(fulfil?.waitsFor).toContain(`version 1 of shop/order:${order.id}, missing since 20`);
    expect(held?.waitsFor).toMatch(
      /^version 1; the provider's answer, asked since .* because a version is missing/,
    );
    shop.sandbox.setMood({ down: false });
    await send(created);
    await expect
      .poll(async () => (await shown()).fulfil, { timeout: 20_000 })
      .toMatchObject({ state: 'done', waitsFor: null });
  });
});
