import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startTemporal } from '../../../src/dev/services/temporal.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import { insertOrder } from '../../../src/store/orders.ts';
import { demoMachine } from '../../unit/dispatch/demo-machine.ts';
import { keyOf } from '../../unit/dispatch/order-events.ts';
import { newEvent } from '../store/new-event.ts';
import { dispatchWorld } from './world.ts';

const AT_ONCE_MS = 1;

describe('sweeping on the real servers', () => {
  test('an event whose receiver died before its call is sent, with the policies of its sources', async () => {
    const { storeEvents, sweeperWith, signalsOf } = await dispatchWorld();
    const order = randomUUID();
    await storeEvents([newEvent({ order, eventId: 'e1' })]);
    await sweeperWith(AT_ONCE_MS).runOnce();
    expect(await signalsOf(order)).toEqual([{ name: 'deliver', events: ['e1'], sources: ['shop'] }]);
  });

  test('all that waits for one order goes in one signal, oldest first', async () => {
    const { storeEvents, sweeperWith, signalsOf } = await dispatchWorld();
    const order = randomUUID();
    for (const eventId of ['e3', 'e1', 'e2']) await storeEvents([newEvent({ order, eventId })]);
    await sweeperWith(AT_ONCE_MS).runOnce();
    expect((await signalsOf(order)).map(({ events }) => events)).toEqual([['e3', 'e1', 'e2']]);
  });

  test('a young event is left to its receiver', async () => {
    const { storeEvents, sweeperWith, signalsOf } = await dispatchWorld();
    const order = randomUUID();
    await storeEvents([newEvent({ order })]);
    await sweeperWith(60_000).runOnce();
    expect(await signalsOf(order)).toEqual([]);
  });

  test('two sweepers at once send each event once, and what was sent rests before it is sent again', async () => {
    const { storeEvents, sweeperWith, signalsOf } = await dispatchWorld();
    const orders = Array.from({ length: 40 }, () => randomUUID());
    await storeEvents(orders.map((order) => newEvent({ order })));
    const sweepers = [sweeperWith(AT_ONCE_MS), sweeperWith(AT_ONCE_MS)];
    await Promise.all(sweepers.map((sweeper) => sweeper.runOnce()));
    await sweepers[0]?.runOnce();
    for (const order of orders) expect(await signalsOf(order)).toHaveLength(1);
  });

  test('[R42] an order whose timer should have rung is woken by an empty signal', async () => {
    const { store, sweeperWith, signalsOf } = await dispatchWorld();
    const order = randomUUID();
    await insertOrder(store, {
      key: keyOf(order),
      state: freshState(demoMachine, keyOf(order)),
      revision: 1,
      runId: 'run',
      decision: Buffer.alloc(32),
      machineVersion: 1,
      dueAtMs: Date.now() - 5_000,
    });
    await sweeperWith(60_000).runOnce();
    expect(await signalsOf(order)).toEqual([]);
    await sweeperWith(AT_ONCE_MS).runOnce();
    expect(await signalsOf(order)).toEqual([{ name: 'deliver', events: [], sources: ['shop'] }]);
  });

  test('an unlinked event is sent as soon as another one says which order its object belongs to', async () => {
    const { storeEvents, sweeperWith, signalsOf } = await dispatchWorld();
    const order = randomUUID();
    const refs = ['charge:ch_1', 'payment:pi_1'];
    await storeEvents([newEvent({ order: null, eventId: 'charge', object: 'charge:ch_1', refs })]);
    await storeEvents([
      newEvent({
        order: null,
        eventId: 'dispute',
        object: 'dispute:dp_1',
        refs: ['dispute:dp_1', 'charge:ch_1'],
      }),
    ]);
    const sweeper = sweeperWith(60_000);
    await sweeper.runOnce();
    expect(await signalsOf(order)).toEqual([]);
    await storeEvents([
      newEvent({ order, eventId: 'intent', object: 'payment:pi_1', refs: ['payment:pi_1'] }),
    ]);
    await sweeper.runOnce();
    expect((await signalsOf(order)).flatMap(({ events }) => events)).toEqual(['charge', 'dispute']);
  });

  test('[R6] what was stored while Temporal was away is sent within seconds of its return', async () => {
    const temporal = await startTemporal({ dataDir: null, announce: () => {} });
    const { storeEvents, sweeperWith, signalsOf, reachability, defer, warnings } = await dispatchWorld({
      temporalAddress: temporal.address,
    });
    defer(() => temporal.stop());
    const order = randomUUID();
    await storeEvents([newEvent({ order, eventId: 'before' })]);
    const sweeper = sweeperWith(3_600_000);
    await sweeper.runOnce();

    await temporal.kill();
    await storeEvents([newEvent({ order, eventId: 'during' })]);
    await sweeper.runOnce();
    expect(reachability.isDown).toBe(true);

    const isBack = new Promise<void>((resolve) =>
      reachability.onChange(({ reachable }) => {
        if (reachable) resolve();
      }),
    );
    await temporal.restart();
    await isBack;
    await expect
      .poll(
        async () => {
          await sweeper.runOnce();
          return (await signalsOf(order)).flatMap(({ events }) => events);
        },
        { timeout: 15_000 },
      )
      .toEqual(['before', 'during']);
    expect(warnings).toEqual(['Temporal cannot be reached; events are stored and wait']);
  });
});
