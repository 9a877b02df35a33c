import { expect, test } from 'vitest';
import type { AttentionNews } from '../../../src/config/resolved.ts';
import { createLog } from '../../../src/log.ts';
import { createNotifier } from '../../../src/notify/notifier.ts';
import { createOutageReporter, SourceOutages } from '../../../src/notify/source-outages.ts';
import type { OrderKey } from '../../../src/ordering/state.ts';
import { functionHandler } from '../effects/order-with-effects.ts';
import { judge, storeEvents } from '../operations/judged-order.ts';
import { migratedStore } from '../store/migrated-store.ts';

const KEY: OrderKey = { machine: 'order', environment: 'live', id: '1042' };

test('a source whose API is away is told of once when it goes and once when it is back, whichever worker saw it', async () => {
  const { store } = await migratedStore();
  await storeEvents(store, [{ eventId: 'e1', type: 'order.created', version: '1' }]);
  await judge(store, KEY);
  const told: AttentionNews[] = [];
  const log = createLog('silent', 'test');
  const handler = functionHandler(
    async ({ attention }) => {
      if (attention) told.push(attention);
      await Promise.resolve();
    },
    { name: 'pageUs' },
  );
  const notifier = createNotifier({ store, handler, log });
  let now = Date.parse('2026-11-30T12:00:00Z');
  let isDown = true;
  const worker = () => {
    const outages = new SourceOutages(() => now);
    const ask = outages.watch<{ key: OrderKey }, { kind: string; error?: string }>(
      () => 'shop',
      () =>
        Promise.resolve(
          isDown ? { kind: 'unavailable', error: 'the API answered 503' } : { kind: 'snapshot' },
        ),
    );
    return { ask, reporter: createOutageReporter({ store, outages, log }) };
  };
  const [one, another, early] = [worker(), worker(), worker()];
  const look = async () => {
    await Promise.all([one, another, early].map(({ reporter }) => reporter.runOnce()));
    await notifier.runOnce();
  };

  isDown = false;
  await early.ask({ key: KEY });
  isDown = true;
  await one.ask({ key: KEY });
  // One answer that fails is no outage, however long ago it was.
  now += 120_000;
  await look();
  expect(told).toEqual([]);
  await one.ask({ key: KEY });
  await another.ask({ key: KEY });
  now += 60_000;
  await another.ask({ key: KEY });
  await look();
  await look();
  expect(told).toEqual([
    {
      kind: 'reconcile',
      source: 'shop',
      // Of the worker that told it.
      reason: expect.stringMatching(
        /^its API has given no usable answer since 2026-11-30T12:0[02]:00.000Z: the API answered 503$/,
      ) as string,
      began: 1,
      ended: 0,
      otherOrders: 0,
    },
  ]);
  isDown = false;
  await another.ask({ key: KEY });
  await one.ask({ key: KEY });
  await store.write('UPDATE attention_calls SET told_at = told_at - INTERVAL 5 MINUTE');
  await look();
  await look();
  expect(told.slice(1)).toMatchObject([
    { kind: 'reconcile', source: 'shop', reason: 'its API answers again', began: 0, ended: 1 },
  ]);
});
