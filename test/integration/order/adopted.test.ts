import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SandboxEvent } from '../../../src/dev/sandbox/world.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

const DAY_MS = 86_400_000;
const START = new Date(Date.now() - DAY_MS).toISOString();
const OLDER = new Date(Date.now() - 3 * DAY_MS).toISOString();

let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem({
    configure: ({ sources }) => {
      for (const source of sources.values()) source.policy.existingBefore = START;
      const shop = sources.get('shop');
      if (shop !== undefined) shop.policy.effects = 'record';
    },
  });
});
afterAll(() => system.world.cleanup());

/** As the provider of an object tells of it that was made then. */
function sendOf({ object, id, body }: SandboxEvent, made: string, at = made): Promise<number> {
  const told = JSON.parse(body) as { object: object };
  const dated = { ...told, created: at, object: { ...told.object, created: made } };
  return system.sendBody(object, id, JSON.stringify(dated));
}

const effectsOf = async (order: string): Promise<Record<string, string>> => {
  const rows = await system.store.query<{ name: string; state: string }>(
    'SELECT name, state FROM effects WHERE order_id = ? ORDER BY id',
    [order],
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
};
const untilEffects = (order: string, states: Record<string, string>) =>
  expect.poll(() => effectsOf(order), { timeout: 20_000 }).toEqual(states);

test('[R36] an order older than inorder gets its status without effects; what comes later runs', async () => {
  const order = system.newOrder();
  const now = new Date().toISOString();
  const payment = `payment:pay-${order.id}`;
  await sendOf(order.captured(), OLDER);
  await system.untilStatus(order.id, 'paid');
  await untilEffects(order.id, { fulfil: 'recorded', sendReceipt: 'recorded' });
  expect((await system.journalOf(order.id)).map(({ kind }) => kind)).toContain('adopted');

  const refund = order.say(payment, 'payment.partially_refunded', { refund: `re-${order.id}` });
  await sendOf(refund, OLDER, now);
  await system.untilStatus(order.id, 'partially_refunded');
  await untilEffects(order.id, { fulfil: 'recorded', sendReceipt: 'recorded', bookRefund: 'done' });
  expect(system.doneEffects(order.id)).toEqual(['bookRefund']);
});

test('[R36] an order that began later is none of these', async () => {
  const order = system.newOrder();
  const now = new Date().toISOString();
  await sendOf(order.captured(), now);
  await untilEffects(order.id, { fulfil: 'done', sendReceipt: 'done' });
});

test('[R36] a source in shadow mode decides and writes everything, and nothing is called', async () => {
  const order = system.newOrder();
  const now = new Date().toISOString();
  await sendOf(order.created(), now);
  await sendOf(order.cancelled(), now);
  await system.untilStatus(order.id, 'cancelled');
  await untilEffects(order.id, { releaseStock: 'recorded' });
  expect(system.doneEffects(order.id)).toEqual([]);
});
