import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApply } from '../../../activities/apply.ts';
import { createLoad } from '../../../activities/load.ts';
import { createUntaken } from '../../../activities/untaken.ts';
import type { ApplyInput } from '../../../activities/order-activities.ts';
import type { Outcome } from '../../../src/ordering/state.ts';
import { listEvents, showEvent } from '../../../src/store/event-listing.ts';
import { selectJournal } from '../../../src/store/journal.ts';
import { listEffectsOfOrder, showOrder } from '../../../src/store/order-listing.ts';
import { openStore } from '../../../src/store/store.ts';
import { cuttingProxy } from '../store/cutting-proxy.ts';
import { decisionAbout, fulfilment, KEY, newRun, orderWorld, outcomeOf, refOf } from './order-world.ts';
import type { OrderWorld, StoredEvent } from './order-world.ts';

const SETTINGS = { closeAfterMs: 1_000, maxEventsPerRun: 100 };

/** `apply` of another worker, through a proxy that may cut its session. */
async function otherWorker({ world }: OrderWorld) {
  const proxy = await cuttingProxy(world.mysqlUrl);
  world.defer(() => proxy.close());
  const store = openStore(proxy.url);
  world.defer(() => store.close());
  return { proxy, apply: createApply({ store, worker: 'worker-2' }) };
}

test('[R30] a decision writes order, outcomes, journal and effects, and returns what is stored', async () => {
  const order = await orderWorld();
  const events = [await order.receive({ version: '1' }), await order.receive({ version: '2' })];
  const dueAt = Date.UTC(2026, 11, 1);
  const input = decisionAbout(order.machine, events, { effects: [fulfilment()], dueAt });
  const result = await order.apply(input);

  expect(result).toMatchObject({ applied: true, revision: 1, state: input.state, writer: 'run-1' });
  expect(result.effects).toMatchObject([
    { key: 'order/live/1042/fulfil/order', name: 'fulfil', sensitive: true },
  ]);
  expect(await showOrder(order.store, KEY)).toMatchObject({
    status: 'paid',
    revision: 1,
    state: input.state,
    dueAt: '2026-12-01T00:00:00.000000Z',
    machineVersion: order.machine.version,
  });
  expect(await showEvent(order.store, events[0]?.seq as string)).toMatchObject({
    outcome: 'applied',
    reason: 'because applied',
    from: 'new',
    to: 'paid',
    revision: 1,
    worker: 'worker-1',
    machineVersion: order.machine.version,
    settledAt: expect.any(String),
  });
  expect(await selectJournal(order.store, KEY, { limit: 10 })).toMatchObject([
    { kind: 'step', revision: 1, version: '1', cause: refOf(events[0] as StoredEvent), worker: 'worker-1' },
    { kind: 'step', revision: 1, version: '2' },
  ]);
  expect(await listEffectsOfOrder(order.store, KEY)).toMatchObject([{ name: 'fulfil', state: 'pending' }]);
  const loaded = await createLoad({ store: order.store, settings: SETTINGS })({ key: KEY });
  expect(loaded).toMatchObject({ state: input.state, revision: 1, effects: result.effects });
});

test('[R30] a session that dies at any statement leaves nothing of the decision behind', async () => {
  const order = await orderWorld();
  const { proxy, apply } = await otherWorker(order);
  // On a row that is there already, and on one that is not.
  const first = await order.receive({ version: '1' });
  for (const revision of [0, 1]) {
    const next = revision === 0 ? first : await order.receive({ version: '2' });
    const input = decisionAbout(order.machine, [next], {
      revision,
      effects: [fulfilment({ once: `e${revision}` })],
    });
    const before = await order.dump();
    proxy.onStatement = () => 'pass';
    proxy.statements.length = 0;
    let position = 0;
    let statements = Infinity;
    for (let dieAt = 0; dieAt < statements; dieAt += 1) {
      let hasCommitted = false;
      proxy.onStatement = (sql) => {
        if (/FROM orders .*FOR UPDATE/s.test(sql)) position = 0;
        if (sql === 'COMMIT') {
          statements = position + 1;
          hasCommitted = true;
        }
        return position++ === dieAt ? 'cut_before' : 'pass';
      };
      await expect(apply(input)).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(await order.dump()).toEqual(before);
      if (hasCommitted) break;
    }
    expect(position).toBeGreaterThan(5);
    proxy.onStatement = () => 'pass';
    expect(await apply(input)).toMatchObject({ applied: true, revision: revision + 1 });
  }
});

