import { expect, test } from 'vitest';
import type { AttentionNews } from '../../../src/config/resolved.ts';
import { functionHandler } from '../effects/order-with-effects.ts';
import { startSystem } from '../processes/system.ts';

const ORDERS = 100;

test('a hundred orders in doubt are one call at once and one after the window; so is their end', async () => {
  const told: AttentionNews[] = [];
  const { newOrder, send, store } = await startSystem({
    configure: (config) => {
      config.notify = 'pageUs';
      config.effects.set(
        'pageUs',
        functionHandler(
          async ({ attention }) => {
            if (attention) told.push(attention);
            await Promise.resolve();
          },
          { name: 'pageUs' },
        ),
      );
      const payments = config.sources.get('payments');
      if (payments === undefined) throw new Error('the demo has payments');
      Object.assign(payments, { api: null });
      Object.assign(payments.policy, { api: false, find: false, gapTimeoutMs: 200 });
    },
  });
  const sum = (what: 'began' | 'ended') => told.reduce((total, news) => total + news[what], 0);
  const waiting = async (): Promise<number> => {
    const [row] = await store.query<{ total: string }>('SELECT COUNT(*) AS total FROM attention_changes');
    return Number(row?.total);
  };
  /** All that changed was told of, or waits for the next call. */
  const untilChanged = (what: 'began' | 'ended') =>
    expect.poll(async () => sum(what) + (await waiting()), { timeout: 120_000, interval: 100 }).toBe(ORDERS);
  const windowIsOver = () => store.write('UPDATE attention_calls SET told_at = told_at - INTERVAL 5 MINUTE');
  const untilTold = (calls: number) => expect.poll(() => told.length, { timeout: 20_000 }).toBe(calls);

  const orders = Array.from({ length: ORDERS }, newOrder);
  // The first event of each payment is lost.
  const lost = orders.map((order) => order.failed());
  await Promise.all(orders.map((order) => send(order.captured())));
  await untilChanged('began');
  await untilTold(1);
  expect(told[0]).toMatchObject({ kind: 'gap', source: 'payments', ended: 0 });
  await windowIsOver();
  await untilTold(told[0]?.began === ORDERS ? 1 : 2);
  expect([sum('began'), sum('ended'), await waiting()]).toEqual([ORDERS, 0, 0]);

  const before = told.length;
  await Promise.all(lost.map(send));
  await untilChanged('ended');
  await windowIsOver();
  await untilTold(before + 1);
  expect(told.at(-1)).toMatchObject({ kind: 'gap', source: 'payments', began: 0, ended: ORDERS });
  expect(told.at(-1)?.otherOrders).toBe(ORDERS - 1);
}, 180_000);
