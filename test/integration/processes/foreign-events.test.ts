import { afterAll, beforeAll, expect, test } from 'vitest';
import type { System } from './system.ts';
import { startSystem } from './system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({
    configure: ({ sources }) => {
      const shop = sources.get('shop');
      const payments = sources.get('payments');
      if (shop === undefined || payments === undefined) throw new Error('the demo has these sources');
      Object.assign(payments, { mode: 'live', account: 'acct_1', unknownTypes: 'archive' });
    },
  });
});
afterAll(() => system.world.cleanup());

interface Stored {
  outcome: string | null;
  reason: string | null;
  order_id: string | null;
  mode: string | null;
  account: string | null;
}

const storedAs = async (event: string): Promise<Stored | undefined> => {
  const [row] = await system.store.query<Stored>(
    'SELECT outcome, reason, order_id, mode, account FROM events WHERE event_id = ?',
    [event],
  );
  return row;
};

const linksOf = (object: string) =>
  system.store.query<{ order_id: string }>('SELECT order_id FROM links WHERE ref = ?', [object]);

test('[R10] a type that nobody knows is refused with 422 where the source rejects, and nothing is kept', async () => {
  const order = system.newOrder();
  const odd = order.say(`order:${order.id}`, 'order.created');
  const body = odd.body.replace('"order.created"', '"order.teleported"');
  expect(await system.sendBody(odd.object, odd.id, body)).toBe(422);
  expect(await storedAs(odd.id)).toBeUndefined();
});

test('[R10] where the source archives it is kept and answered 2xx, and nothing follows from it', async () => {
  const order = system.newOrder();
  await system.send(order.created());
  await system.untilStatus(order.id, 'awaiting_payment');
  const odd = order.captured();
  const { version: _, ...told } = JSON.parse(odd.body) as Record<string, unknown>;
  const body = JSON.stringify({
    ...told,
    version: 1,
    type: 'payment.teleported',
    account: 'acct_1',
    mode: 'live',
  });
  expect(await system.sendBody(odd.object, odd.id, body)).toBe(202);
  // In a sequence its number counts, so its order settles it.
  await expect.poll(async () => (await storedAs(odd.id))?.outcome, { timeout: 20_000 }).toBe('archived');
  expect(await system.orderOf(order.id)).toMatchObject({ status: 'awaiting_payment', attention_kinds: '' });
});

test.each([
  ['a test-mode event', { mode: 'test', account: 'acct_1' }, 'other_mode'],
  ["another account's event", { mode: 'live', account: 'acct_2' }, 'other_account'],
])('[R10] %s is kept as foreign, answered 2xx, links nothing and has no effect', async (_, from, reason) => {
  const order = system.newOrder();
  await system.send(order.created());
  await system.untilStatus(order.id, 'awaiting_payment');
  const captured = order.captured();
  const told = JSON.parse(captured.body) as Record<string, unknown>;
  expect(await system.sendBody(captured.object, captured.id, JSON.stringify({ ...told, ...from }))).toBe(202);
  expect(await storedAs(captured.id)).toMatchObject({ outcome: 'foreign', reason, ...from });
  expect(await linksOf(captured.object)).toEqual([]);

  // The true one comes after it: the foreign one has taken neither its number nor its place.
  const own = JSON.stringify({ ...told, id: `${captured.id}-own`, mode: 'live', account: 'acct_1' });
  expect(await system.sendBody(captured.object, `${captured.id}-own`, own)).toBe(202);
  await system.untilStatus(order.id, 'paid');
  expect(await linksOf(captured.object)).toEqual([{ order_id: order.id }]);
  expect(await storedAs(captured.id)).toMatchObject({ outcome: 'foreign' });
});
