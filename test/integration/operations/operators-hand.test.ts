/** What a person can do by the command line, on the real stack. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showOrder } from '../../../src/operations/show-order.ts';
import type { OrderView } from '../../../src/operations/show-order.ts';
import { runCli } from '../cli/run-cli.ts';
import { startOrderSystem } from '../order/order-system.ts';
import type { OrderSystem } from '../order/order-system.ts';
import { switchEffect } from './effect-switch.ts';
import type { EffectSwitch, Mood } from './effect-switch.ts';

let system: OrderSystem;
let receipt: EffectSwitch;
beforeAll(async () => {
  system = await startOrderSystem({
    configure: (config) => {
      receipt = switchEffect(config, 'sendReceipt');
      config.closeAfterMs = 1_000;
    },
  });
});
afterAll(() => system.world.cleanup());

const WHY = ['--reason', 'seen in the shop', '--actor', 'ada'];
const keyOf = (id: string) => ({ machine: 'order', environment: 'demo', id });
const effectKey = (id: string) => `order/demo/${id}/sendReceipt/order`;
const cli = (...args: string[]) =>
  runCli(args, {
    env: {
      MYSQL_URL: system.environment.mysqlUrl,
      TEMPORAL_ADDRESS: system.environment.temporalAddress,
      INORDER_TASK_QUEUE: system.environment.taskQueue,
    },
  });
const lines = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const shown = async (id: string): Promise<OrderView> =>
  (await showOrder(system.store, keyOf(id))) ?? Promise.reject(new Error(`no order ${id}`));
const effectOf = async (id: string) => (await shown(id)).effects.find(({ name }) => name === 'sendReceipt');
const untilEffect = (id: string, state: string) =>
  expect.poll(async () => (await effectOf(id))?.state, { timeout: 20_000, interval: 50 }).toBe(state);
const untilCalm = (id: string) =>
  expect.poll(async () => (await shown(id)).attention, { timeout: 20_000, interval: 50 }).toEqual([]);
const journalOf = async (id: string) =>
  (await system.journalOf(id)).map(({ kind, reason }) => `${kind} ${reason}`);
const wordsOf = async (id: string) =>
  (await journalOf(id)).filter((line) => line.includes('ada: seen in the shop'));

/** A paid order whose receipt ended so. */
async function orderWhoseReceipt(mood: Mood): Promise<string> {
  receipt.mood = mood;
  const order = system.newOrder();
  await system.send(order.created());
  await system.send(order.captured());
  const state = { 'does it': 'done', 'certainly does not': 'failed', 'leaves it open': 'uncertain' }[mood];
  await untilEffect(order.id, state);
  if (state !== 'done')
    await expect.poll(async () => (await shown(order.id)).attention.length, { timeout: 20_000 }).toBe(1);
  receipt.mood = 'does it';
  return order.id;
}

