import { expect, test } from 'vitest';
import { createApply } from '../../../activities/apply.ts';
import { withContested } from '../../../src/ordering/contested.ts';
import { freshStream } from '../../../src/ordering/fresh-state.ts';
import type { OrderState } from '../../../src/ordering/state.ts';
import { selectLinks } from '../../../src/store/links.ts';
import { showOrder } from '../../../src/store/order-listing.ts';
import { openStore } from '../../../src/store/store.ts';
import { cuttingProxy } from '../store/cutting-proxy.ts';
import { decisionAbout, KEY, orderWorld } from './order-world.ts';

const payment = (id: string, order: string | null, payment: string | null = id) => ({
  object: `payment:${id}`,
  stream: `shop/payment:${id}`,
  payment,
  refs: [`payment:${id}`],
  order,
});

test('[R11] a decision about an object that belongs to another order is not written, but told whose it is', async () => {
  const order = await orderWorld();
  await order.receive(payment('pi_1', 'first'));
  const event = await order.receive(payment('pi_1', KEY.id));
  const before = await order.dump();
  const input = decisionAbout(order.machine, [event]);
  const result = await order.apply(input);
  expect(result).toMatchObject({ applied: false, revision: 0, contests: { 'shop/payment:pi_1': 'first' } });
  // Not what was decided: nothing of it is so.
  expect(result.state.status).toBe('new');
  expect(await order.dump()).toEqual(before);

  const again = { ...input, state: withContested(input.state, result.contests) };
  expect(await order.apply(again)).toMatchObject({ applied: true, revision: 1 });
});

test('[R11] so is one about an object of its own whose payment belongs to another order', async () => {
  const order = await orderWorld();
  await order.receive(payment('pi_1', 'first'));
  const dispute = {
    object: 'dispute:dp_1',
    stream: 'shop/dispute:dp_1',
    refs: ['dispute:dp_1'],
    payment: 'pi_1',
  };
  const event = await order.receive({ ...dispute, order: KEY.id });
  const { contests } = await order.apply(decisionAbout(order.machine, [event]));
  expect(contests).toEqual({ 'shop/payment:pi_1': 'first' });
});

test('[R11] what only the provider names is linked by the decision, and the first order keeps it', async () => {
  const order = await orderWorld();
  await order.receive(payment('pi_1', 'first'));
  const event = await order.receive({ ...payment('pi_2', KEY.id) });
  const input = decisionAbout(order.machine, [event]);
  const listing = (state: OrderState, ...streams: string[]): OrderState => ({
    ...state,
    streams: Object.fromEntries(streams.map((name) => [name, freshStream('unordered', null)])),
  });
  const found = { ...input, state: listing(input.state, 'shop/payment:pi_1', 'shop/payment:pi_3') };
  expect(await order.apply(found)).toMatchObject({
    applied: false,
    contests: { 'shop/payment:pi_1': 'first' },
  });
  const links = await selectLinks(order.store, [
    { source: 'shop', ref: 'payment:pi_1' },
    { source: 'shop', ref: 'payment:pi_3' },
  ]);
  expect([...links.values()].sort()).toEqual(['1042', 'first']);
});

test('looking for other orders costs no statement of its own, and waits for no link that is being written', async () => {
  const order = await orderWorld();
  const event = await order.receive({ ...payment('pi_1', KEY.id), version: '1' });
  const proxy = await cuttingProxy(order.world.mysqlUrl);
  order.world.defer(() => proxy.close());
  const store = openStore(proxy.url);
  order.world.defer(() => store.close());
  proxy.onStatement = () => 'pass';
  const apply = createApply({ store, worker: 'worker-2' });
  await order.store.transaction(async (tx) => {
    await tx.write('UPDATE links SET contested_by = ? WHERE ref = ?', ['other', 'payment:pi_1']);
    expect(await apply(decisionAbout(order.machine, [event]))).toMatchObject({ applied: true });
  });
  expect(proxy.statements.filter((statement) => /^\s*(SELECT|INSERT)[^(]* links/.test(statement))).toEqual(
    [],
  );
  expect(await showOrder(order.store, KEY)).toMatchObject({ revision: 1 });
});
