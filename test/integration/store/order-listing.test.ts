import { expect, test } from 'vitest';
import { listOrders } from '../../../src/store/order-listing.ts';
import { decisionAbout, KEY, orderWorld } from '../activities/order-world.ts';

test('orders are listed by change, by status and by what needs a person', async () => {
  const order = await orderWorld();
  for (const [id, status, kind] of [
    ['a', 'paid', null],
    ['b', 'cancelled', 'review'],
    ['c', 'paid', 'gap'],
  ] as const) {
    const key = { ...KEY, id };
    const input = decisionAbout(order.machine, [await order.receive({ order: id, object: `order:${id}` })], {
      status,
    });
    const attention = kind ? [{ kind, stream: null, since: Date.now(), reason: 'why' }] : [];
    await order.apply({ ...input, key, state: { ...input.state, key, attention } });
  }
  const ids = async (filter: object) =>
    (await listOrders(order.store, { limit: 10, ...filter })).map(({ key }) => key.id);
  expect(await ids({})).toEqual(['c', 'b', 'a']);
  expect(await ids({ status: 'paid' })).toEqual(['c', 'a']);
  expect(await ids({ attention: 'any' })).toEqual(['c', 'b']);
  expect(await ids({ attention: 'gap' })).toEqual(['c']);
  const [first] = await listOrders(order.store, { limit: 1 });
  if (!first) throw new Error('no order is listed');
  expect(await ids({ after: first })).toEqual(['b', 'a']);
});
