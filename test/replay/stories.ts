/**
 * One story per kind of thing that can be in a history, played on the real stack. Each returns the order's id when
 * all of it has happened.
 */
import { expect } from 'vitest';
import { actOnEffect, findEffect } from '../../src/operations/act-on-effect.ts';
import { linkEvent } from '../../src/operations/link-event.ts';
import { switchEffect } from '../integration/operations/effect-switch.ts';
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
  'effect-retried-and-event-linked': {
    async play(system) {
      const { newOrder, send, sendBody, untilStatus, untilOutcome, store: db, client, environment } = system;
      const deps = { db, client, taskQueue: environment.taskQueue };
      const person = { actor: 'ada', reason: 'looked at it' };
      const receipt = switchEffect(system.config, 'sendReceipt');
      receipt.mood = 'certainly does not';
      const order = newOrder();
      await send(order.created());
      await untilStatus(order.id, 'awaiting_payment');

      const body = {
        ...{ id: 'evt_by_phone', type: 'payment.captured', version: 1 },
        ...{ object: { kind: 'payment', id: 'by-phone' }, data: { amount: '1000', currency: 'EUR' } },
      };
      await sendBody('payment:by-phone', 'evt_by_phone', JSON.stringify(body));
      const [event] = await db.query<{ seq: string }>(
        "SELECT seq FROM events WHERE event_id = 'evt_by_phone'",
      );
      const key = { machine: 'order', environment: 'demo', id: order.id };
      const link = { ...person, seq: event?.seq ?? '', order: key, isNew: false };
      expect(await linkEvent(deps, link)).toMatchObject({ refused: null });
      await untilOutcome(order.id, 'evt_by_phone', 'applied');

      const find = async () => {
        const effect = await findEffect(db, `order/demo/${order.id}/sendReceipt/order`);
        return effect ?? { state: 'not asked for', attempts: 0, key: '' };
      };
      const untilState = (state: string) =>
        expect.poll(async () => (await find()).state, { timeout: 20_000 }).toBe(state);
      const say = async (action: 'retry' | 'skip' | 'confirm') => {
        const effect = await findEffect(db, (await find()).key);
        if (effect === null) throw new Error('no receipt was asked for');
        return await actOnEffect(deps, effect, { ...person, action });
      };
      await untilState('failed');
      expect(await say('retry')).toMatchObject({ refused: null });
      await expect.poll(async () => (await find()).attempts, { timeout: 20_000 }).toBe(2);
      await untilState('failed');
      expect(await say('skip')).toMatchObject({ refused: null });
      receipt.mood = 'does it';
      expect((await say('confirm')).refused).not.toBeNull();
      expect(await say('retry')).toMatchObject({ refused: null });
      await untilState('done');
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
