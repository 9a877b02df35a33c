import type { WorkflowExecutionDescription } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApply } from '../../../activities/apply.ts';
import {
  DELIVER_SIGNAL,
  RECONCILE_UPDATE,
  RESOLVE_UPDATE,
  STATE_QUERY,
} from '../../../workflows/messages.ts';
import type { ResolveRequest } from '../../../workflows/messages.ts';
import type { OrderView } from '../../../workflows/order-run.ts';
import { workflowCode } from '../../replay/workflow-code.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';
import { shuffled } from './shuffled.ts';

let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem();
});
afterAll(() => system.world.cleanup());

const attributesOf = ({ typedSearchAttributes }: WorkflowExecutionDescription) =>
  Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));

async function effectStates(order: string): Promise<Record<string, string>> {
  const rows = await system.store.query<{ name: string; state: string }>(
    'SELECT name, state FROM effects WHERE order_id = ?',
    [order],
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

describe('an order', () => {
  test('[R21] ends in its true status when its events come in reverse, and each of them is applied', async () => {
    const { newOrder, send, untilStatus, untilOutcome } = system;
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    const events = [
      order.created(),
      order.say(payment, 'payment.failed'),
      order.say(payment, 'payment.authorized'),
      order.say(payment, 'payment.captured'),
    ];
    for (const event of [...events].reverse()) expect(await send(event)).toBe(202);
    await untilStatus(order.id, 'paid');
    await untilOutcome(order.id, events[3]?.id ?? '', 'applied');
  });

  test('[R20, R60] is the same whatever order its events come in, each once or twice, in parallel', async () => {
    const { newOrder, send, untilStatus, untilSettled, doneEffects } = system;
    const told = Array.from({ length: 6 }, (_, seed) => {
      const order = newOrder();
      const payment = `payment:pay-${order.id}`;
      const events = [
        order.created(),
        order.say(payment, 'payment.authorized'),
        order.say(payment, 'payment.captured'),
        order.say(payment, 'payment.partially_refunded', { refund: `re-1-${order.id}` }),
        order.say(payment, 'payment.partially_refunded', { refund: `re-2-${order.id}` }),
      ];
      return { order, deliveries: shuffled([...events, ...events.slice(0, seed)], seed * 7_919 + 1) };
    });
    await Promise.all(told.map(({ deliveries }) => Promise.all(deliveries.map(send))));
    for (const { order } of told) await untilStatus(order.id, 'partially_refunded');
    await untilSettled();
    for (const { order } of told)
      await expect
        .poll(() => doneEffects(order.id).filter((name) => name === 'bookRefund').length, { timeout: 10_000 })
        .toBe(2);
  });

  test('[R21, R63] is not changed by anything that is delivered again', async () => {
    const { newOrder, send, untilStatus, untilSettled, orderOf, doneEffects } = system;
    const order = newOrder();
    const events = [order.created(), order.captured(), order.shipped()];
    for (const event of events) await send(event);
    await untilStatus(order.id, 'shipped');
    await untilSettled();
    await expect.poll(() => doneEffects(order.id), { timeout: 10_000 }).toContain('sendReceipt');
    const before = await orderOf(order.id);
    const effects = doneEffects(order.id).length;
    await Promise.all([...events, ...events].map(send));
    await untilSettled();
    expect(await orderOf(order.id)).toEqual(before);
    expect(doneEffects(order.id)).toHaveLength(effects);
  });

  test('[R24] a late failure of the first attempt never touches the success of the second', async () => {
    const { newOrder, send, untilStatus, untilOutcome, orderOf } = system;
    const order = newOrder();
    await send(order.created());
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    const failed = order.say(`payment:first-${order.id}`, 'payment.failed');
    await send(failed);
    await untilOutcome(order.id, failed.id, 'ignored');
    expect((await orderOf(order.id))?.status).toBe('paid');
  });

  test('[R27] an early cancel overtakes a gap, and the late number is superseded by what was cancelled', async () => {
    const { newOrder, send, untilStatus, untilSettled, orderOf } = system;
    const order = newOrder();
    const created = order.created();
    await send(order.cancelled());
    await untilStatus(order.id, 'cancelled');
    await send(created);
    await untilSettled();
    expect((await orderOf(order.id))?.status).toBe('cancelled');
  });

  test('[R29, R40] a gap that does not close is asked about, and what was held follows', async () => {
    const { newOrder, send, untilStatus, untilOutcome, shop } = system;
    const asked = shop.sandbox.asked;
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    order.say(payment, 'payment.authorized');
    const captured = order.say(payment, 'payment.captured');
    await send(captured);
    await untilOutcome(order.id, captured.id, 'held');
    await untilStatus(order.id, 'paid');
    await untilOutcome(order.id, captured.id, 'applied');
    expect(shop.sandbox.asked).toBeGreaterThan(asked);
  });

  test('[R26] a refund of a second payment is booked, and the order stays as it is', async () => {
    const { newOrder, send, untilStatus, untilOutcome, doneEffects, orderOf } = system;
    const order = newOrder();
    await send(order.created());
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    const second = `payment:second-${order.id}`;
    const captured = order.say(second, 'payment.captured');
    await send(captured);
    await untilOutcome(order.id, captured.id, 'review');
    expect((await orderOf(order.id))?.attention_kinds).toContain('review');
    const { resolve } = system;
    expect(await resolve(order.id, captured, { kind: 'ignore' })).toMatchObject({ refused: null });
    await send(order.say(second, 'payment.refunded', { refund: `re-${order.id}` }));
    await expect.poll(() => doneEffects(order.id), { timeout: 10_000 }).toContain('bookRefund');
    expect(await orderOf(order.id)).toMatchObject({ status: 'paid' });
  });

  test('[R43] a person’s word is refused when the order has moved since, and is journalled with who and why', async () => {
    const { newOrder, send, untilStatus, untilOutcome, resolve, journalOf } = system;
    const order = newOrder();
    await send(order.created());
    await send(order.cancelled());
    await untilStatus(order.id, 'cancelled');
    const captured = order.captured();
    await send(captured);
    await untilOutcome(order.id, captured.id, 'review');
    const outdated = await resolve(order.id, captured, { kind: 'ignore' }, { revision: 1 });
    expect(outdated.refused).toMatch(/moved since/);
    const wrong = await resolve(order.id, captured, { kind: 'apply', status: 'shipped' });
    expect(wrong.refused).toMatch(/leads payment.captured to/);
    const done = await resolve(order.id, captured, { kind: 'apply', status: 'paid' });
    expect(done).toMatchObject({ refused: null, status: 'paid' });
    await untilOutcome(order.id, captured.id, 'applied');
    expect(await journalOf(order.id)).toContainEqual(
      expect.objectContaining({ kind: 'resolved', reason: 'ada: looked at it' }),
    );
  });

  test('[R40] is asked about when a person says so', async () => {
    const { newOrder, send, untilStatus, handleOf, shop } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    order.captured();
    const asked = shop.sandbox.asked;
    await handleOf(order.id).executeUpdate(RECONCILE_UPDATE, {
      args: [{ actor: 'ada', reason: 'the customer called', stream: null }],
    });
    await untilStatus(order.id, 'paid');
    expect(shop.sandbox.asked).toBeGreaterThan(asked);
  });

  test('[R33] a sensitive effect waits while a gap is open, and others do not', async () => {
    const { newOrder, send, untilStatus, doneEffects, shop } = system;
    const order = newOrder();
    const created = order.created();
    const noted = order.say(`order:${order.id}`, 'order.note_added');
    shop.sandbox.setMood({ down: true });
    const asked = shop.sandbox.asked;
    await send(noted);
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    await expect.poll(() => doneEffects(order.id), { timeout: 10_000 }).toEqual(['sendReceipt']);
    // The gap's time is over and the provider does not answer: it is still open.
    await expect.poll(() => shop.sandbox.asked, { timeout: 10_000 }).toBeGreaterThan(asked + 1);
    expect(doneEffects(order.id)).toEqual(['sendReceipt']);
    shop.sandbox.setMood({ down: false });
    await send(created);
    await expect.poll(() => doneEffects(order.id), { timeout: 10_000 }).toContain('fulfil');
  });

  test('[R28] a second writer is refused by the store, and a person is told of it', async () => {
    const { newOrder, send, untilStatus, handleOf, orderOf, store, eventOf } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    const { state, revision } = await handleOf(order.id).query<OrderView>(STATE_QUERY);
    const apply = createApply({ store, worker: 'another' });
    const other = { runId: 'another-run', outcomes: [], journal: [], effects: [], news: [], dueAt: null };
    const written = await apply({ ...other, key: state.key, revision, state, machineVersion: 1 });
    expect(written).toMatchObject({ applied: true, revision: revision + 1 });
    const captured = order.captured();
    await send(captured);
    await untilStatus(order.id, 'paid');
    expect((await eventOf(order.id, captured.id))?.outcome).toBe('applied');
    expect((await orderOf(order.id))?.attention_kinds).toContain('conflict');
    const request: ResolveRequest = {
      ...{ actor: 'ada', reason: 'the old server is gone', stream: null, event: null },
      ...{ revision: (await orderOf(order.id))?.revision ?? 0, resolution: { kind: 'ignore' } },
    };
    await handleOf(order.id).executeUpdate(RESOLVE_UPDATE, { args: [request] });
    expect((await orderOf(order.id))?.attention_kinds).not.toContain('conflict');
  });

  test('tells its status, sources and attention to lists of workflows', async () => {
    const { newOrder, send, untilOutcome, untilStatus, handleOf } = system;
    const order = newOrder();
    await send(order.created());
    await send(order.cancelled());
    await untilStatus(order.id, 'cancelled');
    const captured = order.captured();
    await send(captured);
    await untilOutcome(order.id, captured.id, 'review');
    await expect
      .poll(async () => attributesOf(await handleOf(order.id).describe()), { timeout: 10_000 })
      .toMatchObject({
        InorderStatus: 'cancelled',
        InorderAttention: ['review'],
        InorderSource: ['payments', 'shop'],
      });
  });

  test('[R33] an effect that was dropped when the order left runs after all when the order comes back', async () => {
    const { newOrder, send, untilStatus, untilSettled, doneEffects } = system;
    await system.stopWorkers();
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    await send(order.created());
    await send(order.captured());
    await send(order.say(payment, 'payment.refunded', { refund: `re-${order.id}` }));
    await system.newWorker();
    await untilStatus(order.id, 'refunded');
    await untilSettled();
    await expect.poll(() => effectStates(order.id), { timeout: 10_000 }).toMatchObject({ fulfil: 'dropped' });
    await send(order.say(payment, 'refund.failed'));
    await untilStatus(order.id, 'paid');
    await expect.poll(() => doneEffects(order.id), { timeout: 10_000 }).toContain('fulfil');
    await expect.poll(() => effectStates(order.id), { timeout: 10_000 }).toMatchObject({ fulfil: 'done' });
  });

  test('a hundred events signalled while no worker runs are all judged by one', async () => {
    const { newOrder, send, untilSettled, untilStatus } = system;
    await system.stopWorkers();
    const order = newOrder();
    const events = [order.created()];
    for (let attempt = 0; attempt < 120; attempt++)
      events.push(order.say(`payment:pay-${order.id}`, 'payment.failed'));
    events.push(order.say(`payment:pay-${order.id}`, 'payment.captured'));
    await Promise.all(shuffled(events, 11).map(send));
    await system.newWorker();
    await untilStatus(order.id, 'paid');
    await untilSettled();
  });
});

describe('versions of the code side by side', () => {
  test('[R45] a worker with a changed rule goes on from what is stored, and never rewrites it', async () => {
    const before = await startOrderSystem();
    const { newOrder, send, untilStatus, handleOf, orderOf, untilOutcome } = before;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    await before.stopWorkers();
    await before.newWorker({ workflows: await workflowCode({ changedRule: true }) });
    // A query on a worker that never saw the order replays its whole history, on the changed rule.
    const view = await handleOf(order.id).query<OrderView>(STATE_QUERY);
    expect(view.state.status).toBe('paid');
    expect(view.revision).toBe((await orderOf(order.id))?.revision);
    const shipped = order.shipped();
    await send(shipped);
    await untilOutcome(order.id, shipped.id, 'ignored');
    expect((await orderOf(order.id))?.status).toBe('paid');
  });

  test('[R45] a new version of the machine is taken up by open orders, journalled, and old decisions stand', async () => {
    const before = await startOrderSystem();
    const { newOrder, send, untilStatus, journalOf, config } = before;
    const order = newOrder();
    await send(order.created());
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    await before.stopWorkers();
    const configured = config.machines.get('order');
    if (configured === undefined) throw new Error('the demo has a machine called order');
    const { paid, ...statuses } = configured.machine.statuses;
    const renamed = (cell: unknown): unknown => (cell === 'paid' ? 'settled' : cell);
    const machine = JSON.parse(
      JSON.stringify(
        { ...configured.machine, version: 2, statuses: { ...statuses, settled: paid } },
        (key, value) => (Array.isArray(value) ? value.map(renamed) : renamed(value)),
      ).replaceAll('"paid":', '"settled":'),
    ) as typeof configured.machine;
    machine.renamed = { paid: 'settled' };
    config.machines.set('order', { ...configured, machine, digest: 'another' });
    await before.newWorker();
    await send(order.shipped());
    await untilStatus(order.id, 'shipped');
    await expect
      .poll(async () => (await journalOf(order.id)).map(({ kind, reason }) => `${kind} ${reason}`))
      .toEqual(['step null', 'step null', 'step null', 'machine version 1 to 2']);
  });

  test('[R45] a deployment that is rolled back says that it decides by the newer table, beside one that has it', async () => {
    const system = await startOrderSystem();
    const { newOrder, send, untilStatus, untilOutcome, orderOf, journalOf, config, warnings } = system;
    const old = config.machines.get('order');
    if (old === undefined) throw new Error('the demo has a machine called order');
    const order = newOrder();
    await send(order.created());
    await send(order.captured());
    await untilStatus(order.id, 'paid');
    await system.stopWorkers();
    const on = {
      ...old.machine.on,
      'order.shipped': { ...old.machine.on['order.shipped'], paid: { ignore: 'no shop' } },
    };
    config.machines.set('order', { ...old, machine: { ...old.machine, version: 2, on }, digest: 'another' });
    await system.newWorker();
    config.machines.set('order', old);
    await system.newWorker();
    expect(warnings.filter((line) => line.includes('decided by a newer version'))).toHaveLength(1);
    const again = newOrder();
    await send(again.created());
    await send(again.captured());
    await untilStatus(again.id, 'paid');
    const shipped = again.shipped();
    await send(shipped);
    await untilOutcome(again.id, shipped.id, 'ignored');
    expect((await orderOf(again.id))?.status).toBe('paid');
    // An open order hears of a newer table with its next decision.
    await send(order.shipped());
    await expect
      .poll(async () => (await journalOf(order.id)).at(-1)?.reason, { timeout: 20_000 })
      .toBe('version 1 to 2');
  });

  test('a signal of no events only wakes an order', async () => {
    const { newOrder, send, untilStatus, handleOf, orderOf } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    const before = await orderOf(order.id);
    await handleOf(order.id).signal(DELIVER_SIGNAL, { v: 1, events: [], sources: {} });
    await handleOf(order.id).query(STATE_QUERY);
    expect(await orderOf(order.id)).toEqual(before);
  });
});
