/** `apply` on a store that is older than the order: nothing is written until a person has named what was lost. */
import { expect, test } from 'vitest';
import { nameWindow, selectRestores } from '../../../src/store/restores.ts';
import { decisionAbout, orderWorld, refOf } from './order-world.ts';

test('a store that is behind the workflow, or never had an event, was restored: nothing is applied', async () => {
  const order = await orderWorld();
  const event = await order.receive({ version: '1' });
  const before = await order.dump();
  const behind = await order.apply(decisionAbout(order.machine, [event], { revision: 5 }));
  expect(behind).toMatchObject({ applied: false, restored: true, revision: 0, writer: null });

  const never = [
    { ...event, seq: '999999' },
    { ...event, event: 'another id under a number used again' },
    { ...event, source: 'stripe' },
  ];
  for (const reference of never) {
    const result = await order.apply(decisionAbout(order.machine, [reference]));
    expect(result).toMatchObject({ applied: false, restored: true });
  }
  expect(await order.dump()).toEqual(before);
});

test('[R44] what was named as lost is given up: the order gets what is stored, and which events are gone', async () => {
  const order = await orderWorld();
  const event = await order.receive({ version: '1' });
  const gone = { ...event, seq: '999999' };
  const ahead = { ...decisionAbout(order.machine, [event], { revision: 5 }), knownAt: Date.now() };
  const told = decisionAbout(order.machine, [event, gone]);
  expect(await order.apply(ahead)).toMatchObject({ applied: false, restored: true });
  expect(await selectRestores(order.store)).toMatchObject({
    openSinceMs: expect.any(Number) as number,
    found: 'order/live/1042 was decided up to revision 5, and the store has 0',
  });
  const now = Date.now();
  const window = { fromMs: now - 60_000, toMs: now, unknownForMs: 1_000, by: 'ada: disk lost' };
  await order.store.transaction((tx) => nameWindow(tx, window));

  const back = await order.apply(ahead);
  expect(back).toMatchObject({ applied: false, restored: false, lost: [], revision: 0 });
  expect(back.state.status).toBe('new');
  expect(await order.apply(told)).toMatchObject({ applied: false, restored: false, lost: [refOf(gone)] });
  expect(await order.apply(decisionAbout(order.machine, [event]))).toMatchObject({
    applied: true,
    revision: 1,
  });

  // What the order knew at another time was not lost with that window: it was restored again, or the window is too short.
  const earlier = { ...ahead, revision: 6, knownAt: now - 86_400_000 };
  expect(await order.apply(earlier)).toMatchObject({ applied: false, restored: true, revision: 1 });
  expect((await selectRestores(order.store)).found).toMatch(/outside of what was named as lost$/);
});
