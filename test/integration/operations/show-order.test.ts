import { describe, expect, it } from 'vitest';
import { listEvents } from '../../../src/operations/list-events.ts';
import { listOrders } from '../../../src/operations/list-orders.ts';
import { orderTimeline } from '../../../src/operations/order-timeline.ts';
import { showEvents } from '../../../src/operations/show-event.ts';
import { showOrder } from '../../../src/operations/show-order.ts';
import type { OrderKey } from '../../../src/ordering/state.ts';
import { migratedStore } from '../store/migrated-store.ts';
import { judge, storeEvents } from './judged-order.ts';

const KEY: OrderKey = { machine: 'order', environment: 'live', id: '1042' };
const payment = { object: 'payment:p1', stream: 'shop/payment:p1', payment: 'p1' };

describe('what a person sees of an order', () => {
  it('a gap, what is held, and the version it waits for', async () => {
    const { store } = await migratedStore();
    await storeEvents(store, [
      { eventId: 'e1', type: 'order.created', version: '1' },
      { eventId: 'e4', type: 'order.shipped', version: '4' },
    ]);
    await judge(store, KEY);
    expect(await showOrder(store, KEY)).toMatchObject({
      machine: 'order',
      environment: 'live',
      id: '1042',
      status: 'awaiting_payment',
      bearer: null,
      attention: [],
      revision: 1,
      streams: [
        {
          source: 'shop',
          object: 'order:1042',
          contract: 'sequence',
          version: '1',
          missing: [],
          held: [
            { event: 'e4', type: 'order.shipped', version: '4', reason: 'gap', waitsFor: 'versions 2 to 3' },
          ],
        },
      ],
      effects: [],
    });
  });

  it('the payment that carries it and the effects its status asked for', async () => {
    const { store } = await migratedStore();
    await storeEvents(store, [{ eventId: 'p1', type: 'payment.captured', version: '1', ...payment }]);
    await judge(store, KEY);
    const shown = await showOrder(store, KEY);
    expect(shown).toMatchObject({ status: 'paid', bearer: 'p1' });
    expect(shown?.effects.map(({ name, state, attempts }) => [name, state, attempts])).toEqual([
      ['fulfil', 'pending', 0],
      ['sendReceipt', 'pending', 0],
    ]);
  });

  it('what a person has to decide, in words', async () => {
    const { store } = await migratedStore();
    await storeEvents(store, [
      { eventId: 'e1', type: 'order.created', version: '1' },
      { eventId: 'e2', type: 'order.cancelled', version: '2' },
      { eventId: 'p1', type: 'payment.captured', version: '1', ...payment },
    ]);
    await judge(store, KEY);
    const shown = await showOrder(store, KEY);
    expect(shown?.attention).toMatchObject([
      { kind: 'review', stream: 'shop/payment:p1', reason: 'captured although it was cancelled' },
    ]);
    expect(shown?.streams.find(({ object }) => object === 'payment:p1')?.held).toMatchObject([
      { event: 'p1', waitsFor: 'a person: captured although it was cancelled' },
    ]);
    expect((await listOrders(store, { attention: 'review', limit: 10 })).items).toHaveLength(1);
    expect((await listOrders(store, { attention: 'gap', limit: 10 })).items).toHaveLength(0);
  });

  it('nothing of an order that was never heard of', async () => {
    const { store } = await migratedStore();
    expect(await showOrder(store, KEY)).toBeNull();
    expect(await orderTimeline(store, KEY)).toBeNull();
  });
});