describe('effects that need a person', () => {
  test('[R54] [R34] one that failed is listed, retried by the command that the order shows, and runs once', async () => {
    const id = await orderWhoseReceipt('certainly does not');
    const listed = lines((await cli('effects', 'list', '--state', 'failed', '--order', id, '--json')).stdout);
    expect(listed).toMatchObject([{ name: 'sendReceipt', key: effectKey(id), state: 'failed', attempts: 1 }]);
    const page = (await cli('orders', 'show', id)).stdout;
    const advised = page.split('\n').find((line) => line.includes('inorder effects retry')) ?? '';
    const [, ...args] = advised.trim().split(' ').slice(0, -2);
    const done = await cli(...args, ...WHY, '--json');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(lines(done.stdout)).toMatchObject([{ key: effectKey(id), action: 'retry', refused: null }]);
    await untilEffect(id, 'done');
    await untilCalm(id);
    expect(await effectOf(id)).toMatchObject({ attempts: 2, error: null });
    expect(receipt.done.filter((key) => key === effectKey(id))).toHaveLength(1);
    expect(await wordsOf(id)).toEqual([
      `effect retried ${effectKey(id)}, ada: seen in the shop (sendReceipt was failed: NotDone: not today)`,
    ]);

    const told = (await cli('effects', 'show', effectKey(id))).stdout;
    expect(told).toMatch(/^sendReceipt {2}order\/demo\/\S+\n {2}done after 2 attempts\n\n/);
    expect(told).toMatch(/ a person {2,}.* retried .*, ada: seen in the shop/);

    const again = await cli(...args, ...WHY);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('refused, nothing changed: it is done, and is never run again');
    expect(await wordsOf(id)).toHaveLength(1);
  });

  test('[R54] [R32] one that may have been done is confirmed: it counts as done and is never called again', async () => {
    const id = await orderWhoseReceipt('leaves it open');
    const calls = receipt.calls.length;
    const [told] = lines((await cli('effects', 'show', effectKey(id), '--json')).stdout);
    expect(told).toMatchObject({ state: 'uncertain', mayBeDone: true, from: 'awaiting_payment', to: 'paid' });
    expect(told?.['commands']).toEqual(
      ['retry', 'confirm', 'skip'].map((action) => `inorder effects ${action} ${effectKey(id)} --reason '…'`),
    );
    expect((await cli('effects', 'list', '--state', 'uncertain', '--order', id)).stdout).toContain(
      effectKey(id),
    );
    const { code, stdout } = await cli('effects', 'confirm', effectKey(id), ...WHY);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `sendReceipt of order/demo/${id}: confirmed; the order is paid  ${effectKey(id)}\n`,
    });
    expect(await effectOf(id)).toMatchObject({ state: 'done', error: 'confirmed by ada: seen in the shop' });
    expect((await shown(id)).attention).toEqual([]);
    expect(await cli('effects', 'confirm', effectKey(id), ...WHY)).toMatchObject({ code: 0 });
    expect(await wordsOf(id)).toHaveLength(1);
    expect(receipt.calls).toHaveLength(calls);
  });

  test('[R54] one that may have been done is retried on the word that it was not', async () => {
    const id = await orderWhoseReceipt('leaves it open');
    expect(await cli('effects', 'retry', effectKey(id), ...WHY)).toMatchObject({ code: 0, stderr: '' });
    await untilEffect(id, 'done');
    await untilCalm(id);
    expect(receipt.done.filter((key) => key === effectKey(id))).toHaveLength(1);
  });

  test('[R54] a retry that fails again needs a person again', async () => {
    const id = await orderWhoseReceipt('certainly does not');
    receipt.mood = 'certainly does not';
    await cli('effects', 'retry', effectKey(id), ...WHY);
    await expect.poll(async () => (await effectOf(id))?.attempts, { timeout: 20_000 }).toBe(2);
    await expect.poll(async () => (await shown(id)).attention.length, { timeout: 20_000 }).toBe(1);
    expect(await effectOf(id)).toMatchObject({ state: 'failed' });
    receipt.mood = 'does it';
  });

  test('[R54] one that is skipped is dropped with a record; its order closes, and a retry opens it again', async () => {
    const id = await orderWhoseReceipt('certainly does not');
    expect(await cli('effects', 'skip', effectKey(id), ...WHY)).toMatchObject({ code: 0, stderr: '' });
    expect(await effectOf(id)).toMatchObject({ state: 'dropped', error: 'skipped by ada: seen in the shop' });
    await system.untilClosed(id);
    expect((await cli('effects', 'confirm', effectKey(id), ...WHY)).stderr).toContain(
      'it was dropped and not done',
    );
    await system.untilClosed(id);
    expect(await cli('effects', 'retry', effectKey(id), ...WHY)).toMatchObject({ code: 0, stderr: '' });
    await untilEffect(id, 'done');
    await system.untilClosed(id);
    expect(await wordsOf(id)).toHaveLength(2);
  });

  test('[R54] a filter counts first, does nothing without a yes, and says what became of each', async () => {
    const ids = [
      await orderWhoseReceipt('certainly does not'),
      await orderWhoseReceipt('certainly does not'),
    ];
    const filter = ['--state', 'failed', '--name', 'sendReceipt', '--environment', 'demo'];
    const asked = await cli('effects', 'retry', ...filter, ...WHY);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toMatch(/^\d+ effects of \d+ orders \(sendReceipt \d+\) would be retried\.\n/);
    for (const id of ids) expect((await effectOf(id))?.state).toBe('failed');

    const done = await cli('effects', 'retry', ...filter, ...WHY, '--yes', '--json');
    expect(done.code).toBe(0);
    const keys = lines(done.stdout).map(({ key }) => key);
    for (const id of ids) expect(keys).toContain(effectKey(id));
    for (const id of ids) await untilEffect(id, 'done');

    const none = await cli('effects', 'retry', ...filter, ...WHY, '--yes');
    expect(none).toMatchObject({ code: 3, stdout: '', stderr: 'No effects match; nothing was done.\n' });
    const slip = await cli('effects', 'skip', '--state', 'failed', '--name', 'sendReceit', ...WHY, '--yes');
    expect(slip).toMatchObject({ code: 3 });
    expect(slip.stderr).toContain("Did you mean 'sendReceipt'?");
  });

  test('[R54] a request that nobody could carry out is refused at the door, and holds nothing up', async () => {
    const order = system.newOrder();
    await system.send(order.created());
    await system.untilStatus(order.id, 'awaiting_payment');
    const who = { actor: 'ada', reason: 'by hand' };
    const event = { seq: 'x', source: 'shop', event: 'e' };
    for (const [update, request] of [
      ['effect', { ...who, key: effectKey(order.id), action: 'again' }],
      ['effect', { ...who, action: 'retry' }],
      ['effect', { key: effectKey(order.id), action: 'retry' }],
      ['link', who],
      ['link', { ...who, event, stream: 'shop/order:1' }],
    ] as const)
      await expect(
        system.handleOf(order.id).executeUpdate(update, { args: [request] }),
      ).rejects.toMatchObject({ name: 'WorkflowUpdateFailedError' });
    await system.send(order.captured());
    await system.untilStatus(order.id, 'paid');
  });

  test('[R54] nobody does anything without a name, a reason and something that is meant', async () => {
    const usage: [string[], string][] = [
      [['effects', 'retry', 'k', '--reason', ' '], 'Say why with --reason'],
      [['effects', 'retry', 'k', '--reason', 'r', '--actor', ''], 'say --actor'],
      [['effects', 'retry', '--reason', 'r'], 'Say which'],
      [['effects', 'skip', '--name', 'fulfil', '--reason', 'r'], 'Say which'],
      [['effects', 'skip', 'k', '--state', 'failed', '--reason', 'r'], 'not both'],
    ];
    for (const [args, says] of usage) {
      const { code, stdout, stderr } = await cli(...args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).toContain(says);
    }
    const unknown = await cli('effects', 'retry', 'no-such-key', ...WHY);
    expect(unknown).toMatchObject({ code: 3, stdout: '' });
    expect(unknown.stderr).toContain("'inorder effects list' shows the latest");
    expect((await cli('effects', 'show', 'no-such-key')).code).toBe(3);
  });
});

