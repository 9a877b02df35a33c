/**
 * What an order does while its provider's API has a bad day: the whole system, a gap that only an answer can close,
 * and an API that is down, slow, behind or wrong until it is well again.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { GOOD_MOOD } from '../../../src/dev/sandbox/mood.ts';
import type { Mood } from '../../../src/dev/sandbox/mood.ts';
import { startSystem } from '../processes/system.ts';
import type { System } from '../processes/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
  for (const source of system.config.sources.values()) if (source.api) source.api.timeoutMs = 400;
});
afterAll(() => system.world.cleanup());

/** Requests that came after this was called. */
const askedSince = () => {
  const before = system.shop.sandbox.asked;
  return () => system.shop.sandbox.asked - before;
};

it.each<[string, Partial<Mood>]>([
  ['down', { down: true }],
  ['slow beyond the time limit', { delayMs: 1_500 }],
  ['behind, so that it does not know the object yet', { versionsBehind: 2 }],
  ['wrong, speaking of another object,', { wrong: 'another_object' }],
  ['busy', { perSecond: 0 }],
])(
  '[R40] [R62] while the API is %s a gap stays a gap, is asked about again, and closes when it is well',
  async (_, mood) => {
    const { newOrder, send, shop, outcomesOf, orderOf, untilStatus, doneEffects } = system;
    shop.sandbox.setMood(mood);
    const asked = askedSince();
    const order = newOrder();
    order.failed();
    const captured = order.captured();
    expect(await send(captured)).toBe(202);

    await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    expect(await outcomesOf(order.id)).toEqual({ [captured.id]: 'held' });
    expect((await orderOf(order.id))?.status).toBe('new');
    expect(doneEffects(order.id)).toEqual([]);

    shop.sandbox.setMood(GOOD_MOOD);
    await untilStatus(order.id, 'paid', 60_000);
    await expect
      .poll(() => doneEffects(order.id).sort(), { timeout: 20_000 })
      .toEqual(['fulfil', 'sendReceipt']);
  },
);

it('[R40] [R62] an answer older than what was applied is asked for again, never applied', async () => {
  const { newOrder, send, shop, outcomesOf, orderOf, untilStatus } = system;
  const order = newOrder();
  const payment = `payment:pay-${order.id}`;
  await send(order.failed());
  await send(order.captured());
  await untilStatus(order.id, 'paid');

  order.say(payment, 'payment.partially_refunded', { amount: '400', refund: 're_1' });
  const refunded = order.say(payment, 'payment.refunded', { amount: '600', refund: 're_2' });
  // The replica answers with version 1: the payment that failed.
  shop.sandbox.setMood({ versionsBehind: 3 });
  const asked = askedSince();
  await send(refunded);
  await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  expect((await orderOf(order.id))?.status).toBe('paid');
  expect((await outcomesOf(order.id))[refunded.id]).toBe('held');

  shop.sandbox.setMood(GOOD_MOOD);
  await untilStatus(order.id, 'refunded', 60_000);
});
