/** Orders that live long, and what is done to their runs by hand or comes near to a limit of the server's. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startOrderSystem } from './order-system.ts';
import { shuffled } from './shuffled.ts';

/** So many refunds; INORDER_LONG_LIFE=1000 for the long way. */
const REFUNDS = Number(process.env['INORDER_LONG_LIFE'] ?? 150);

const LIMIT_MS = 60_000 + REFUNDS * 300;

test(
  `[R42] [R31] an order of ${REFUNDS} refunds, shuffled and repeated, goes through many runs: each is booked once`,
  async () => {
    const system = await startOrderSystem({
      worker: false,
      configure: (config) => (config.maxEventsPerRun = 40),
    });
    const { newOrder, send, untilSettled, untilStatus, orderOf, shop, client, idOf } = system;
    await system.newWorker();
    const order = newOrder();
    const payment = `payment:pay-${order.id}`;
    const events = [order.created(), order.captured()];
    for (let n = 1; n <= REFUNDS; n++) {
      const data = { refund: `re-${order.id}-${n}`, amount: '1', currency: 'EUR' };
      events.push(order.say(payment, 'payment.partially_refunded', data));
    }
    // In windows, as providers do: what was told late lies near its place.
    for (let from = 0; from < events.length; from += 25) {
      const window = events.slice(from, from + 25);
      await Promise.all(shuffled([...window, ...window.slice(0, 5)], from + 1).map(send));
    }
    await untilStatus(order.id, 'partially_refunded', LIMIT_MS);
    await untilSettled(LIMIT_MS);
    const booked = () =>
      shop.effects.done.filter((effect) => effect.order === order.id && effect.name === 'bookRefund');
    await expect.poll(() => booked().length, { timeout: LIMIT_MS, interval: 200 }).toBe(REFUNDS);
    expect(new Set(booked().map(({ key }) => key)).size).toBe(REFUNDS);
    expect((await orderOf(order.id))?.attention_kinds).toBe('');
    const runs: string[] = [];
    for await (const run of client.list({ query: `WorkflowId = "${idOf(order.id)}"` })) runs.push(run.runId);
    expect(runs.length).toBeGreaterThan(1);
    const [state] = await system.store.query<{ bytes: string }>(
      'SELECT LENGTH(state) AS bytes FROM orders WHERE order_id = ?',
      [order.id],
    );
    // What is known of a stream does not grow with what happened to it.
    expect(Number(state?.bytes)).toBeLessThan(10_000);
  },
  LIMIT_MS,
);

test('[R42] signals beyond what the server takes of one run wait for the next run, and none is lost', async () => {
  const system = await startOrderSystem({
    ownTemporal: { limits: { 'history.maximumSignalsPerExecution': 5 } },
    redeliverAfterMs: 1_000,
    worker: false,
    configure: (config) => (config.maxEventsPerRun = 5),
  });
  const { newOrder, send, untilSettled, untilStatus } = system;
  const order = newOrder();
  const events = [order.created()];
  for (let attempt = 0; attempt < 12; attempt++)
    events.push(order.say(`payment:pay-${order.id}`, 'payment.failed'));
  events.push(order.captured());
  for (const event of events) expect(await send(event)).toBe(202);
  await system.newWorker();
  await untilStatus(order.id, 'paid', 60_000);
  await untilSettled(60_000);
  expect(system.warnings).toContain('Temporal refused a signal; its events are left to the sweeper');
});

test('[R42] a run reset by hand to its beginning goes on from what is stored: no decision and no effect twice', async () => {
  const system = await startOrderSystem();
  const { newOrder, send, untilStatus, doneEffects, handleOf, idOf, client, environment, orderOf } = system;
  const order = newOrder();
  await send(order.created());
  await untilStatus(order.id, 'awaiting_payment');
  await send(order.captured());
  await untilStatus(order.id, 'paid');
  await expect.poll(() => doneEffects(order.id).length, { timeout: 10_000 }).toBe(2);
  const { events } = await handleOf(order.id).fetchHistory();
  const first = (events ?? []).find((event) => event.workflowTaskCompletedEventAttributes);
  await client.workflowService.resetWorkflowExecution({
    namespace: environment.temporalNamespace,
    workflowExecution: { workflowId: idOf(order.id) },
    reason: 'by a test',
    workflowTaskFinishEventId: first?.eventId ?? null,
    requestId: randomUUID(),
  });
  await send(order.shipped());
  await untilStatus(order.id, 'shipped');
  expect(doneEffects(order.id).sort()).toEqual(['fulfil', 'sendReceipt']);
  expect(await orderOf(order.id)).toMatchObject({ revision: 3, attention_kinds: '' });
  expect((await system.journalOf(order.id)).map(({ kind }) => kind)).toEqual(['step', 'step', 'step']);
});
