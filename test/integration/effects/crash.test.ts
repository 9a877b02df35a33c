import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

import { InorderError } from '../../../src/errors.ts';
import { LEASE_MARGIN_MS } from '../../../src/effects/claim.ts';
import type { ChildOrder } from './attempt-in-child.ts';
import { handlerDefaults, httpHandler, request } from './order-with-effects.ts';
import { answer, startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';
import { effectWorld } from './world.ts';
import { setup } from '../setup.ts';
import type { EffectWorld } from './world.ts';

const SCRIPT = fileURLToPath(new URL('attempt-in-child.ts', import.meta.url));
const LEASE_MS = handlerDefaults.timeoutMs + LEASE_MARGIN_MS;
const DAY_MS = 86_400_000;

async function world(keyTtlMs = DAY_MS): Promise<{ shop: Receiver; world: EffectWorld }> {
  const shop = await startReceiver();
  onTestFinished(shop.stop);
  const made = await effectWorld(await setup(), { fulfil: httpHandler(shop.url, { keyTtlMs }) });
  await made.decide('paid', [request()]);
  return { shop, world: made };
}

async function inChild(
  { mysqlUrl, open }: EffectWorld,
  shop: Receiver,
  order: Pick<ChildOrder, 'at' | 'signal'> & Partial<ChildOrder>,
): Promise<{ child: ChildProcess; reached: Promise<string>; output: () => string }> {
  const [effect] = await open();
  const { id, key } = effect as NonNullable<typeof effect>;
  const full: ChildOrder = {
    mysqlUrl,
    effect: { id, key },
    url: shop.url,
    keyTtlMs: DAY_MS,
    sleptMs: 0,
    ...order,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, JSON.stringify(full)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  const reached = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('at ')) resolve(text);
    });
    child.once('exit', () => reject(new Error(`the child never got there: ${text}`)));
  });
  return { child, reached, output: () => text };
}

async function killedAt(at: string, keyTtlMs = DAY_MS): Promise<{ shop: Receiver; world: EffectWorld }> {
  const made = await world(keyTtlMs);
  const { child, reached } = await inChild(made.world, made.shop, { at, signal: 'SIGKILL', keyTtlMs });
  const exited = once(child, 'exit');
  await reached;
  expect((await exited)[1]).toBe('SIGKILL');
  return made;
}

it('[R32] [R61] killed between the call and its mark: repeated under the same key once the lease is over', async () => {
  const { shop, world } = await killedAt('effect.sent');
  expect(shop.calls).toHaveLength(1);
  expect(await world.row()).toMatchObject({ state: 'running', attempts: 1 });

  // Nobody else may take it before that: the first attempt might still be running.
  const early = await world.run();
  expect(early).toMatchObject({ state: 'pending', error: 'another attempt is under way' });
  expect(shop.calls).toHaveLength(1);

  await world.age(LEASE_MS);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(2);
  const [first, second] = shop.calls;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body.equals(first?.body as Buffer)).toBe(true);
  expect(await world.row()).toMatchObject({ state: 'done', attempts: 2 });
});

it('[R32] [R61] killed between the call and its mark without a key that is honoured: uncertain, never twice', async () => {
  const { shop, world } = await killedAt('effect.sent', 0);
  await world.age(LEASE_MS);
  expect(await world.run()).toMatchObject({ state: 'uncertain' });
  expect(shop.calls).toHaveLength(1);
  expect(await world.row()).toMatchObject({ state: 'uncertain', failures: 1, isUnknown: true });
});

it('[R32] [R61] killed between the claim and the call: the effect is not lost', async () => {
  const { shop, world } = await killedAt('effect.claimed');
  expect(shop.calls).toEqual([]);
  await world.age(LEASE_MS);
  expect(await world.run()).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(1);
});

it('[R32] [R61] killed after the mark: done, and nothing is called again', async () => {
  const { shop, world } = await killedAt('effect.marked');
  expect(await world.run()).toEqual({ state: 'done' });
  expect(shop.calls).toHaveLength(1);
});

it('[R32] a worker frozen before the call, whose lease ran out meanwhile, calls nobody when it wakes', async () => {
  const { shop, world: made } = await world();
  const { child, reached, output } = await inChild(made, shop, {
    at: 'effect.claimed',
    signal: 'SIGSTOP',
    sleptMs: LEASE_MS,
  });
  await reached;
  await made.age(LEASE_MS);
  expect(await made.run()).toEqual({ state: 'done' });
  const exited = once(child, 'exit');
  child.kill('SIGCONT');
  await exited;
  expect(output()).toContain('{"state":"done"}');
  expect(shop.calls).toHaveLength(1);
  expect(await made.row()).toMatchObject({ state: 'done', attempts: 2 });
});

it('[R32] [R37] a zombie that comes back after another attempt took over cannot write (B87)', async () => {
  const { shop, world: made } = await world();
  let late: ServerResponse | undefined;
  shop.replies.splice(0, 1, (response) => void (late = response), answer(422));
  const zombie = made.run();
  await shop.received(1);
  await made.age(LEASE_MS);
  expect(await made.run()).toMatchObject({
    state: 'pending',
    attempts: 2,
    error: 'the receiver answered 422',
  });
  const before = await made.row();

  late?.writeHead(200).end();
  expect(await zombie).toMatchObject({ state: 'pending', attempts: 2, error: 'the receiver answered 422' });
  expect(await made.row()).toEqual(before);
});

it('a mark that was written although its commit was never heard of counts as written', async () => {
  const { shop, world: made } = await world();
  const { store } = made;
  let lost = 0;
  const deaf = {
    ...store,
    async write(sql: string, params?: Parameters<typeof store.write>[1]) {
      const written = await store.write(sql, params);
      lost += 1;
      if (lost === 1) throw Object.assign(new Error('gone'), { code: 'PROTOCOL_CONNECTION_LOST' });
      return written;
    },
  };
  expect(await made.run({ store: deaf })).toEqual({ state: 'done' });
  expect(lost).toBe(2);
  expect(shop.calls).toHaveLength(1);
  expect(await made.row()).toMatchObject({ state: 'done', attempts: 1 });
});

it('while the store is away nothing is called and the effect waits', async () => {
  const { shop, world: made } = await world();
  const away = () => Promise.reject(new InorderError('store_unavailable', 'away'));
  const result = await made.run({ store: { ...made.store, query: away, transaction: away } });
  expect(result).toMatchObject({ state: 'pending', error: 'the store is away' });
  expect(result.state === 'pending' && result.delayMs).toBeGreaterThan(1_000);
  expect(shop.calls).toEqual([]);
});
