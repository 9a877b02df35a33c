import { expect, test } from 'vitest';
import { createApply } from '../../../activities/apply.ts';
import type { ApplyInput } from '../../../activities/order-activities.ts';
import { orderEffect, orderLink } from '../../../src/ordering/persons-order.ts';
import type { EffectAction } from '../../../src/ordering/state.ts';
import { claimUntaken } from '../../../src/store/event-claims.ts';
import { showEvent } from '../../../src/store/event-listing.ts';
import { selectJournal } from '../../../src/store/journal.ts';
import { selectLinks } from '../../../src/store/links.ts';
import { listEffectsOfOrder, showOrder } from '../../../src/store/order-listing.ts';
import { openStore } from '../../../src/store/store.ts';
import { cuttingProxy } from '../store/cutting-proxy.ts';
import { decisionAbout, fulfilment, KEY, orderWorld, refOf } from './order-world.ts';
import type { OrderWorld } from './order-world.ts';

const EFFECT = 'order/live/1042/fulfil/order';

/** An order that is paid, whose effect ended `uncertain` and is in its troubles. */
async function troubledOrder() {
  const order = await orderWorld();
  const event = await order.receive({ version: '1' });
  const input = decisionAbout(order.machine, [event], { effects: [fulfilment()] });
  const state = {
    ...input.state,
    troubles: { [EFFECT]: { name: 'fulfil', reason: 'uncertain: x', since: 1 } },
  };
  await order.apply({ ...input, state });
  await order.store.write(
    `UPDATE effects SET state = 'uncertain', attempts = 3, failures = 3, unknown_since = UTC_TIMESTAMP(6), error = 'x'`,
  );
  return { ...order, state };
}
type TroubledOrder = Awaited<ReturnType<typeof troubledOrder>>;

function word(
  order: TroubledOrder,
  action: EffectAction,
  more: { seen?: string; key?: string } = {},
): ApplyInput {
  const { key = EFFECT, seen = null } = more;
  const decision = orderEffect(order.machine, order.state, { key, action, seen, by: 'ada: looked' }, 9);
  const base = { key: KEY, revision: 1, runId: 'run-1', news: [], dueAt: null, machineVersion: 1 };
  return { ...base, ...decision };
}

/** A decision that asks for the effect once more. */
function asking(order: TroubledOrder, revision: number): ApplyInput {
  const { person: _, ...decision } = word(order, 'skip');
  return { ...decision, revision, effects: [fulfilment()] };
}

async function throughProxy({ world }: OrderWorld) {
  const proxy = await cuttingProxy(world.mysqlUrl);
  world.defer(() => proxy.close());
  const store = openStore(proxy.url);
  world.defer(() => store.close());
  return { proxy, apply: createApply({ store, worker: 'worker-2' }) };
}

test.each<[EffectAction, string, object]>([
  ['retry', 'pending', { attempts: 3, error: null }],
  ['confirm', 'done', { attempts: 3, error: 'confirmed by ada: looked' }],
  ['skip', 'dropped', { attempts: 3, error: 'skipped by ada: looked' }],
])(
  '[R54] %s: row, trouble and journal in one revision; said again it changes nothing',
  async (action, state, row) => {
    const order = await troubledOrder();
    const input = word(order, action);
    const first = await order.apply(input);
    expect(first).toMatchObject({ applied: true, revision: 2, state: { troubles: {} } });
    expect(first.effects.map(({ key }) => key)).toEqual(state === 'pending' ? [EFFECT] : []);
    expect(await listEffectsOfOrder(order.store, KEY)).toMatchObject([{ state, ...row }]);
    const journal = await selectJournal(order.store, KEY, { limit: 10 });
    expect(journal.at(-1)).toMatchObject({ kind: 'effect', revision: 2 });
    expect(journal.at(-1)?.reason).toContain('ada: looked');

    const before = await order.dump();
    expect(await order.apply(input)).toEqual(first);
    const again = await order.apply({ ...input, revision: 2, runId: 'run-2' });
    expect(again).toMatchObject({ applied: false, revision: 2, refused: null });
    expect(await order.dump()).toEqual(before);
  },
);

test('[R54] [R31] what a person has skipped stays so when the order asks for it again, until a person retries it', async () => {
  const order = await troubledOrder();
  await order.apply(word(order, 'skip'));
  const askAgain = (revision: number) => order.apply(asking(order, revision));
  expect(await askAgain(2)).toMatchObject({ applied: true, revision: 3, effects: [] });
  expect(await listEffectsOfOrder(order.store, KEY)).toMatchObject([
    { state: 'dropped', error: 'skipped by ada: looked' },
  ]);

  expect(await order.apply({ ...word(order, 'retry'), revision: 3 })).toMatchObject({ applied: true });
  expect(await listEffectsOfOrder(order.store, KEY)).toMatchObject([{ state: 'pending' }]);
});

test('[R54] what had been dropped before comes back when it is asked for again, unless a person skips it', async () => {
  const order = await troubledOrder();
  await order.store.write(`UPDATE effects SET state = 'dropped', unknown_since = NULL`);
  expect(await order.apply(word(order, 'skip'))).toMatchObject({ applied: true, revision: 2 });
  expect(await order.apply(asking(order, 2))).toMatchObject({ applied: true, effects: [] });
});

