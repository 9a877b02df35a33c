import { expect, it } from 'vitest';

import { freshStream } from '../../../src/ordering/fresh-state.ts';
import type { HeldEvent } from '../../../src/ordering/state.ts';
import { selectOpenEffects } from '../../../src/store/effects.ts';
import { answer, reset, startReceiver } from './receiver.ts';
import { KEY, configWith, functionHandler, httpHandler, request } from './order-with-effects.ts';
import { effectWorld } from './world.ts';
import { nameLostWindow, surveyRestore } from '../../../src/operations/restored.ts';
import { selectRestores } from '../../../src/store/restores.ts';
import { setup } from '../setup.ts';

const validIn = { once: 'order', whenPassed: 'run', validIn: ['paid'] } as const;
const sensitive = { once: 'order', whenPassed: 'run', sensitive: true } as const;

it('an effect whose order left the statuses it is valid in is dropped with a record, and never called', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(
    await setup(),
    { fulfil: httpHandler(shop.url) },
    { fulfil: { ...validIn, validIn: ['paid'] } },
  );
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  await world.decide('cancelled', []);
  expect(await world.run()).toEqual({ state: 'dropped' });
  expect(await world.run()).toEqual({ state: 'dropped' });
  expect(await world.row()).toMatchObject({
    state: 'dropped',
    attempts: 0,
    error: 'the order is cancelled; valid in paid',
  });
  expect(shop.calls).toEqual([]);
});

it('[R31] a dropped effect does not use up its key: asked for again it runs, once, as the new decision says', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(
    await setup(),
    { fulfil: httpHandler(shop.url) },
    { fulfil: { ...validIn, validIn: ['paid'] } },
  );
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  await world.decide('cancelled', []);
  await world.run();
  await world.decide('paid', [request({ previous: 'cancelled' })]);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(1);
  const { order } = JSON.parse(String(shop.calls[0]?.body)) as { order: unknown };
  expect(order).toMatchObject({ status: 'paid', previous: 'cancelled', revision: 3 });
});

it('[R31] whatever asks for a key again, its first row stands: done, failed, under way or waiting', async () => {
  const shop = await startReceiver(answer(200));
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request(), request({ facts: { amount: 'other' } })]);
  expect(await world.open()).toHaveLength(1);
  await world.decide('paid', [request({ facts: { amount: 'third' } })]);
  expect(await world.run()).toEqual({ state: 'done' });
  await world.decide('paid', [request({ facts: { amount: 'fourth' } })]);
  expect(await world.open()).toEqual([]);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(1);
  expect(String(shop.calls[0]?.body)).toContain('1250');
});

it('a certain failure may be dropped, even after many attempts', async () => {
  const shop = await startReceiver(answer(422));
  const world = await effectWorld(
    await setup(),
    { fulfil: httpHandler(shop.url) },
    { fulfil: { ...validIn, validIn: ['paid'] } },
  );
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  for (let round = 1; round <= 2; round += 1) {
    await world.run();
    await world.age(60_000);
  }
  await world.decide('shipped', []);
  expect(await world.run()).toEqual({ state: 'dropped' });
});

it('[R31] a dropped effect that a receiver has seen keeps its bytes when it is asked for again', async () => {
  const shop = await startReceiver(answer(422), answer(200));
  const world = await effectWorld(
    await setup(),
    { fulfil: httpHandler(shop.url) },
    { fulfil: { ...validIn, validIn: ['paid'] } },
  );
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  await world.run();
  await world.age(60_000);
  await world.decide('disputed', []);
  expect(await world.run()).toEqual({ state: 'dropped' });
  await world.decide('paid', [request({ previous: 'disputed', facts: {} })]);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(2);
  expect(String(shop.calls[1]?.body)).toBe(String(shop.calls[0]?.body));
});