test('[R61] a commit of unknown fate, and a result that was lost, are the same decision found again', async () => {
  const order = await orderWorld();
  const { proxy, apply } = await otherWorker(order);
  const event = await order.receive({ version: '1' });
  const input = decisionAbout(order.machine, [event], { effects: [fulfilment()] });
  let cuts = 0;
  proxy.onStatement = (sql) => (sql === 'COMMIT' && cuts++ === 0 ? 'cut_after' : 'pass');
  const first = await apply(input);
  expect(first).toMatchObject({ applied: true, revision: 1 });
  const after = await order.dump();
  expect(after['journal']).toHaveLength(1);

  expect(await order.apply(input)).toEqual(first);
  expect(await order.dump()).toEqual(after);
});

test('[R28] of two writers that decided on the same revision one applies, the other gets what is stored', async () => {
  const order = await orderWorld();
  const { apply: other } = await otherWorker(order);
  for (let revision = 0; revision < 12; revision += 1) {
    const event = await order.receive({ version: String(revision + 1) });
    const mine = decisionAbout(order.machine, [event], { revision, runId: 'run-1', status: 'paid' });
    const theirs = decisionAbout(order.machine, [event], { revision, runId: 'run-2', status: 'shipped' });
    const results = await Promise.all([order.apply(mine), other(theirs)]);
    const [winner, loser] = results[0].applied ? results : [results[1], results[0]];
    expect(winner.applied).toBe(true);
    expect(loser).toMatchObject({
      applied: false,
      restored: false,
      revision: revision + 1,
      state: winner.state,
      writer: winner.writer,
      settled: [refOf(event)],
    });
  }
  const journal = await selectJournal(order.store, KEY, { limit: 100 });
  expect(journal.map(({ revision }) => revision)).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
});

test('[R28] a decision on an older revision changes nothing', async () => {
  const order = await orderWorld();
  const [first, second] = [await order.receive({ version: '1' }), await order.receive({ version: '2' })];
  await order.apply(decisionAbout(order.machine, [first], { runId: 'run-1', status: 'paid' }));
  const before = await order.dump();
  const late = await order.apply(
    decisionAbout(order.machine, [second], { revision: 0, runId: 'run-2', status: 'cancelled' }),
  );
  expect(late).toMatchObject({ applied: false, revision: 1, settled: [], writer: 'run-1' });
  expect(late.state.status).toBe('paid');
  expect(await order.dump()).toEqual(before);
});

test('an event that was settled before is named, and nothing of its batch is applied', async () => {
  const order = await orderWorld();
  const [first, second] = [await order.receive({ version: '1' }), await order.receive({ version: '2' })];
  await order.apply(decisionAbout(order.machine, [first]));
  const before = await order.dump();
  const again = decisionAbout(order.machine, [first, second], { revision: 1 });
  expect(await order.apply(again)).toMatchObject({ applied: false, settled: [refOf(first)], twins: [] });
  expect(await order.dump()).toEqual(before);
  expect(await order.apply(decisionAbout(order.machine, [second], { revision: 1 }))).toMatchObject({
    applied: true,
    revision: 2,
  });
});

test('[R31] news that was settled under another id is named as a twin until it is decided to be stale', async () => {
  const order = await orderWorld();
  const facts = { refund: 're_1' };
  const first = await order.receive({ eventId: 'evt_a', type: 'payment.refunded', version: '7', facts });
  const twin = await order.receive({ eventId: 'evt_b', type: 'payment.refunded', version: '7', facts });
  const otherVersion = await order.receive({
    eventId: 'evt_c',
    type: 'payment.refunded',
    version: '8',
    facts,
  });
  const otherStream = await order.receive({
    ...{ eventId: 'evt_d', type: 'payment.refunded', version: '7', facts },
    ...{ object: 'payment:pi_2', stream: 'shop/payment:pi_2' },
  });
  await order.apply(decisionAbout(order.machine, [first], { effects: [fulfilment({ once: 're_1' })] }));

  const rest = [twin, otherVersion, otherStream];
  const found = await order.apply(decisionAbout(order.machine, rest, { revision: 1 }));
  expect(found).toMatchObject({ applied: false, revision: 1, settled: [], twins: [refOf(twin)] });

  const decided = decisionAbout(order.machine, rest, {
    revision: 1,
    effects: [fulfilment({ once: 're_1' })],
  });
  decided.outcomes[0] = outcomeOf(twin, 'stale');
  expect(await order.apply(decided)).toMatchObject({ applied: true, revision: 2 });
  expect(await listEffectsOfOrder(order.store, KEY)).toHaveLength(1);
});

