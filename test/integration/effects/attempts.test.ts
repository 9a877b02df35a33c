import { expect, it, vi } from 'vitest';

import { NotDone } from '../../../src/effects/not-done.ts';
import type { EffectCall } from '../../../src/config/resolved.ts';
import { answer, reset, startReceiver } from './receiver.ts';
import { functionHandler, httpHandler, request } from './order-with-effects.ts';
import { effectWorld } from './world.ts';
import { setup } from '../setup.ts';

const HOUR_MS = 3_600_000;
const retry = { maxAttempts: 3, firstDelayMs: 1_000, maxDelayMs: 2_000 };

it('[R34] a failing effect backs off, and after its limit it is failed and says why', async () => {
  const receiver = await startReceiver(answer(422));
  const world = await effectWorld(await setup(), { fulfil: httpHandler(receiver.url, { retry }) });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);

  const delays: number[] = [];
  for (let round = 1; round <= 2; round += 1) {
    const now = Date.now();
    const result = await world.run({ now: () => now });
    delays.push(result.state === 'pending' ? result.delayMs : Number.NaN);
    // Too early: nothing is called.
    expect(await world.run()).toMatchObject({ state: 'pending' });
    await world.age(2_000);
  }
  expect(delays).toEqual([1_000, 2_000]);
  expect(await world.run()).toEqual({ state: 'failed', error: 'the receiver answered 422' });
  expect(await world.run()).toEqual({ state: 'failed', error: 'the receiver answered 422' });
  expect(receiver.calls).toHaveLength(3);
});

it('[R32] an effect that may have been done is uncertain after its limit, never plainly failed', async () => {
  const receiver = await startReceiver(reset, answer(422), answer(422));
  const world = await effectWorld(await setup(), { fulfil: httpHandler(receiver.url, { retry }) });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  for (let round = 1; round <= 2; round += 1) {
    expect(await world.run()).toMatchObject({ state: 'pending' });
    await world.age(2_000);
  }
  expect(await world.run()).toMatchObject({ state: 'uncertain' });
});

it('[R32] an unknown end is not repeated when the receiver does not honour the key', async () => {
  const receiver = await startReceiver(answer(500));
  const world = await effectWorld(await setup(), { fulfil: httpHandler(receiver.url, { keyTtlMs: 0 }) });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  expect(await world.run()).toEqual({ state: 'uncertain', error: 'the receiver answered 500' });
  expect(await world.run()).toEqual({ state: 'uncertain', error: 'the receiver answered 500' });
  expect(receiver.calls).toHaveLength(1);
});

it('a certain failure is repeated without a key that is honoured', async () => {
  const receiver = await startReceiver(answer(422), answer(200));
  const world = await effectWorld(await setup(), { fulfil: httpHandler(receiver.url, { keyTtlMs: 0 }) });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending' });
  await world.age(2_000);
  expect(await world.run()).toEqual({ state: 'done' });
});

it('[R32] past the time for which its key is honoured an unknown effect is not repeated', async () => {
  const receiver = await startReceiver(answer(500));
  const world = await effectWorld(await setup(), {
    fulfil: httpHandler(receiver.url, { keyTtlMs: HOUR_MS }),
  });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending' });
  await world.age(HOUR_MS - 60_000);
  expect(await world.run()).toMatchObject({ state: 'pending' });
  // The key's time runs from the first attempt, whatever came after it.
  await world.age(60_000);
  expect(await world.run()).toEqual({ state: 'uncertain', error: 'the receiver answered 500' });
  expect(receiver.calls).toHaveLength(2);
});

it('knows at once that a Retry-After leads past the time for which the key is honoured', async () => {
  const receiver = await startReceiver(answer(503, { 'retry-after': '7200' }));
  const world = await effectWorld(await setup(), {
    fulfil: httpHandler(receiver.url, { keyTtlMs: HOUR_MS }),
  });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'uncertain' });
});

it('asks whether it was done when the key is not honoured: yes ends it without a second call', async () => {
  const receiver = await startReceiver(answer(500));
  const confirm = vi.fn<(call: EffectCall) => Promise<boolean>>(async () => true);
  const world = await effectWorld(await setup(), {
    fulfil: httpHandler(receiver.url, { keyTtlMs: 0, confirm }),
  });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending' });
  await world.age(2_000);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(receiver.calls).toHaveLength(1);
  expect(confirm.mock.calls[0]?.[0]).toMatchObject({
    order: { id: '10/42 é', status: 'paid' },
    idempotencyKey: 'order/live/10%2F42%20%C3%A9/fulfil/order',
  });
});

