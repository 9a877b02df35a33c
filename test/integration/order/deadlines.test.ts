import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../src/config/resolved.ts';
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import type { NewEvent } from '../../../src/store/events.ts';
import { newEvent } from '../store/new-event.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

const DUE_MS = 1_500;

/** An unpaid order of the demo's is cancelled after a moment, and not after a day. */
function shorten({ machines, sources }: Config, unasked: 'review' | 'act', canAsk: boolean): void {
  for (const status of ['awaiting_payment', 'payment_failed']) {
    const deadline = machines.get('order')?.machine.statuses[status]?.deadline;
    if (deadline === undefined) throw new Error('the demo gives up on unpaid orders');
    Object.assign(deadline, { afterMs: DUE_MS, unasked });
  }
  if (canAsk) return;
  for (const source of sources.values()) {
    source.api = null;
    Object.assign(source.policy, { api: false, find: false });
  }
}

let system: OrderSystem;
const start = (unasked: 'review' | 'act', canAsk: boolean) =>
  startOrderSystem({ redeliverAfterMs: 600_000, configure: (config) => shorten(config, unasked, canAsk) });

const deadlinesOf = async (order: string): Promise<string[]> =>
  (await system.journalOf(order)).filter(({ kind }) => kind === 'deadline').map(({ reason }) => reason ?? '');

describe("an order whose status's time is over, where providers can be asked", () => {
  beforeAll(async () => {
    system = await start('review', true);
  });
  afterAll(() => system.world.cleanup());

  test('[R35] is not cancelled when the provider knows of a payment that was never told', async () => {
    const { newOrder, send, untilStatus, shop, doneEffects } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    // Lost: no event of this payment will ever come, and no stream of it is known.
    order.captured();
    const asked = shop.sandbox.asked;
    await untilStatus(order.id, 'paid');
    // Both sources are searched, and both objects asked about.
    expect(shop.sandbox.asked - asked).toBeGreaterThanOrEqual(4);
    expect(await deadlinesOf(order.id)).toEqual([]);
    expect(doneEffects(order.id)).not.toContain('releaseStock');
  });

  test('[R35] is cancelled when every stream and every source have answered that nothing was paid', async () => {
    const { newOrder, send, untilStatus, shop } = system;
    const order = newOrder();
    const asked = shop.sandbox.asked;
    await send(order.created());
    await send(order.failed());
    await untilStatus(order.id, 'cancelled');
    expect(shop.sandbox.asked - asked).toBeGreaterThanOrEqual(4);
    expect(await deadlinesOf(order.id)).toHaveLength(1);
    await expect.poll(() => system.doneEffects(order.id), { timeout: 20_000 }).toEqual(['releaseStock']);
  });

  test('[R35] waits while one of them cannot answer', async () => {
    const { newOrder, send, untilStatus, shop, orderOf } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    order.captured();
    shop.sandbox.setMood({ down: true });
    const asked = shop.sandbox.asked;
    // Asked again and again: its time was over long ago.
    await expect.poll(() => shop.sandbox.asked - asked, { timeout: 30_000 }).toBeGreaterThan(8);
    expect(await orderOf(order.id)).toMatchObject({ status: 'awaiting_payment' });
    shop.sandbox.setMood({ down: false });
    await untilStatus(order.id, 'paid');
  });
});

describe("an order whose status's time is over, where nobody can be asked", () => {
  describe('and the table says nothing of that', () => {
    beforeAll(async () => {
      system = await start('review', false);
    });
    afterAll(() => system.world.cleanup());

    test("[R35] is a person's", async () => {
      const { newOrder, send, orderOf } = system;
      const order = newOrder();
      await send(order.created());
      await expect
        .poll(async () => (await orderOf(order.id))?.attention_kinds, { timeout: 20_000 })
        .toBe(',review,');
      expect(await orderOf(order.id)).toMatchObject({ status: 'awaiting_payment' });
    });
  });

  describe('and the table lets it act', () => {
    beforeAll(async () => {
      system = await start('act', false);
    });
    afterAll(() => system.world.cleanup());

    test('[R35] goes on by itself', async () => {
      const { newOrder, send, untilStatus } = system;
      const order = newOrder();
      await send(order.created());
      await untilStatus(order.id, 'cancelled');
      expect(await deadlinesOf(order.id)).toHaveLength(1);
    });

    test('[R35] first judges all that is stored of it, page by page, told by a signal or not', async () => {
      const { newOrder, send, untilStatus, store } = system;
      const order = newOrder();
      const commit = new GroupCommit(store);
      const base = { source: 'shop', environment: 'demo', order: order.id };
      const note = (version: number): NewEvent =>
        newEvent({
          ...base,
          eventId: `note-${version}-${randomUUID()}`,
          object: `order:${order.id}`,
          refs: [`order:${order.id}`],
          type: null,
          version: String(version),
        });
      const payment = { object: `payment:pay-${order.id}`, refs: [`payment:pay-${order.id}`] };
      const created = order.created();
      // What dispatch was never told of: three pages of it, and the payment is the last of all.
      await commit.add(Array.from({ length: 250 }, (_, n) => note(n + 2)));
      await commit.add([
        newEvent({
          ...base,
          ...payment,
          source: 'payments',
          stream: `payments/${payment.object}`,
          type: 'payment.captured',
          payment: `pay-${order.id}`,
          version: '1',
        }),
      ]);
      await commit.stop();
      await send(created);
      await untilStatus(order.id, 'paid');
      expect(await deadlinesOf(order.id)).toEqual([]);
      expect((await store.query('SELECT seq FROM events WHERE taken_at IS NULL')).length).toBe(0);
    });
  });
});