test('an event of test mode or of an unknown type is nobody’s twin', async () => {
  const order = await orderWorld();
  await order.receive({ eventId: 'evt_foreign', version: '7', outcome: 'foreign', reason: 'other_mode' });
  const event = await order.receive({ eventId: 'evt_live', version: '7' });
  expect(await order.apply(decisionAbout(order.machine, [event]))).toMatchObject({ applied: true });
});

test('a held event is taken, may be held again, and is settled once', async () => {
  const order = await orderWorld();
  const event = await order.receive({ version: '2' });
  const untaken = createUntaken({ store: order.store });
  expect(await untaken({ key: KEY, limit: 10 })).toMatchObject([{ ...refOf(event), version: '2' }]);

  const hold = decisionAbout(order.machine, [event], { outcome: 'held', status: 'new' });
  await order.apply(hold);
  expect(await untaken({ key: KEY, limit: 10 })).toEqual([]);
  const held = await showEvent(order.store, event.seq);
  expect(held).toMatchObject({ outcome: 'held', takenAt: expect.any(String), settledAt: null });

  await order.apply({ ...hold, revision: 1 });
  await order.apply(decisionAbout(order.machine, [event], { revision: 2 }));
  expect(await showEvent(order.store, event.seq)).toMatchObject({
    outcome: 'applied',
    takenAt: held?.takenAt,
    settledAt: expect.any(String),
  });
  expect(await order.apply(decisionAbout(order.machine, [event], { revision: 3 }))).toMatchObject({
    applied: false,
    settled: [refOf(event)],
  });
});

test('a reviewed event may become what was made of it, once', async () => {
  const order = await orderWorld();
  const event = await order.receive({ version: '2' });
  const become = (outcome: Outcome, revision: number) =>
    order.apply(decisionAbout(order.machine, [event], { outcome, revision }));
  expect(await become('review', 0)).toMatchObject({ applied: true });
  for (const outcome of ['review', 'held', 'stale', 'failed'] as const) {
    expect(await become(outcome, 1)).toMatchObject({ applied: false, settled: [refOf(event)] });
  }
  expect(await become('ignored', 1)).toMatchObject({ applied: true, revision: 2 });
  expect(await become('applied', 2)).toMatchObject({ applied: false, settled: [refOf(event)] });
  expect(await showEvent(order.store, event.seq)).toMatchObject({ outcome: 'ignored', revision: 2 });
});

test('a decision may hold an event and settle it at once: its last outcome counts', async () => {
  const order = await orderWorld();
  const event = await order.receive({ version: '1' });
  const input = decisionAbout(order.machine, [event]);
  await order.apply({ ...input, outcomes: [outcomeOf(event, 'held', 'new'), outcomeOf(event, 'applied')] });
  expect(await showEvent(order.store, event.seq)).toMatchObject({
    outcome: 'applied',
    from: 'new',
    to: 'paid',
  });
});

test('an event of another order is never settled by this one', async () => {
  const order = await orderWorld();
  const event = await order.receive({ order: '1042 ', version: '1' });
  const before = await order.dump();
  expect(await order.apply(decisionAbout(order.machine, [event]))).toMatchObject({
    applied: false,
    restored: true,
  });
  expect(await order.dump()).toEqual(before);
});

