import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { EffectCall, EffectHandler } from '../../../src/config/resolved.ts';
import { createLog } from '../../../src/log.ts';
import type { AttentionChange } from '../../../src/notify/changes.ts';
import { createNotifier } from '../../../src/notify/notifier.ts';
import { claimCalls, insertAttentionChanges, selectSubjectsToTell } from '../../../src/store/attention.ts';
import { SECRET, functionHandler, httpHandler } from '../effects/order-with-effects.ts';
import { answer, startReceiver } from '../effects/receiver.ts';
import { migratedStore } from '../store/migrated-store.ts';

const gap = (hasEnded = false): AttentionChange => ({
  kind: 'gap',
  source: 'shop',
  hasEnded,
  reason: 'version 2 never came',
});

async function notifierWorld(handler: EffectHandler) {
  const { store, world } = await migratedStore();
  const deps = { store, handler, log: createLog('silent', 'test'), random: () => 0 };
  const change = (id: string, changes: AttentionChange[]) =>
    store.transaction((tx) =>
      insertAttentionChanges(
        tx,
        { machine: 'order', environment: 'live', id },
        { status: 'paid', revision: 3 },
        changes,
      ),
    );
  /** Time passes: every instant of every call lies further back. */
  const age = (ms: number) =>
    store.write(
      `UPDATE attention_calls SET told_at = told_at - INTERVAL ? MICROSECOND,
              next_attempt_at = next_attempt_at - INTERVAL ? MICROSECOND`,
      [ms * 1_000, ms * 1_000],
    );
  return { store, world, change, age, notifier: createNotifier(deps), another: createNotifier(deps) };
}

describe('people are told of attention', () => {
  test('by a function: the newest order, and how many others', async () => {
    const calls: EffectCall[] = [];
    const { change, notifier } = await notifierWorld(
      functionHandler(
        async (call) => {
          calls.push(call);
          await Promise.resolve();
        },
        { name: 'pageUs' },
      ),
    );
    await notifier.runOnce();
    expect(calls).toEqual([]);
    await change('1', [gap()]);
    await change('2', [gap(), { ...gap(), kind: 'review', reason: 'captured late' }]);
    await change('1', [gap(true)]);
    await notifier.runOnce();
    expect(calls.map(({ attention }) => attention)).toEqual([
      { kind: 'gap', source: 'shop', reason: 'version 2 never came', began: 2, ended: 1, otherOrders: 1 },
      { kind: 'review', source: 'shop', reason: 'captured late', began: 1, ended: 0, otherOrders: 0 },
    ]);
    expect(calls[0]).toMatchObject({
      order: { machine: 'order', environment: 'live', id: '1', status: 'paid', revision: 3 },
      cause: { source: 'inorder', event: null, type: 'attention.ended', object: 'attention:gap' },
      facts: {},
      idempotencyKey: expect.stringMatching(/^attention\/gap\/shop\/[0-9a-f-]{36}$/) as string,
    });
  });

  test('at most once per kind and source within the window, whoever asks', async () => {
    const receiver = await startReceiver();
    const { world, change, age, notifier, another } = await notifierWorld(httpHandler(receiver.url));
    world.defer(receiver.stop);
    // A round may leave a row to the other worker, which is just looking at it: the next round has it.
    const rounds = async () => {
      for (let round = 0; round < 3; round += 1) await Promise.all([notifier.runOnce(), another.runOnce()]);
    };
    await change('1', [gap()]);
    await rounds();
    for (const order of ['2', '3']) await change(order, [gap()]);
    await change('4', [{ ...gap(), source: 'stripe' }]);
    await rounds();
    const told = () =>
      receiver.calls.map(({ body }) => {
        const { attention } = JSON.parse(body.toString()) as Required<EffectCall>;
        return [attention.source, attention.began];
      });
    expect(told()).toEqual([
      ['shop', 1],
      ['stripe', 1],
    ]);
    await age(5 * 60_000);
    await rounds();
    expect(told().slice(2)).toEqual([['shop', 2]]);
  });

  test('by HTTP, signed; a failed call is repeated byte for byte under its key, and nothing overtakes it', async () => {
    const receiver = await startReceiver(answer(500), answer(404), answer(204));
    const { world, change, age, notifier } = await notifierWorld(httpHandler(receiver.url));
    world.defer(receiver.stop);
    await change('1', [gap()]);
    await notifier.runOnce();
    await change('1', [gap(true)]);
    await notifier.runOnce();
    expect(receiver.calls).toHaveLength(1);
    for (let round = 0; round < 4; round += 1) {
      await age(60_000);
      await notifier.runOnce();
    }
    expect(receiver.calls).toHaveLength(3);
    const [first, ...others] = receiver.calls;
    for (const { body, headers } of others) {
      expect(body).toEqual(first?.body);
      expect(headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    }
    expect(JSON.parse(String(first?.body))).toMatchObject({
      effect: 'fulfil',
      attention: { kind: 'gap', source: 'shop', began: 1, ended: 0 },
    });
    for (const { body, headers } of receiver.calls) {
      expect(() => new Webhook(SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    // What came meanwhile is told when the window after the success is over.
    await age(5 * 60_000);
    await notifier.runOnce();
    expect(JSON.parse(String(receiver.calls[3]?.body))).toMatchObject({ attention: { began: 0, ended: 1 } });
  });

  test('also when a worker died between the claim and the call, or after it: with the same key', async () => {
    const keys: string[] = [];
    const { store, change, age, notifier } = await notifierWorld(
      functionHandler(async ({ idempotencyKey, attention }) => {
        keys.push(`${idempotencyKey} ${String(attention?.began)}`);
        await Promise.resolve();
      }),
    );
    const dying = createNotifier({
      store: { ...store, write: () => Promise.reject(new Error('killed after the call')) },
      handler: functionHandler(async ({ idempotencyKey, attention }) => {
        keys.push(`${idempotencyKey} ${String(attention?.began)}`);
        await Promise.resolve();
      }),
      log: createLog('silent', 'test'),
    });
    await change('1', [gap()]);
    await expect(dying.runOnce()).rejects.toThrow('killed after the call');
    expect(keys).toHaveLength(1);
    await change('2', [gap()]);
    await age(30_000);
    // This one dies before it calls.
    expect(await claimCalls(store, 20_000, 10)).toHaveLength(1);
    await notifier.runOnce();
    expect(keys).toHaveLength(1);
    await age(30_000);
    await notifier.runOnce();
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(await selectSubjectsToTell(store, 0)).toEqual([{ kind: 'gap', source: 'shop' }]);
  });
});
