import { expect, test } from 'vitest';
import { showOrder } from '../../../src/store/order-listing.ts';
import { decisionAbout, KEY, orderWorld } from './order-world.ts';

test('attention of an order in great trouble is kept whole, beyond what a small column holds', async () => {
  const order = await orderWorld();
  const event = await order.receive({ version: '1' });
  const input = decisionAbout(order.machine, [event]);
  const attention = Array.from({ length: 1_000 }, (_, index) => ({
    kind: 'review' as const,
    stream: `shop/order:${index}`,
    since: 1_000_000 + index,
    reason: `two contents of version ${index}: `.padEnd(200, 'é'),
  }));
  const troubled = { ...input, state: { ...input.state, attention } };
  expect(Buffer.byteLength(JSON.stringify(attention))).toBeGreaterThan(4 * 65_536);
  expect(await order.apply(troubled)).toMatchObject({ applied: true });
  expect(await showOrder(order.store, KEY)).toMatchObject({ attention, state: { attention } });
});