test('a batch of a hundred outcomes of all kinds is written row by row as decided, in a few statements', async () => {
  const order = await orderWorld();
  const { proxy, apply } = await otherWorker(order);
  const events = await Promise.all(
    Array.from({ length: 100 }, (_, index) => order.receive({ version: String(index + 1) })),
  );
  const kinds: Outcome[] = ['applied', 'ignored', 'stale', 'superseded', 'review', 'failed', 'held'];
  const input = decisionAbout(order.machine, events);
  input.outcomes = events.map((event, index) => ({
    ...outcomeOf(event, kinds[index % kinds.length] as Outcome, `status${index % 3}`),
    reason: index % 4 === 0 ? null : `reason ${index}`,
  }));
  proxy.statements.length = 0;
  expect(await apply(input)).toMatchObject({ applied: true });
  expect(proxy.statements.length).toBeLessThan(16);
  const stored = new Map((await listEvents(order.store, { limit: 200 })).map((event) => [event.seq, event]));
  for (const { ref, outcome, reason, from, to } of input.outcomes) {
    expect(stored.get(ref.seq)).toMatchObject({ outcome, reason, from, to });
    expect(stored.get(ref.seq)?.settledAt === null).toBe(outcome === 'held');
  }
});

test('a reason of any length never keeps a decision from being written', async () => {
  const order = await orderWorld();
  const event = await order.receive({ version: '1' });
  const input = decisionAbout(order.machine, [event]);
  const reason = 'é'.repeat(4_000);
  input.outcomes = input.outcomes.map((outcome) => ({ ...outcome, reason }));
  input.journal = input.journal.map((entry) => ({ ...entry, reason }));
  expect(await order.apply(input)).toMatchObject({ applied: true });
  expect((await showEvent(order.store, event.seq))?.reason).toMatch(/^é{498}…$/);
});

test('[R37] an order whose writer is frozen in mid-transaction goes on within seconds', async () => {
  const order = await orderWorld();
  const frozenStore = openStore(order.world.mysqlUrl);
  order.world.defer(() => frozenStore.close());
  const [first, second] = [await order.receive({ version: '1' }), await order.receive({ version: '2' })];
  await order.apply(decisionAbout(order.machine, [first]));

  let thaw = (): void => undefined;
  const isFrozen = new Promise<void>((resolve) => (thaw = resolve));
  let holds = (): void => undefined;
  const hasWritten = new Promise<void>((resolve) => (holds = resolve));
  const frozenApply = createApply({
    worker: 'frozen',
    store: {
      ...frozenStore,
      transaction: (work, options) =>
        frozenStore.transaction(async (tx) => {
          const result = await work(tx);
          holds();
          await isFrozen;
          return result;
        }, options),
    },
  });
  const zombie = frozenApply(decisionAbout(order.machine, [second], { revision: 1, runId: newRun() }));
  await hasWritten;

  const startedMs = performance.now();
  const retried = async () => {
    for (;;) {
      try {
        return await order.apply(decisionAbout(order.machine, [second], { revision: 1 }));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ER_LOCK_WAIT_TIMEOUT' });
      }
    }
  };
  expect(await retried()).toMatchObject({ applied: true, revision: 2 });
  expect(performance.now() - startedMs).toBeLessThan(8_000);
  thaw();
  expect(await zombie).toMatchObject({
    applied: false,
    revision: 2,
    settled: [refOf(second)],
    writer: 'run-1',
  });
});

test('whatever is applied again, in any order and by anyone, changes nothing', async () => {
  const order = await orderWorld();
  const { apply: other } = await otherWorker(order);
  const decisions: ApplyInput[] = [];
  for (let revision = 0; revision < 5; revision += 1) {
    const event = await order.receive({ version: String(revision + 1) });
    const input = decisionAbout(order.machine, [event], {
      revision,
      effects: [fulfilment({ once: `e${revision}` })],
    });
    decisions.push(input);
    await order.apply(input);
  }
  const after = await order.dump();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(4), fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 8 }),
      async (calls) => {
        await Promise.all(
          calls.map(([index, byOther, byNewRun]) => {
            const input = decisions[index] as ApplyInput;
            return (byOther ? other : order.apply)(byNewRun ? { ...input, runId: newRun() } : input);
          }),
        );
        expect(await order.dump()).toEqual(after);
      },
    ),
    { numRuns: 15 },
  );
});