it('no clears the doubt, and it is called again', async () => {
  const receiver = await startReceiver(answer(500), answer(200));
  const confirm = async () => false;
  const world = await effectWorld(await setup(), {
    fulfil: httpHandler(receiver.url, { keyTtlMs: 0, confirm }),
  });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  await world.run();
  await world.age(2_000);
  expect(await world.run()).toMatchObject({ state: 'pending' });
  expect(await world.row()).toMatchObject({ isUnknown: false });
  expect(await world.run()).toEqual({ state: 'done' });
  expect(receiver.calls).toHaveLength(2);
});

it('a confirmation that keeps failing ends in uncertain', async () => {
  const receiver = await startReceiver(answer(500));
  const confirm = async () => {
    throw new Error('no idea');
  };
  const handler = httpHandler(receiver.url, { keyTtlMs: 0, confirm, retry: { ...retry, maxAttempts: 1 } });
  const world = await effectWorld(await setup(), { fulfil: handler });
  world.defer(receiver.stop);
  await world.decide('paid', [request()]);
  for (let round = 1; round <= 4; round += 1) {
    expect(await world.run()).toMatchObject({ state: 'pending' });
    await world.age(60_000);
  }
  expect(await world.run()).toEqual({ state: 'uncertain', error: 'not confirmed: Error: no idea' });
  expect(receiver.calls).toHaveLength(1);
});

it("a team's own function gets the order, the cause, the facts and the key", async () => {
  const run = vi.fn<(call: EffectCall) => Promise<void>>(async () => undefined);
  const world = await effectWorld(await setup(), { fulfil: functionHandler(run) });
  await world.decide('paid', [request()]);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(run.mock.calls[0]?.[0]).toEqual({
    order: {
      machine: 'order',
      environment: 'live',
      id: '10/42 é',
      status: 'paid',
      previous: 'new',
      revision: 1,
    },
    cause: request().cause,
    facts: { amount: '1250', currency: 'EUR' },
    idempotencyKey: 'order/live/10%2F42%20%C3%A9/fulfil/order',
    abort: expect.any(AbortSignal) as AbortSignal,
  });
});

it('an error of a function leaves its end unknown, NotDone says that nothing was done', async () => {
  const errors = [new Error('broke'), new NotDone('out of stock', { retryAfterMs: 90_000 })];
  const world = await effectWorld(await setup(), {
    fulfil: functionHandler(async () => {
      throw errors.shift() ?? new Error('called too often');
    }),
  });
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending', error: 'Error: broke' });
  expect(await world.row()).toMatchObject({ isUnknown: true });

  await world.decide('paid', [request({ once: 'second' })]);
  await world.store.write("UPDATE effects SET state = 'done' WHERE revision = 1");
  await world.open();
  const now = Date.now();
  expect(await world.run({ now: () => now })).toMatchObject({
    state: 'pending',
    error: 'NotDone: out of stock',
    delayMs: 90_000,
  });
  const [second] = await world.store.query(
    'SELECT 1 FROM effects WHERE revision = 2 AND unknown_since IS NULL',
  );
  expect(second).toBeDefined();
});

it('a function that ignores its signal is left behind when its time is over', async () => {
  let finish: (() => void) | undefined;
  let wasTold = false;
  const world = await effectWorld(await setup(), {
    fulfil: functionHandler(
      ({ abort }) =>
        new Promise((resolve, reject) => {
          abort.addEventListener('abort', () => (wasTold = true));
          finish = () => reject(new Error('late'));
          void resolve;
        }),
      { timeoutMs: 100 },
    ),
  });
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending', error: 'Error: did not end within 100 ms' });
  expect(wasTold).toBe(true);
  finish?.();
  expect(await world.row()).toMatchObject({ state: 'pending', attempts: 1, isUnknown: true });
});

it('a function that throws before it returns a promise is an unknown end like any other', async () => {
  const world = await effectWorld(await setup(), {
    fulfil: functionHandler(() => {
      throw new TypeError('at once');
    }),
  });
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending', error: 'TypeError: at once' });
});

it('an error of any length and script fits its record', async () => {
  const world = await effectWorld(await setup(), {
    fulfil: functionHandler(async () => {
      throw new Error('日本語'.repeat(500));
    }),
  });
  await world.decide('paid', [request()]);
  expect(await world.run()).toMatchObject({ state: 'pending' });
  expect((await world.row()).error).toMatch(/^Error: (日本語)+.{0,2}$/u);
});
