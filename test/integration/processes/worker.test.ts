import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DELIVER_SIGNAL } from '../../../workflows/messages.ts';
import { connectLazily } from '../../../src/temporal/connection.ts';
import { RequestIdClient } from '../../../src/temporal/request-id-client.ts';
import { workflowIdOf } from '../../../src/temporal/workflow-id.ts';
import { startSystem } from './system.ts';
import type { System } from './system.ts';

let system: System;
let client: RequestIdClient;
beforeAll(async () => {
  system = await startSystem({ redeliverAfterMs: 1_000 });
  const connection = connectLazily(system.environment);
  system.defer(() => connection.close());
  client = new RequestIdClient({ connection, namespace: system.environment.temporalNamespace });
});
afterAll(() => system.world.cleanup());

const handleOf = (order: string) =>
  client.getHandle(workflowIdOf({ machine: 'order', environment: 'demo', id: order }));

describe('a receiver and a worker', () => {
  test('a signed webhook becomes a status, and its effects are called once', async () => {
    const { newOrder, send, untilStatus, untilSettled, outcomesOf, doneEffects } = system;
    const order = newOrder();
    const [created, captured] = [order.created(), order.captured()];
    expect(await send(created)).toBe(202);
    expect(await send(captured)).toBe(202);
    await untilStatus(order.id, 'paid');
    await untilSettled();
    expect(await outcomesOf(order.id)).toEqual({ [created.id]: 'applied', [captured.id]: 'applied' });
    await expect
      .poll(() => doneEffects(order.id).sort(), { timeout: 10_000 })
      .toEqual(['fulfil', 'sendReceipt']);
  });

  test('the signal that dispatch sends is one that the workflow handles', async () => {
    const { newOrder, send, untilStatus } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    const { events } = await handleOf(order.id).fetchHistory();
    const sent = (events ?? []).flatMap(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
    );
    const metadata = await handleOf(order.id).query<{
      definition: { signalDefinitions: { name?: string }[] };
    }>('__temporal_workflow_metadata');
    const handled = metadata.definition.signalDefinitions.flatMap(({ name }) => name ?? []);
    expect(sent).toEqual([DELIVER_SIGNAL]);
    expect(handled).toEqual([DELIVER_SIGNAL]);
  });

  test('a repeat of a settled event adds nothing to the history', async () => {
    const { newOrder, send, untilStatus } = system;
    const order = newOrder();
    const created = order.created();
    await send(created);
    await untilStatus(order.id, 'awaiting_payment');
    const before = (await handleOf(order.id).describe()).historyLength;
    expect(await send(created)).toBe(202);
    expect(await send(created)).toBe(202);
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    const { events } = await handleOf(order.id).fetchHistory();
    const signals = (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes);
    expect(before).toBeGreaterThan(0);
    expect(signals).toHaveLength(2);
  });

  test('[R42] an order whose run was terminated goes on with its next event', async () => {
    const { newOrder, send, untilStatus, doneEffects } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    await handleOf(order.id).terminate('by a test');
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    await expect.poll(() => doneEffects(order.id).length, { timeout: 10_000 }).toBe(2);
  });

  test('[R42] a gap whose timer went with its run is found by the sweeper, and the provider is asked', async () => {
    const { newOrder, send, untilStatus, outcomesOf, untilSettled } = system;
    const order = newOrder();
    order.failed();
    const captured = order.captured();
    await send(captured);
    await expect.poll(() => outcomesOf(order.id), { timeout: 10_000 }).toEqual({ [captured.id]: 'held' });
    await handleOf(order.id).terminate('by a test');
    await untilStatus(order.id, 'paid');
    await untilSettled();
  });

  test('an effect whose attempt went with its run is found by the sweeper and done once', async () => {
    const { newOrder, send, untilStatus, store, doneEffects } = system;
    const order = newOrder();
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    await expect.poll(() => doneEffects(order.id).length, { timeout: 10_000 }).toBe(2);
    await handleOf(order.id).terminate('by a test');
    // As if the run had ended before it came to this effect.
    await store.write(
      `UPDATE effects SET state = 'pending', attempts = 0, lease_until = NULL, next_attempt_at = NULL,
              unknown_since = NULL, last_attempt_at = NULL
        WHERE order_id = ? AND name = 'fulfil'`,
      [order.id],
    );
    const stateOf = async () => {
      const [row] = await store.query<{ state: string }>(
        "SELECT state FROM effects WHERE order_id = ? AND name = 'fulfil'",
        [order.id],
      );
      return row?.state;
    };
    await expect.poll(stateOf, { timeout: 20_000 }).toBe('done');
    expect(doneEffects(order.id).sort()).toEqual(['fulfil', 'sendReceipt']);
    // Nothing is left that would wake the order for ever.
    const wakeAt = async () => {
      const [row] = await store.query<{ wake_at: string | null; due_at: string | null; wakes: number }>(
        'SELECT wake_at, due_at, wakes FROM orders WHERE order_id = ?',
        [order.id],
      );
      return row;
    };
    await store.write('UPDATE orders SET wake_at = UTC_TIMESTAMP(6) WHERE order_id = ? AND wakes > 0', [
      order.id,
    ]);
    await expect.poll(wakeAt, { timeout: 10_000 }).toEqual({ wake_at: null, due_at: null, wakes: 0 });
  });

  test('[R42] an effect that failed when nobody was there to hear it is found, and a person told', async () => {
    const { newOrder, send, untilStatus, store, doneEffects, orderOf } = system;
    const order = newOrder();
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    await expect.poll(() => doneEffects(order.id).length, { timeout: 10_000 }).toBe(2);
    await handleOf(order.id).terminate('by a test');
    // As if its last attempt had ended so, and its worker died before the run was told.
    await store.write(
      `UPDATE effects SET state = 'failed', error = 'the receiver answered 422'
        WHERE order_id = ? AND name = 'fulfil'`,
      [order.id],
    );
    await expect
      .poll(async () => (await orderOf(order.id))?.attention_kinds, { timeout: 20_000 })
      .toBe(',effect,');
    const [row] = await store.query<{ attention: Buffer }>(
      'SELECT attention FROM orders WHERE order_id = ?',
      [order.id],
    );
    expect(row?.attention.toString()).toContain('fulfil: failed: the receiver answered 422');
    // It is told once: nothing wakes the order for it again.
    const { revision } = (await orderOf(order.id)) ?? {};
    await store.write('UPDATE orders SET wake_at = UTC_TIMESTAMP(6) WHERE order_id = ? AND wakes > 0', [
      order.id,
    ]);
    const wakesOf = async () => {
      const [found] = await store.query<{ wakes: number }>('SELECT wakes FROM orders WHERE order_id = ?', [
        order.id,
      ]);
      return found?.wakes;
    };
    await expect.poll(wakesOf, { timeout: 10_000 }).toBe(0);
    expect((await orderOf(order.id))?.revision).toBe(revision);
  });

  test('two workers share the work, and one that stops leaves nothing behind', async () => {
    const { newOrder, newWorker, send, untilStatus, untilSettled } = system;
    const second = await newWorker();
    const orders = Array.from({ length: 10 }, () => newOrder());
    for (const order of orders) await send(order.created());
    const stopping = second.stop();
    for (const order of orders) await send(order.captured());
    await stopping;
    for (const order of orders) await untilStatus(order.id, 'paid');
    await untilSettled();
  });

  test('a machine that changed without a new version stops the start', async () => {
    const { config, newWorker } = system;
    const machine = config.machines.get('order');
    if (!machine) throw new Error('the demo has a machine');
    config.machines.set('order', { ...machine, digest: 'f'.repeat(64) });
    try {
      await expect(newWorker()).rejects.toMatchObject({ code: 'machine_changed' });
    } finally {
      config.machines.set('order', machine);
    }
  });
});
