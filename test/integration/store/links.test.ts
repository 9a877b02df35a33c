import { expect, test } from 'vitest';
import { claimUntaken } from '../../../src/store/event-claims.ts';
import { listEvents, showEvent } from '../../../src/store/event-listing.ts';
import { createUnlinkedJoiner, selectContestedLinks } from '../../../src/store/links.ts';
import { orderWorld } from '../activities/order-world.ts';
import { newEvent } from './new-event.ts';

const named = (...refs: string[]) => ({ object: refs[0] as string, refs, stream: `shop/${refs[0]}` });
const unnamed = (...refs: string[]) => ({ ...named(...refs), order: null });
const isWaiting = { olderThanMs: 60_000, limit: 10 };

test('an event without an order is kept as unlinked, and seen', async () => {
  const { store, receive, groupCommit } = await orderWorld();
  const event = await receive(unnamed('charge:ch_1'));
  expect(await listEvents(store, { outcome: 'unlinked', limit: 10 })).toMatchObject([
    { seq: event.seq, order: null, takenAt: null, settledAt: null },
  ]);
  expect(await groupCommit.add([event.given])).toMatchObject([
    { kind: 'known', order: null, settled: false },
  ]);
  expect(await createUnlinkedJoiner(store)()).toBe(0);
});

test('an event finds the order of an object it names at the door, in the same group and in later ones', async () => {
  const { groupCommit } = await orderWorld();
  const fates = await groupCommit.add([
    newEvent({ ...unnamed('charge:ch_1', 'payment:pi_1') }),
    newEvent({ ...named('payment:pi_1'), order: '1042' }),
  ]);
  expect(fates.map(({ order }) => order)).toEqual(['1042', '1042']);
  const later = await groupCommit.add([newEvent(unnamed('refund:re_1', 'charge:ch_1'))]);
  expect(later).toMatchObject([{ order: '1042' }]);
});

test('when one object of an event is linked, all it names are: the chain is joined to its end', async () => {
  const { store, receive } = await orderWorld();
  const far = await receive(unnamed('dispute:dp_1', 'charge:ch_1'));
  const near = await receive(unnamed('charge:ch_1', 'payment:pi_1'));
  const apart = await receive(unnamed('charge:ch_9'));
  await receive({ ...named('payment:pi_1'), order: '1042' });

  expect(await createUnlinkedJoiner(store)()).toBe(2);
  for (const { seq } of [far, near]) {
    expect(await showEvent(store, seq)).toMatchObject({ order: { id: '1042' }, outcome: null });
  }
  expect(await showEvent(store, apart.seq)).toMatchObject({ order: null, outcome: 'unlinked' });
  // They are sent with the next sweep, not after the time a receiver would have had.
  const claimed = await claimUntaken(store, isWaiting);
  expect(claimed.map(({ event }) => event.seq).sort()).toEqual([far.seq, near.seq].sort());
  expect(await createUnlinkedJoiner(store)()).toBe(0);
});

test('the first link stands; another order named later is kept as contested', async () => {
  const { store, receive } = await orderWorld();
  await receive({ ...named('payment:pi_1'), order: 'first' });
  await receive({ ...named('payment:pi_1'), order: 'second' });
  const later = await receive(unnamed('charge:ch_1', 'payment:pi_1'));
  expect(await showEvent(store, later.seq)).toMatchObject({ order: { id: 'first' } });
  const contested = { ref: 'payment:pi_1', order: 'first', contestedBy: 'second' };
  const refs = ['charge:ch_1', 'payment:pi_1'].map((ref) => ({ source: 'shop', ref }));
  expect(await selectContestedLinks(store, refs)).toMatchObject([contested]);
});

test('an event between two orders goes to the one linked first, and the other link is contested', async () => {
  const { store, receive } = await orderWorld();
  const between = await receive(unnamed('charge:ch_1', 'payment:pi_1', 'payment:pi_2'));
  await receive({ ...named('payment:pi_2'), order: 'first' });
  await receive({ ...named('payment:pi_1'), order: 'second' });
  expect(await createUnlinkedJoiner(store)()).toBe(1);
  expect(await showEvent(store, between.seq)).toMatchObject({ order: { id: 'first' } });
  expect(await selectContestedLinks(store, [{ source: 'shop', ref: 'payment:pi_1' }])).toMatchObject([
    { ref: 'payment:pi_1', order: 'second', contestedBy: 'first' },
  ]);
});

test('what is not ours teaches no links, and objects of two sources are two objects', async () => {
  const { store, receive } = await orderWorld();
  await receive({ ...named('payment:pi_1'), order: '1042', outcome: 'foreign', reason: 'other_mode' });
  await receive({ ...named('payment:pi_1'), source: 'stripe', order: '1042' });
  const event = await receive(unnamed('charge:ch_1', 'payment:pi_1'));
  expect(await createUnlinkedJoiner(store)()).toBe(0);
  expect(await showEvent(store, event.seq)).toMatchObject({ order: null, outcome: 'unlinked' });
});

test('events that never learn their order do not keep others from theirs', async () => {
  const { store, receive } = await orderWorld();
  const old = await receive(unnamed('charge:old', 'payment:pi_1'));
  for (let index = 0; index < 7; index += 1) await receive(unnamed(`charge:${index}`));
  const fresh = await receive(unnamed('charge:fresh', 'payment:pi_2'));
  await receive({ ...named('payment:pi_1'), order: 'first' });
  await receive({ ...named('payment:pi_2'), order: 'second' });
  const join = createUnlinkedJoiner(store, 4);
  let moved = 0;
  for (let call = 0; call < 4; call += 1) moved += await join();
  expect(moved).toBe(2);
  expect(await showEvent(store, old.seq)).toMatchObject({ order: { id: 'first' } });
  expect(await showEvent(store, fresh.seq)).toMatchObject({ order: { id: 'second' } });
});