describe('the timeline of an order', () => {
  it('by receipt tells what came and what became of it; by version what the provider meant', async () => {
    const { store } = await migratedStore();
    await storeEvents(store, [
      { eventId: 'p1', type: 'payment.captured', version: '1', ...payment, receivedAtMs: 1_000_000 },
      { eventId: 'e2', type: 'order.shipped', version: '2', receivedAtMs: 2_000_000 },
      { eventId: 'e1', type: 'order.created', version: '1', receivedAtMs: 3_000_000 },
      { eventId: 'e1', type: 'order.created', version: '1', receivedAtMs: 4_000_000 },
    ]);
    await judge(store, KEY);
    const byReceipt = await orderTimeline(store, KEY, { by: 'received' });
    const told = byReceipt?.entries.filter(({ event }) => event !== null) ?? [];
    expect(told.map(({ event, outcome, deliveries }) => [event, outcome, deliveries])).toEqual([
      ['p1', 'applied', 1],
      ['e2', 'applied', 1],
      ['e1', 'ignored', 2],
    ]);
    expect(told[0]).toMatchObject({ effects: ['fulfil', 'sendReceipt'] });
    expect(told[1]).toEqual({
      foundBy: 'webhook',
      receivedAt: '1970-01-01T00:33:20.000000Z',
      settledAt: expect.stringMatching(/^\d{4}-/) as string,
      source: 'shop',
      event: 'e2',
      deliveries: 1,
      type: 'order.shipped',
      object: 'order:1042',
      version: '2',
      revision: 1,
      from: 'paid',
      to: 'shipped',
      outcome: 'applied',
      reason: null,
      held: null,
      effects: [],
      cause: null,
      worker: 'worker-1',
      secret: 'a',
      machine: 1,
    });
    const byVersion = await orderTimeline(store, KEY, { by: 'version' });
    expect(byVersion?.entries.flatMap(({ event }) => event ?? [])).toEqual(['e1', 'e2', 'p1']);
  });

  it('says of an event that was held for what it waited and how long; its statuses chain', async () => {
    const { store } = await migratedStore();
    const later = { eventId: 'e3', type: 'order.shipped', version: '3', receivedAtMs: 1_000_000 };
    await storeEvents(store, [{ eventId: 'e1', type: 'order.created', version: '1' }, later]);
    await judge(store, KEY);
    expect((await orderTimeline(store, KEY))?.entries).toMatchObject([
      { event: 'e3', outcome: 'held', held: { until: null, waitedFor: expect.any(String) as string } },
      { event: 'e1', held: null },
    ]);
    await storeEvents(store, [{ eventId: 'e2', type: 'payment.captured', version: '2', payment: 'p1' }]);
    await judge(store, KEY);
    const told = (await orderTimeline(store, KEY, { by: 'version' }))?.entries ?? [];
    expect(told.map(({ event, from, to }) => [event, from, to])).toEqual([
      ['e1', 'new', 'awaiting_payment'],
      ['e2', 'awaiting_payment', 'paid'],
      ['e3', 'paid', 'shipped'],
    ]);
    const { held, settledAt } = told[2] ?? {};
    expect(held).toMatchObject({ until: settledAt, waitedFor: 'version 2' });
  });

  it('shows an event that nobody has judged yet', async () => {
    const { store } = await migratedStore();
    await storeEvents(store, [{ eventId: 'e1', version: '1' }]);
    expect((await orderTimeline(store, KEY))?.entries).toMatchObject([
      { event: 'e1', outcome: null, settledAt: null },
    ]);
  });
});

describe('events for people', () => {
  it('are found by their id, in each source that uses it, with every delivery and without a body', async () => {
    const { store } = await migratedStore();
    await storeEvents(store, [
      { eventId: 'e1', version: '1', deliveryId: 'd1', body: Buffer.from('{"card":"4242"}') },
      { eventId: 'e1', version: '1', deliveryId: 'd2', body: Buffer.from('{"card":"4242"}') },
      { eventId: 'e1', source: 'payments', stream: 'payments/order:1042', version: '1' },
    ]);
    const found = await showEvents(store, { event: 'e1' });
    expect(found.map(({ source }) => source)).toEqual(['shop', 'payments']);
    expect(found[0]).toMatchObject({
      order: '1042',
      deliveries: [{ deliveryId: 'd1' }, { deliveryId: 'd2' }],
    });
    expect(JSON.stringify(found)).not.toContain('4242');
    expect(await showEvents(store, { source: 'payments', event: 'e1' })).toHaveLength(1);
  });

  it('are listed by what became of them, and a list says when there are more', async () => {
    const { store } = await migratedStore();
    await storeEvents(store, [
      { eventId: 'e1', version: '1' },
      { eventId: 'e3', type: 'order.shipped', version: '3' },
    ]);
    expect((await listEvents(store, { outcome: 'waiting', limit: 10 })).items).toHaveLength(2);
    await judge(store, KEY);
    const held = await listEvents(store, { outcome: 'held', limit: 10 });
    expect(held.items).toMatchObject([{ event: 'e3', order: '1042', reason: 'gap' }]);
    expect(await listEvents(store, { limit: 1 })).toMatchObject({ items: [{ event: 'e3' }], hasMore: true });
  });
});