test('[R54] what the row refuses is written nowhere, and told', async () => {
  const order = await troubledOrder();
  const before = await order.dump();
  const refused = async (input: ApplyInput) => {
    const result = await order.apply(input);
    expect(result).toMatchObject({ applied: false, revision: 1, state: order.state });
    expect(await order.dump()).toEqual(before);
    return result.refused;
  };
  expect(await refused(word(order, 'retry', { seen: 'failed' }))).toBe(
    'it is uncertain by now, no longer failed; look again',
  );
  expect(await refused(word(order, 'skip', { key: 'order/live/1042/fulfil/x' }))).toContain('has no effect');
  const elsewhere = { ...word(order, 'retry') };
  elsewhere.state = { ...elsewhere.state, status: 'shipped' };
  expect(await refused(elsewhere)).toContain('valid in paid, partially_refunded only');
});

test('[R54] a word on what another writer has changed meanwhile is judged anew, not refused', async () => {
  const order = await troubledOrder();
  const outdated = await order.apply({ ...word(order, 'retry'), revision: 0 });
  expect(outdated).toMatchObject({ applied: false, revision: 1 });
  expect(outdated.refused).toBeUndefined();
});

test('[R54] [R30] a session that dies at any statement leaves all of a person’s word or nothing', async () => {
  const order = await troubledOrder();
  const { proxy, apply } = await throughProxy(order);
  const before = await order.dump();
  const input = word(order, 'retry');
  let statements = Infinity;
  let cuts = 0;
  for (let dieAt = 0; dieAt < statements; dieAt += 1) {
    let position = 0;
    proxy.onStatement = (sql) => {
      if (/FROM orders .*FOR UPDATE/s.test(sql)) position = 0;
      if (sql === 'COMMIT') statements = position + 1;
      return position++ === dieAt ? 'cut_before' : 'pass';
    };
    await expect(apply(input)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await order.dump()).toEqual(before);
    cuts += 1;
  }
  expect(cuts).toBeGreaterThan(4);
  // The commit is carried out and its answer lost: the retry finds its own decision.
  let lost = 0;
  proxy.onStatement = (sql) => (sql === 'COMMIT' && lost++ === 0 ? 'cut_after' : 'pass');
  expect(await apply(input)).toMatchObject({ applied: true, revision: 2 });
  expect(await listEffectsOfOrder(order.store, KEY)).toMatchObject([{ state: 'pending' }]);
});

test('[R54] an event goes to the order with all it names, is journalled there, and is judged next', async () => {
  const order = await orderWorld();
  const unnamed = { order: null, object: 'payment:pi_1', stream: 'shop/payment:pi_1' };
  const event = await order.receive({ ...unnamed, refs: ['payment:pi_1', 'charge:ch_1'] });
  const { state } = decisionAbout(order.machine, [], { status: 'new' });
  const said = { event: refOf(event), stream: unnamed.stream, by: 'ada: by phone' };
  const input: ApplyInput = {
    ...{ key: KEY, revision: 0, runId: 'run-1', news: [], dueAt: null, machineVersion: 1 },
    ...orderLink(order.machine, state, said, 9),
  };
  expect(await order.apply(input)).toMatchObject({ applied: true, revision: 1 });
  expect(await showEvent(order.store, event.seq)).toMatchObject({ order: KEY, outcome: null, takenAt: null });
  expect(await selectJournal(order.store, KEY, { limit: 10 })).toMatchObject([
    { kind: 'linked', cause: refOf(event), reason: 'ada: by phone' },
  ]);
  const refs = ['payment:pi_1', 'charge:ch_1'].map((ref) => ({ source: 'shop', ref }));
  expect([...(await selectLinks(order.store, refs)).values()]).toEqual(['1042', '1042']);
  expect(await claimUntaken(order.store, { olderThanMs: 60_000, limit: 10 })).toMatchObject([
    { key: KEY, event: refOf(event) },
  ]);

  const again = await order.apply({ ...input, revision: 1, runId: 'run-2' });
  expect(again).toMatchObject({ applied: false, refused: null });
  const elsewhere = { ...KEY, id: '1043' };
  const before = await order.dump();
  expect(await order.apply({ ...input, key: elsewhere })).toMatchObject({
    refused: 'it belongs to order 1042 already, and stays there',
  });
  expect(await order.dump()).toEqual(before);
  expect(await showOrder(order.store, elsewhere)).toBeNull();
});

test('[R54] an event that is kept apart, or names what another order has, goes nowhere', async () => {
  const order = await orderWorld();
  const unnamed = {
    order: null,
    object: 'payment:pi_1',
    stream: 'shop/payment:pi_1',
    refs: ['payment:pi_1'],
  };
  const foreign = await order.receive({ ...unnamed, outcome: 'foreign', reason: 'mode test' });
  const open = await order.receive({ ...unnamed, eventId: 'evt_open' });
  await order.store.write(
    `INSERT INTO links (source, ref, order_id, linked_at) VALUES ('shop', 'payment:pi_1', '7', UTC_TIMESTAMP(6))`,
  );
  const { state } = decisionAbout(order.machine, [], { status: 'new' });
  const link = (event: typeof open, ref = refOf(event)) =>
    order.apply({
      ...{ key: KEY, revision: 0, runId: 'run-1', news: [], dueAt: null, machineVersion: 1 },
      ...orderLink(order.machine, state, { event: ref, stream: unnamed.stream, by: 'ada: r' }, 9),
    });
  const before = await order.dump();
  expect((await link(foreign)).refused).toContain('settled as foreign (mode test)');
  expect((await link(open)).refused).toContain('payment:pi_1 belongs to order 7');
  expect((await link(open, { ...refOf(open), event: 'another' })).refused).toContain('has no such event');
  expect(await order.dump()).toEqual(before);
});