describe('an event whose order is not known', () => {
  let sent = 0;
  /** Of a payment that the provider's API knows nothing of, so that nobody else finds its order. */
  async function capturedWithoutOrder(): Promise<{ event: string; object: string }> {
    const payment = `by-phone-${++sent}`;
    const [event, object] = [`evt_by_phone_${sent}`, `payment:${payment}`];
    const body = {
      ...{ id: event, type: 'payment.captured', created: new Date().toISOString(), version: 1 },
      ...{ object: { kind: 'payment', id: payment }, data: { amount: '1000', currency: 'EUR' } },
    };
    expect(await system.sendBody(object, event, JSON.stringify(body))).toBe(202);
    return { event, object };
  }

  test('[R54] [R11] goes to the order that a person names, is journalled there, and is judged next', async () => {
    const order = system.newOrder();
    await system.send(order.created());
    await system.untilStatus(order.id, 'awaiting_payment');
    const { event, object } = await capturedWithoutOrder();
    expect((await cli('events', 'show', event)).stdout).toContain(`inorder events link ${event}`);

    const done = await cli('events', 'link', event, '--order', order.id, ...WHY, '--json');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(lines(done.stdout)).toMatchObject([{ refused: null }]);
    await system.untilStatus(order.id, 'paid');
    await system.untilOutcome(order.id, event, 'applied');
    expect(await wordsOf(order.id)).toEqual(['linked ada: seen in the shop']);
    const links = await system.store.query('SELECT order_id FROM links WHERE ref = ?', [object]);
    expect(links).toEqual([{ order_id: order.id }]);

    expect(await cli('events', 'link', event, '--order', order.id, ...WHY)).toMatchObject({ code: 0 });
    const other = system.newOrder();
    await system.send(other.created());
    await system.untilStatus(other.id, 'awaiting_payment');
    const moved = await cli('events', 'link', event, '--source', 'payments', '--order', other.id, ...WHY);
    expect(moved).toMatchObject({ code: 1, stdout: '' });
    expect(moved.stderr).toContain(`it belongs to order ${order.id} already`);
    expect(await wordsOf(order.id)).toHaveLength(1);
    expect(await wordsOf(other.id)).toEqual([]);
  });

  test('[R54] begins no order by a slip, and one that is new when it is said so', async () => {
    const { event } = await capturedWithoutOrder();
    const id = `by-hand-${sent}`;
    const slip = await cli('events', 'link', event, '--order', id, ...WHY);
    expect(slip).toMatchObject({ code: 1, stdout: '' });
    expect(slip.stderr).toContain(`nothing is known of an order order/demo/${id}; --new begins it`);
    expect(await cli('events', 'link', event, '--order', id, '--new', ...WHY)).toMatchObject({ code: 0 });
    await system.untilStatus(id, 'paid');
    await system.untilOutcome(id, event, 'applied');
  });

  test('[R54] an order that is closed is opened for it', async () => {
    const order = system.newOrder();
    await system.send(order.created());
    await system.send(order.captured());
    await untilEffect(order.id, 'done');
    await system.untilClosed(order.id);
    const { event } = await capturedWithoutOrder();
    expect(await cli('events', 'link', event, '--order', order.id, ...WHY)).toMatchObject({ code: 0 });
    // A second captured payment of the same order is never unseen.
    await system.untilOutcome(order.id, event, 'review');
  });

  test('[R54] is not taken from where it is kept apart', async () => {
    const order = system.newOrder();
    await system.send(order.created());
    await system.untilStatus(order.id, 'awaiting_payment');
    const { event } = await capturedWithoutOrder();
    await system.store.write(
      `UPDATE events SET outcome = 'foreign', reason = 'mode test', settled_at = UTC_TIMESTAMP(6) WHERE event_id = ?`,
      [event],
    );
    const kept = await cli('events', 'link', event, '--order', order.id, ...WHY);
    expect(kept).toMatchObject({ code: 1, stdout: '' });
    expect(kept.stderr).toContain('it is settled as foreign (mode test)');
    expect((await cli('events', 'link', 'evt_none', '--order', order.id, ...WHY)).code).toBe(3);
  });
});
