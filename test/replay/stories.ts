/**
 * One story per kind of thing that can be in a history, played on the real stack. Each returns the order's id when
 * all of it has happened.
 */
import { expect } from 'vitest';
import type { OrderSystem } from '../integration/order/order-system.ts';

export interface Story {
  /** What the run is told instead of the config's own settings. */
  settings?: { maxEventsPerRun?: number; closeAfterMs?: number };
  play(system: OrderSystem): Promise<string>;
}

export const STORIES: Record<string, Story> = {
  'in-order': {
    async play({ newOrder, send, untilStatus, doneEffects }) {
      const order = newOrder();
      await send(order.created());
      await untilStatus(order.id, 'awaiting_payment');
      await send(order.captured());
      await untilStatus(order.id, 'paid');
      await expect.poll(() => doneEffects(order.id).length, { timeout: 10_000 }).toBe(2);
      await send(order.shipped());
      await untilStatus(order.id, 'shipped');
      return order.id;
    },
  },
  'reversed-and-held': {
    async play({ newOrder, send, untilStatus, untilOutcome }) {
      const order = newOrder();
      const payment = `payment:pay-${order.id}`;
      const authorized = order.say(payment, 'payment.authorized');
      const captured = order.say(payment, 'payment.captured');
      await send(captured);
      await untilOutcome(order.id, captured.id, 'held');
      await send(authorized);
      await untilStatus(order.id, 'paid');
      return order.id;
    },
  },
  'gap-asked': {
    async play({ newOrder, send, untilStatus }) {
      const order = newOrder();
      const payment = `payment:pay-${order.id}`;
      order.say(payment, 'payment.authorized');
      await send(order.say(payment, 'payment.captured'));
      await untilStatus(order.id, 'paid');
      return order.id;
    },
  },
  'unlisted-asked-and-lagging': {
    async play({ newOrder, send, untilStatus, untilOutcome, shop }) {
      const order = newOrder();
      await send(order.created());
      await untilStatus(order.id, 'awaiting_payment');
      shop.sandbox.setMood({ versionsBehind: 1 });
      const shipped = order.shipped();
      await send(shipped);
      await untilOutcome(order.id, shipped.id, 'held');
      shop.sandbox.setMood({ versionsBehind: 0 });
      await send(order.captured());
      await untilStatus(order.id, 'shipped');
      return order.id;
    },
  },
  'api-down': {
    async play({ newOrder, send, untilStatus, untilOutcome, shop }) {
      shop.sandbox.setMood({ down: 2 });
      const order = newOrder();
      const payment = `payment:pay-${order.id}`;
      order.say(payment, 'payment.authorized');
      const captured = order.say(payment, 'payment.captured');
      await send(captured);
      await untilOutcome(order.id, captured.id, 'held');
      await untilStatus(order.id, 'paid');
      return order.id;
    },
  },
  'reviewed-and-resolved': {
    async play({ newOrder, send, untilStatus, untilOutcome, resolve }) {
      const order = newOrder();
      await send(order.created());
      await send(order.cancelled());
      await untilStatus(order.id, 'cancelled');
      const captured = order.captured();
      await send(captured);
      await untilOutcome(order.id, captured.id, 'review');
      await resolve(order.id, captured, { kind: 'ignore' });
      await untilOutcome(order.id, captured.id, 'ignored');
      return order.id;
    },
  },
  'continued-as-new': {
    settings: { maxEventsPerRun: 3 },
    async play({ newOrder, send, untilStatus, untilSettled, doneEffects }) {
      const order = newOrder();
      for (let failures = 0; failures < 7; failures++)
        await send(order.say(`payment:try-${failures}-${order.id}`, 'payment.failed'));
      await send(order.captured());
      await untilStatus(order.id, 'paid');
      await untilSettled();
      // By the run that goes on: the one before began no effect once it was to end.
      await expect.poll(() => doneEffects(order.id).length, { timeout: 10_000 }).toBe(2);
      return order.id;
    },
  },
  'closed-and-reopened': {
    settings: { closeAfterMs: 300 },
    async play({ newOrder, send, untilStatus, untilClosed }) {
      const order = newOrder();
      await send(order.created());
      await send(order.captured());
      await untilStatus(order.id, 'paid');
      await untilClosed(order.id);
      await send(order.shipped());
      await untilStatus(order.id, 'shipped');
      await untilClosed(order.id);
      return order.id;
    },
  },
};
