import { expect, test } from 'vitest';
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import { listEvents } from '../../../src/store/event-listing.ts';
import type { NewEvent } from '../../../src/store/events.ts';
import { openStore } from '../../../src/store/store.ts';
import { cuttingProxy } from '../store/cutting-proxy.ts';
import { newEvent } from '../store/new-event.ts';
import { count, door } from './door.ts';

test('more than may wait is refused at once, and what waits is stored', async () => {
  const { store, groupCommit } = await door({ maxQueued: 10 });
  const fates = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => groupCommit.add([newEvent({ eventId: `evt_${index}` })])),
  );
  expect(fates.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => 'fulfilled'),
    ...Array.from({ length: 20 }, () => 'rejected'),
  ]);
  expect(fates[29]).toMatchObject({ reason: { code: 'store_unavailable' } });
  expect(await count(store, 'events')).toBe(10);
});

test('a graceful stop stores and answers what was accepted, and refuses what comes after', async () => {
  const { store, groupCommit } = await door({ maxRows: 5, concurrency: 1 });
  const accepted = Array.from({ length: 40 }, (_, index) =>
    groupCommit.add([newEvent({ eventId: `evt_${index}` })]),
  );
  await groupCommit.stop();
  expect(groupCommit.stats.waiting).toBe(0);
  await Promise.all(accepted);
  expect(await count(store, 'events')).toBe(40);
  await expect(groupCommit.add([newEvent()])).rejects.toMatchObject({ code: 'store_unavailable' });
});

test('a group is bounded in rows and in bytes', async () => {
  const { world } = await door();
  const proxy = await cuttingProxy(world.mysqlUrl);
  world.defer(() => proxy.close());
  const store = openStore(proxy.url);
  world.defer(() => store.close());
  const groupCommit = new GroupCommit(store, { maxRows: 4, maxBytes: 1_000, concurrency: 1 });
  const body = Buffer.alloc(600, 'x');
  await Promise.all([
    ...Array.from({ length: 9 }, (_, index) => groupCommit.add([newEvent({ eventId: `small_${index}` })])),
    ...Array.from({ length: 3 }, (_, index) =>
      groupCommit.add([newEvent({ eventId: `large_${index}`, body })]),
    ),
  ]);
  const rowsOf = (sql: string) => sql.match(/'(small|large)_\d+'/g)?.length ?? 0;
  const inserts = proxy.statements.filter((sql) => sql.startsWith('INSERT INTO events'));
  expect(Math.max(...inserts.map(rowsOf))).toBeLessThanOrEqual(4);
  expect(inserts.filter((sql) => (sql.match(/'large_\d+'/g)?.length ?? 0) > 1)).toEqual([]);
});

test('what is settled at the door waits for nobody', async () => {
  const { store, groupCommit } = await door();
  const settled: Partial<NewEvent> = { outcome: 'archived', reason: 'type_unknown', type: null };
  expect(await groupCommit.add([newEvent({ ...settled, eventId: 'evt_1' })])).toMatchObject([
    { kind: 'stored', taken: true, settled: true },
  ]);
  expect(await listEvents(store, { outcome: 'waiting', limit: 10 })).toEqual([]);
  expect(await listEvents(store, { outcome: 'archived', limit: 10 })).toMatchObject([
    { reason: 'type_unknown' },
  ]);
});