it('[R32] an effect that may have been done is not dropped but brought to a known end', async () => {
  const shop = await startReceiver(reset, answer(422), answer(200));
  const world = await effectWorld(
    await setup(),
    { fulfil: httpHandler(shop.url) },
    { fulfil: { ...validIn, validIn: ['paid'] } },
  );
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending' });
  await world.decide('cancelled', []);
  await world.age(60_000);
  // The refusal of the second attempt says nothing about the first, which may have gone through.
  expect(await world.run()).toMatchObject({ state: 'pending' });
  await world.age(60_000);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(new Set(shop.calls.map(({ headers }) => headers['idempotency-key']))).toHaveProperty('size', 1);
});

it('an order that still stands under the old name of its status is not taken to have left it', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(
    await setup(),
    { fulfil: httpHandler(shop.url) },
    { fulfil: { ...validIn, validIn: ['paid'] } },
  );
  world.defer(shop.stop);
  await world.decide('settled', [request({ status: 'settled' })]);
  expect(await world.run()).toEqual({ state: 'done' });
});

it('a sensitive effect waits while a gap or an ask of the order is open', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) }, { fulfil: sensitive });
  world.defer(shop.stop);
  const stream = freshStream('sequence', '0');
  const ask = { n: 1, reason: 'hint', since: 0, attempts: 0, retryAt: null, late: false };
  const held: HeldEvent = {
    ...{ seq: '3', source: 'shop', event: 'evt_3', stream: 'shop/order:1', type: 'order.shipped' },
    ...{ payment: null, version: '3', claimedAt: null, fact: 'shipped', facts: {} },
    ...{ reason: 'gap', since: 0, behind: false, review: null, ask: null },
  };

  const open = [
    { ...stream, ask },
    { ...stream, ask: { ...ask, retryAt: 99 } },
    { ...stream, held: [held] },
  ];
  for (const [index, open1] of open.entries()) {
    await world.decide('paid', index === 0 ? [request()] : [], (state) => {
      state.streams['shop/order:1'] = open1;
    });
    expect(await world.run()).toMatchObject({ state: 'pending', attempts: 0 });
  }
  await world.decide('paid', [], (state) => {
    state.streams['shop/order:1'] = stream;
    state.finds['shop'] = ask;
  });
  expect(await world.run()).toMatchObject({ state: 'pending', attempts: 0 });
  expect(shop.calls).toEqual([]);

  await world.decide('paid', [], (state) => {
    state.finds = {};
  });
  expect(await world.run()).toEqual({ state: 'done' });
});

it('effects of one name run in the order in which they were asked for, names do not wait for each other', async () => {
  const shop = await startReceiver(answer(503), answer(200));
  const handler = httpHandler(shop.url);
  const policies = {
    fulfil: { once: 'event', whenPassed: 'run' },
    bookRefund: { once: 'event', whenPassed: 'run' },
  } as const;
  const world = await effectWorld(await setup(), { fulfil: handler, bookRefund: handler }, policies);
  world.defer(shop.stop);
  await world.decide('paid', [request({ once: 're_1' })]);
  await world.decide('paid', [request({ once: 're_2' }), request({ name: 'bookRefund' })]);
  const [first, second] = await world.open();
  const runEffect = world.runEffect();
  const run = async (effect = first) => await runEffect(effect as { id: string; key: string });

  expect(await run(second)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(await run(first)).toMatchObject({ state: 'pending', attempts: 1 });
  expect(await run(second)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(await world.run({}, 'bookRefund')).toEqual({ state: 'done' });
  await world.age(60_000);
  expect(await run(first)).toEqual({ state: 'done' });
  expect(await run(second)).toEqual({ state: 'done' });
});

it('of two workers that want the same effect at the same instant one calls it', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  const results = await Promise.all(Array.from({ length: 8 }, () => world.run()));
  expect(shop.calls).toHaveLength(1);
  expect(results.filter(({ state }) => state === 'done').length).toBeGreaterThanOrEqual(1);
  for (const result of results) expect(['done', 'pending']).toContain(result.state);
  expect(await world.row()).toMatchObject({ state: 'done', attempts: 1 });
});

it('shadow mode writes the effect as recorded and never calls it', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request({ mode: 'record' })]);
  expect(await world.open()).toEqual([]);
  const [row] = await world.store.query<{ id: string; effect_key: string }>(
    'SELECT id, effect_key FROM effects',
  );
  const runEffect = world.runEffect();
  expect(await runEffect({ id: row?.id ?? '', key: row?.effect_key ?? '' })).toEqual({ state: 'recorded' });
  expect(shop.calls).toEqual([]);
  expect(await world.row()).toMatchObject({ state: 'recorded', attempts: 0 });
});

