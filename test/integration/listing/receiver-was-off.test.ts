/**
 * Orders that change while no webhook can be received: the schedules find what was told meanwhile, and a second look
 * changes nothing. INORDER_LISTED_ORDERS=1000 plays it with a thousand of each.
 */
import { expect, test } from 'vitest';
import { openShopOnStripe } from '../stripe/shop-on-stripe.ts';
import { startSystem } from '../processes/system.ts';
import {
  lookIntoTemporal,
  ORDERS,
  PATIENCE_MS,
  rowsOf,
  statusesOf,
  tellFigures,
  untilBegun,
  untilEffectsEnd,
  untilReadAgain,
} from './look.ts';

const LIMIT_PER_SECOND = 50;
const timeout = PATIENCE_MS + 60_000;

/** Requests per second, beside what the queue of the source is allowed in its first instant. */
const allowed = (seconds: number, queues: number) => queues * LIMIT_PER_SECOND * (seconds + 2);

test(
  '[R41] orders of the sandbox that changed while the receiver was off are repaired by the schedule, within the rate limit, each effect once; the next look changes nothing',
  { timeout },
  async () => {
    const system = await startSystem({
      reconcileEveryMs: 1_000,
      configure: (config) => {
        for (const { api } of config.sources.values())
          Object.assign(api ?? {}, { perSecond: LIMIT_PER_SECOND });
      },
    });
    const { store, shop, world } = system;
    await lookIntoTemporal(world);
    await untilBegun(store, 2);
    await system.receiver.stop();

    const askedBefore = shop.sandbox.asked;
    const startedAtMs = Date.now();
    const orders = Array.from({ length: ORDERS }, (_, index) => {
      const order = system.newOrder();
      order.created();
      if (index % 3 === 0) order.cancelled();
      else order.captured();
      if (index % 3 === 2) order.shipped();
      return order;
    });
    const each = {
      cancelled: Math.ceil(ORDERS / 3),
      paid: Math.ceil((ORDERS - 1) / 3),
      shipped: Math.floor(ORDERS / 3),
    };
    await expect.poll(() => statusesOf(store), { timeout: PATIENCE_MS, interval: 200 }).toEqual(each);
    await system.untilSettled(PATIENCE_MS);
    const seconds = (Date.now() - startedAtMs) / 1_000;
    const asked = shop.sandbox.asked - askedBefore;
    expect(asked).toBeLessThanOrEqual(allowed(seconds, 2));

    const keysDone = () => shop.effects.done.map(({ key }) => key);
    await untilEffectsEnd(store);
    // Of an order that was shipped already, nothing is left to fulfil.
    const due = keysDone().length;
    expect(due).toBeGreaterThanOrEqual(each.cancelled + 2 * each.paid + each.shipped);
    expect(new Set(keysDone()).size).toBe(due);
    expect(shop.effects.calls).toBe(due);
    expect(system.doneEffects(orders[0]?.id ?? '')).toEqual(['releaseStock']);

    const before = await rowsOf(store);
    await untilReadAgain(store);
    await untilReadAgain(store);
    expect(await rowsOf(store)).toEqual(before);
    expect(keysDone()).toHaveLength(due);
    tellFigures('sandbox', seconds, asked);
  },
);

test(
  '[R41] orders at Stripe that changed while the receiver was off are repaired by the schedule, within the rate limit, each effect once; the next look changes nothing',
  { timeout },
  async () => {
    const shop = await openShopOnStripe({
      configure: (config) => {
        const source = config.sources.get('stripe');
        Object.assign(source ?? {}, { reconcile: { everyMs: 1_000 } });
        Object.assign(source?.api ?? {}, { perSecond: LIMIT_PER_SECOND });
        Object.assign(source?.policy ?? {}, { lagWindowMs: 1_000 });
      },
    });
    const { store, world } = shop.system;
    await lookIntoTemporal(world);
    await untilBegun(store, 1);

    const startedAtMs = Date.now();
    for (let index = 0; index < ORDERS; index += 1) {
      const story = shop.tell(`${world.taskQueue}-${index}`, {
        amount: 2_000,
        startedAt: Math.floor(Date.now() / 1_000),
        secondsApart: 0,
      });
      const { payment } = story.beginPayment();
      story.succeedPayment(payment);
      if (index % 2 === 0) story.refundPayment(payment, 2_000);
    }
    const refunded = Math.ceil(ORDERS / 2);
    await expect
      .poll(() => statusesOf(store), { timeout: PATIENCE_MS, interval: 200 })
      .toEqual({ paid: ORDERS - refunded, refunded });
    await shop.untilNothingIsHeld();
    const seconds = (Date.now() - startedAtMs) / 1_000;
    expect(shop.callsInAll()).toBeLessThanOrEqual(allowed(seconds, 1));

    const keysDone = () => new Set(shop.effects.calls.map(({ headers }) => String(headers['webhook-id'])));
    await untilEffectsEnd(store);
    const done = keysDone().size;
    expect(done).toBeGreaterThanOrEqual(ORDERS);
    expect(shop.effects.calls).toHaveLength(done);
    expect(shop.broken()).toEqual([]);

    const before = await rowsOf(store);
    await untilReadAgain(store);
    await untilReadAgain(store);
    expect(await rowsOf(store)).toEqual(before);
    expect(shop.effects.calls).toHaveLength(done);
    tellFigures('Stripe', seconds, shop.callsInAll());
  },
);
