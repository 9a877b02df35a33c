/** The door beside a store that is away, a receiver that stands still, and receivers that meet. */
import { expect, test } from 'vitest';
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import { openStore } from '../../../src/store/store.ts';
import { cuttingProxy } from '../store/cutting-proxy.ts';
import { newEvent } from '../store/new-event.ts';
import { count, door } from './door.ts';

test('[R5] with the store away nothing is accepted; what was refused is stored when it comes again', async () => {
  const { store, world } = await door();
  const proxy = await cuttingProxy(world.mysqlUrl);
  world.defer(() => proxy.close());
  const awayStore = openStore(proxy.url);
  world.defer(() => awayStore.close());
  const groupCommit = new GroupCommit(awayStore);
  await proxy.goDown();
  const refused = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => groupCommit.add([newEvent({ eventId: `evt_${index}` })])),
  );
  for (const fate of refused) {
    expect(fate).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable' } });
  }
  expect(await count(store, 'events')).toBe(0);
  await proxy.comeBack();
  expect(await groupCommit.add([newEvent({ eventId: 'evt_1' })])).toMatchObject([{ kind: 'stored' }]);
});

test('[R37] a receiver frozen in mid-transaction delays only copies of its own events, and those for seconds', async () => {
  const { store, groupCommit, otherStore } = await door({ patienceMs: 20_000 });
  let thaw = (): void => undefined;
  const isFrozen = new Promise<void>((resolve) => (thaw = resolve));
  let holds = (): void => undefined;
  const hasInserted = new Promise<void>((resolve) => (holds = resolve));
  // Long enough to tell who waits for it from who does not, on a busy machine, too.
  const frozen = otherStore({ silenceSeconds: 8 });
  const frozenDoor = new GroupCommit({
    ...frozen,
    transaction: (work, options) =>
      frozen.transaction(async (tx) => {
        const result = await work(tx);
        holds();
        await isFrozen;
        return result;
      }, options),
  });
  // Two of one id are looked for first; a group that is new holds nothing between two packets.
  const held = newEvent({ eventId: 'evt_held' });
  const frozenFate = frozenDoor.add([held, held]);
  await hasInserted;

  const startedMs = performance.now();
  let isCopyWaiting = true;
  const copy = groupCommit.add([newEvent({ eventId: 'evt_held' })]).finally(() => {
    isCopyWaiting = false;
  });
  // A link to the same order that the frozen one is about to make is waited for in the same way.
  const sameOrder = groupCommit.add([newEvent({ eventId: 'evt_same_order' })]);
  const others = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      groupCommit.add([
        newEvent({
          eventId: `evt_${index}`,
          order: `o${index}`,
          object: `order:${index}`,
          refs: [`order:${index}`],
        }),
      ]),
    ),
  );
  expect(others.every(([stored]) => stored?.kind === 'stored')).toBe(true);
  expect(isCopyWaiting).toBe(true);
  expect(await Promise.all([copy, sameOrder])).toMatchObject([[{ kind: 'stored' }], [{ kind: 'stored' }]]);
  expect(performance.now() - startedMs).toBeLessThan(16_000);

  // The frozen one wakes up, finds its session gone, begins again and finds the copy's row.
  thaw();
  expect(await frozenFate).toMatchObject([{ kind: 'known' }, { kind: 'known' }]);
  expect(await count(store, 'events')).toBe(42);
});

test('receivers whose groups cross do not lose or double anything', async () => {
  const { store, groupCommit, otherDoor } = await door({ maxRows: 8 });
  const doors = [groupCommit, otherDoor(), otherDoor()];
  const arrivals = Array.from({ length: 400 }, (_, index) => ({
    eventId: `evt_${(index * 7) % 100}`,
    order: `o${(index * 7) % 10}`,
    refs: [`order:${(index * 7) % 10}`, `payment:${(index * 7) % 20}`],
  }));
  const fates = await Promise.all(
    arrivals.map((fields, index) => (doors[index % 3] as GroupCommit).add([newEvent(fields)])),
  );
  expect(fates.filter(([stored]) => stored?.kind === 'stored')).toHaveLength(100);
  expect(await count(store, 'events')).toBe(100);
  expect(await count(store, 'deliveries')).toBe(300);
});