it('an effect that this worker does not know is left for another', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  const older = configWith(world.machine, {});
  const result = await world.run({ config: older });
  expect(result).toMatchObject({ state: 'pending', attempts: 0 });
  expect(result.state === 'pending' && result.delayMs > 5_000).toBe(true);
  expect(await world.row()).toMatchObject({ state: 'pending', attempts: 0 });
  expect(await world.run()).toEqual({ state: 'done' });
});

it('an effect that the store does not have stops all effects until a person has named what was lost', async () => {
  const shop = await startReceiver();
  const world = await effectWorld(await setup(), { fulfil: httpHandler(shop.url) });
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  const [lost] = await world.open();
  await world.store.write('DELETE FROM effects');
  // A restored store may give the number to another effect.
  await world.store.write('ALTER TABLE effects AUTO_INCREMENT = 1');
  const later = '2099-01-01T00:00:00Z';
  await world.decide('paid', [
    request({ once: 'another', causedAt: later, cause: { ...request().cause, claimedAt: later } }),
  ]);
  const [another] = await world.open();
  expect(another?.id).toBe(lost?.id);
  const input = { id: lost?.id ?? '', key: lost?.key ?? '' };
  expect(await world.runEffect()(input)).toMatchObject({
    state: 'pending',
    error: expect.any(String) as string,
  });
  expect(await selectRestores(world.store)).toMatchObject({
    openSinceMs: expect.any(Number) as number,
    found: `the store has no effect ${lost?.key}`,
  });
  expect(await world.run()).toMatchObject({ state: 'pending', attempts: 0 });
  expect(shop.calls).toEqual([]);

  const now = Date.now();
  await nameLostWindow(world.store, {
    fromMs: now - 60_000,
    toMs: now - 30_000,
    unknownForMs: 60_000,
    by: 'ada',
  });
  expect(await world.runEffect()(input)).toEqual({ state: 'dropped' });
  expect(await world.run()).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(1);
});

it("after a restore, what may have been done in the lost time is a person's, and what came later runs", async () => {
  const shop = await startReceiver();
  const policies = Object.fromEntries(
    ['early', 'unseen', 'before', 'silent', 'later'].map((name) => [
      name,
      { once: 'order', whenPassed: 'run' } as const,
    ]),
  );
  const handlers = Object.fromEntries(
    Object.keys(policies).map((name) => [name, httpHandler(shop.url, { keyTtlMs: 0 })]),
  );
  const world = await effectWorld(await setup(), handlers, policies);
  world.defer(shop.stop);
  const now = Date.now();
  const lost = { fromMs: now - 7_200_000, toMs: now - 3_600_000, unknownForMs: 60_000, by: 'ada' };
  const caused = (ms: number) => ({ causedAt: new Date(ms).toISOString() });
  await world.decide('paid', [request({ name: 'early' }), request({ name: 'unseen' })]);
  // The one is of the backup; the other was asked for before anybody saw that there had been a restore.
  await world.store.write("UPDATE effects SET created_at = '2020-01-01' WHERE name = 'early'");
  expect(await surveyRestore(world.store, lost)).toMatchObject({
    openEffects: 1,
    doubtful: 1,
    isNamed: false,
    openSince: null,
  });
  await nameLostWindow(world.store, lost);
  await world.decide('paid', [
    request({ name: 'before', ...caused(lost.toMs - 1) }),
    request({ name: 'silent' }),
    request({ name: 'later', ...caused(lost.toMs + 1) }),
  ]);
  expect(await world.row('early')).toMatchObject({ state: 'pending', isUnknown: true });
  for (const name of ['unseen', 'before', 'silent'])
    expect(await world.row(name)).toMatchObject({
      state: 'uncertain',
      attempts: 0,
      error: expect.any(String) as string,
    });
  expect(await world.row('later')).toMatchObject({ state: 'pending', error: null });

  // Its receiver honours no key: what may have been done is never repeated.
  expect(await world.run({}, 'early')).toMatchObject({ state: 'uncertain' });
  expect(await world.run({}, 'later')).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(1);

  // Said again it changes nothing.
  await nameLostWindow(world.store, lost);
  expect((await selectRestores(world.store)).closed).toHaveLength(1);
  expect(await surveyRestore(world.store, lost)).toMatchObject({
    openEffects: 0,
    doubtful: 0,
    isNamed: true,
  });
});

