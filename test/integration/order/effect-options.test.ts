/** What a machine and a configuration may say about effects, from the webhook to the call. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { defineMachine, ignore, stay } from '../../../src/ordering/machine.ts';
import type { Config, EffectCall } from '../../../src/config/resolved.ts';
import { functionHandler } from '../effects/order-with-effects.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

const definition = defineMachine({
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: {
    new: {},
    paid: { effects: ['fulfil', 'sendReceipt', 'alertFinance'] },
    refunded: { effects: ['bookRefund'] },
  },
  effects: {
    fulfil: { once: 'order', whenPassed: 'run', sensitive: true, validIn: ['paid'] },
    sendReceipt: { once: 'order', whenPassed: 'skip' },
    alertFinance: { once: 'order', whenPassed: 'run' },
    bookRefund: { once: 'facts.refund', whenPassed: 'run' },
  },
  on: {
    'payment.captured': { new: 'paid', else: ignore('captured before') },
    'payment.partially_refunded': { paid: stay('a part', ['bookRefund']), refunded: ignore('the whole') },
    'payment.refunded': { paid: 'refunded', refunded: ignore('refunded before') },
  },
  unlisted: 'ask',
});

const calls: EffectCall[] = [];
/** Orders about whose effect it was asked whether it was done. */
const questions: string[] = [];

/** Each call is kept; finance does what it is told and dies before it can say so. */
function configure(config: Config): void {
  const compiled = compileMachine(definition);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  config.machines.set('order', { definition, machine: compiled.machine, digest: 'of the test' });
  config.effects.clear();
  for (const name of Object.keys(definition.effects)) {
    const isFinance = name === 'alertFinance';
    const run = (call: EffectCall): Promise<void> => {
      calls.push(call);
      return isFinance ? Promise.reject(new Error('the connection was lost')) : Promise.resolve();
    };
    const confirm = (call: EffectCall): Promise<boolean> => {
      questions.push(call.order.id);
      return Promise.resolve(true);
    };
    const retry = { maxAttempts: 5, firstDelayMs: 50, maxDelayMs: 50 };
    config.effects.set(
      name,
      functionHandler(run, { name, retry, ...(isFinance ? { keyTtlMs: 0, confirm } : {}) }),
    );
  }
}

let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem({ configure });
});
afterAll(() => system.world.cleanup());

const keysOf = (order: string) =>
  calls
    .flatMap((call) => (call.order.id === order ? [call.idempotencyKey.split('/').slice(3).join('/')] : []))
    .sort();

async function endsOf(order: string): Promise<Record<string, [state: string, error: string | null]>> {
  const rows = await system.store.query<{ name: string; state: string; error: string | null }>(
    'SELECT name, state, error FROM effects WHERE order_id = ? ORDER BY id',
    [order],
  );
  return Object.fromEntries(rows.map(({ name, state, error }) => [name, [state, error]]));
}

test('[R31] an effect counted by a fact runs once for each, however often and under whatever id it is told', async () => {
  const { newOrder, send, untilStatus, untilSettled } = system;
  const order = newOrder();
  const payment = `payment:pay-${order.id}`;
  await send(order.captured());
  await untilStatus(order.id, 'paid');
  for (const refund of ['re-1', 're-2', 're-1'])
    await send(order.say(payment, 'payment.partially_refunded', { refund }));
  await untilSettled();
  await expect
    .poll(() => keysOf(order.id), { timeout: 20_000, interval: 50 })
    .toEqual([
      'alertFinance/order',
      'bookRefund/re-1',
      'bookRefund/re-2',
      'fulfil/order',
      'sendReceipt/order',
    ]);
});

test('[R32] what may have been done is asked about where the key is not honoured, and not called again', async () => {
  const { newOrder, send, untilStatus } = system;
  const order = newOrder();
  await send(order.captured());
  await untilStatus(order.id, 'paid');
  await expect
    .poll(async () => (await endsOf(order.id))['alertFinance'], { timeout: 20_000, interval: 50 })
    .toEqual(['done', null]);
  expect(questions.filter((id) => id === order.id)).toHaveLength(1);
  expect(keysOf(order.id).filter((key) => key === 'alertFinance/order')).toHaveLength(1);
});

test('[R33] of a status that was passed unseen each effect does as it says: run, skipped, or dropped as no longer valid', async () => {
  const { newOrder, send, untilStatus } = system;
  const order = newOrder();
  const payment = `payment:pay-${order.id}`;
  // That it was captured is never heard of; the provider is asked, and says that the money went back.
  order.captured();
  await send(order.say(payment, 'payment.refunded', { refund: 're-9' }));
  await untilStatus(order.id, 'refunded');
  await expect
    .poll(async () => Object.values(await endsOf(order.id)).map(([state]) => state), {
      timeout: 20_000,
      interval: 50,
    })
    .not.toContain('pending');
  await expect
    .poll(() => endsOf(order.id), { timeout: 20_000, interval: 50 })
    .toEqual({
      fulfil: ['dropped', expect.stringContaining('refunded')],
      alertFinance: ['done', null],
      bookRefund: ['done', null],
    });
  expect(keysOf(order.id)).toEqual(['alertFinance/order', 'bookRefund/re-9']);
});
