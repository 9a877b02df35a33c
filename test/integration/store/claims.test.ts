import { expect, test } from 'vitest';
import { claimUntaken, giveBackUntaken, measureBacklog } from '../../../src/store/event-claims.ts';
import { showEvent } from '../../../src/store/event-listing.ts';
import { claimDue, giveBackDue } from '../../../src/store/orders.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Store } from '../../../src/store/store.ts';
import { decisionAbout, KEY, orderWorld } from '../activities/order-world.ts';

/** Makes everything that waits older, by the database's clock. */
const letPass = (store: Store, seconds: number) =>
  store.transaction(async (tx) => {
    await tx.write('UPDATE events SET wake_at = wake_at - INTERVAL ? SECOND', [seconds]);
    await tx.write('UPDATE orders SET wake_at = wake_at - INTERVAL ? SECOND', [seconds]);
  });

const secondsUntil = async (store: Store, table: 'events' | 'orders'): Promise<number> => {
  const [row] = await store.query<{ seconds: string }>(
    `SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(6), wake_at) AS seconds FROM ${table}`,
  );
  return Number(row?.seconds);
};

const claim = { olderThanMs: 60_000, limit: 100 };

test('[R42] an event that nobody took is found when it is old enough, with all its order needs', async () => {
  const { store, receive } = await orderWorld();
  const event = await receive({ version: '7', facts: { amount: '100' }, payment: 'pi_1' });
  expect(await claimUntaken(store, claim)).toEqual([]);
  await letPass(store, 61);
  expect(await claimUntaken(store, claim)).toEqual([
    {
      key: KEY,
      attempt: 1,
      event: {
        ...{ seq: event.seq, source: 'shop', event: event.event, stream: 'shop/order:1042' },
        ...{ type: 'order.created', payment: 'pi_1', version: '7', claimedAt: null },
        ...{ fact: event.given.fact, facts: { amount: '100' } },
      },
    },
  ]);
  expect(await showEvent(store, event.seq)).toMatchObject({ attempts: 1, lastAttemptAt: expect.any(String) });
});

test('claims back off: a minute doubled each time, an hour at most, spread by up to a fifth', async () => {
  const { store, receive } = await orderWorld();
  await receive();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    await letPass(store, 100_000);
    expect(await claimUntaken(store, claim)).toMatchObject([{ attempt }]);
    waits.push(await secondsUntil(store, 'events'));
  }
  for (const [index, seconds] of waits.entries()) {
    const full = Math.min(3_600, 60 * 2 ** index);
    expect(seconds).toBeGreaterThanOrEqual(Math.floor(full * 0.8) - 2);
    expect(seconds).toBeLessThanOrEqual(full);
  }
});

test('a claim that was given back does not count and can be made again at once', async () => {
  const { store, receive } = await orderWorld();
  const event = await receive({ receivedAtMs: Date.now() - 120_000 });
  await letPass(store, 61);
  const claimed = await claimUntaken(store, claim);
  await giveBackUntaken(
    store,
    claimed.map((one) => one.event),
  );
  expect(await showEvent(store, event.seq)).toMatchObject({ attempts: 0 });
  expect(await claimUntaken(store, claim)).toMatchObject([{ attempt: 1 }]);
});

test('workers that sweep at the same time claim each event once', async () => {
  const { store, receive, world } = await orderWorld();
  await Promise.all(Array.from({ length: 120 }, (_, index) => receive({ order: `o${index % 30}` })));
  await letPass(store, 61);
  const workers = [0, 1, 2].map(() => {
    const other = openStore(world.mysqlUrl);
    world.defer(() => other.close());
    return other;
  });
  const claimed = (
    await Promise.all(workers.map((worker) => claimUntaken(worker, { ...claim, limit: 50 })))
  ).flat();
  const rest = await claimUntaken(store, { ...claim, limit: 200 });
  const seqs = [...claimed, ...rest].map(({ event }) => event.seq);
  expect(new Set(seqs).size).toBe(120);
  expect(seqs).toHaveLength(120);
});

test('a claim takes whole orders, so that one signal carries all that waits for one', async () => {
  const { store, receive } = await orderWorld();
  for (let index = 0; index < 40; index += 1) await receive({ order: `o${index % 10}` });
  await letPass(store, 61);
  const claimed = await claimUntaken(store, { ...claim, limit: 12 });
  expect(claimed).toHaveLength(12);
  expect(new Set(claimed.map(({ key }) => key.id)).size).toBeLessThanOrEqual(3);
});

test('what was taken, settled or is unlinked is never claimed', async () => {
  const { store, receive, apply, machine } = await orderWorld();
  const taken = await receive({ version: '1' });
  await receive({ outcome: 'archived', reason: 'type_unknown' });
  await receive({ order: null, object: 'charge:ch_1', refs: ['charge:ch_1'] });
  await apply(decisionAbout(machine, [taken], { outcome: 'held' }));
  await letPass(store, 100_000);
  expect(await claimUntaken(store, claim)).toEqual([]);
  expect(await measureBacklog(store)).toEqual({ count: 0, oldestAgeMs: null });
});

test('the age of the oldest event that waits is by the database’s clock', async () => {
  const { store, receive } = await orderWorld();
  await receive({ receivedAtMs: Date.now() - 3_600_000 });
  await receive();
  const { count, oldestAgeMs } = await measureBacklog(store);
  expect(count).toBe(2);
  expect(oldestAgeMs).toBeGreaterThan(3_599_000);
  expect(oldestAgeMs).toBeLessThan(3_700_000);
});

test('[R42] an order whose timer should have rung is woken, less and less often, until it is decided again', async () => {
  const { store, receive, apply, machine } = await orderWorld();
  const dueAt = Date.now() - 61_000;
  await apply(decisionAbout(machine, [await receive({ version: '1' })], { dueAt }));
  const due = { overdueMs: 60_000, limit: 10 };
  expect(await claimDue(store, due)).toEqual([KEY]);
  expect(await claimDue(store, due)).toEqual([]);
  expect(await secondsUntil(store, 'orders')).toBeGreaterThan(40);

  await giveBackDue(store, [KEY]);
  expect(await claimDue(store, due)).toEqual([KEY]);

  await letPass(store, 200);
  expect(await claimDue(store, due)).toEqual([KEY]);
  const second = await receive({ version: '2' });
  await apply(decisionAbout(machine, [second], { revision: 1, dueAt: null }));
  await letPass(store, 100_000);
  expect(await claimDue(store, due)).toEqual([]);
});