it('[R28] no transaction is open while the effect is called, and its order can be decided meanwhile', async () => {
  let openTransactions = Number.NaN;
  const world = await effectWorld(await setup(), {
    fulfil: functionHandler(async () => {
      // Which locks are left would show as a lock wait here: the order moves during the call.
      await world.decide('shipped', [request({ once: 'meanwhile' })]);
      const [row] = await world.store.query<{ n: string }>(
        `SELECT COUNT(*) AS n FROM information_schema.innodb_trx trx
           JOIN information_schema.processlist process ON process.id = trx.trx_mysql_thread_id
          WHERE process.db = DATABASE() AND process.id <> CONNECTION_ID()`,
      );
      openTransactions = Number(row?.n);
    }),
  });
  await world.decide('paid', [request()]);
  const [effect] = await world.open();
  expect(await world.run()).toEqual({ state: 'done' });
  expect(openTransactions).toBe(0);
  expect(effect).toMatchObject({ name: 'fulfil' });
});

it('a URL that was changed is used unless the old receiver may have done the effect', async () => {
  const old = await startReceiver(answer(404), reset);
  const renewed = await startReceiver();
  const handlers = { fulfil: httpHandler(old.url) };
  const world = await effectWorld(await setup(), handlers);
  world.defer(old.stop);
  world.defer(renewed.stop);
  const config = configWith(world.machine, { fulfil: httpHandler(renewed.url) });

  await world.decide('paid', [request()]);
  await world.run();
  await world.age(60_000);
  expect(await world.run({ config })).toEqual({ state: 'done' });
  expect([old.calls.length, renewed.calls.length]).toEqual([1, 1]);

  await world.decide('paid', [request({ once: 'second' })]);
  await world.open();
  await world.run();
  await world.age(60_000);
  await world.run({ config });
  expect([old.calls.length, renewed.calls.length]).toEqual([3, 1]);
});

it('open effects are told with when they may run, and those that need a person until the order says so', async () => {
  const shop = await startReceiver(answer(422));
  const handler = httpHandler(shop.url, { retry: { maxAttempts: 1, firstDelayMs: 10, maxDelayMs: 10 } });
  const world = await effectWorld(await setup(), { fulfil: handler }, { fulfil: sensitive });
  world.defer(shop.stop);
  await world.decide('paid', [request()]);
  const [open] = await world.open();
  expect(open).toMatchObject({ name: 'fulfil', sensitive: true, nextAttemptAt: null });
  expect(open?.key).toBe(`${KEY.machine}/${KEY.environment}/10%2F42%20%C3%A9/fulfil/order`);
  expect(await world.run()).toMatchObject({ state: 'failed' });
  // The worker may have died before it could tell: the row comes back until the trouble is in the state.
  expect(await world.open()).toHaveLength(1);
  expect(await world.run()).toMatchObject({ state: 'failed' });
  expect(await selectOpenEffects(world.store, KEY, world.machine, { [open?.key ?? '']: {} })).toEqual([]);
});
