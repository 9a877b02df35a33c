import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../src/config/resolved.ts';
import { createUnlinkedAsker } from '../../../src/dispatch/ask-unlinked.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { insertLinks } from '../../../src/store/links.ts';
import { claimUnlinked, uncountQuestion } from '../../../src/store/unlinked-claims.ts';
import { newEvent } from '../store/new-event.ts';
import { POLICY } from '../../unit/dispatch/policy.ts';
import { dispatchWorld } from './world.ts';
import { sourceSettings } from '../../../src/providers/conformance/world.ts';

/** A provider's API whose answers the test sets, and the chore that asks it. */
async function setup(provider: Provider = sandbox) {
  const world = await dispatchWorld();
  const api = { status: 200, order: null as string | null, asked: [] as string[] };
  const server = createServer((request, response) => {
    const object = decodeURIComponent((request.url ?? '').replace('/objects/', ''));
    api.asked.push(object);
    const answer = { object, type: 'payment.captured', version: '1', data: {} };
    response.statusCode = api.status;
    response.end(JSON.stringify(api.order === null ? answer : { ...answer, order: api.order }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  world.defer(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source: Source = {
    name: 'shop',
    provider,
    settings: sourceSettings({ name: 'shop' }),
    environment: 'live',
    machine: 'order',
    mode: null,
    account: null,
    secrets: [],
    types: {},
    unknownTypes: 'reject',
    maxBytes: 1_000_000,
    contract: 'sequence',
    policy: POLICY,
    api: { base, key: null, perSecond: 20, timeoutMs: 2_000 },
    lists: false,
    reconcile: null,
  };
  const { store, warnings } = world;
  const askerWith = (askAfterMs: number) =>
    createUnlinkedAsker({
      sources: [source],
      claims: {
        claim: (query) => claimUnlinked(store, query),
        uncount: (object) => uncountQuestion(store, object),
      },
      link: ({ source: name, object }, order) => insertLinks(store, [{ source: name, ref: object, order }]),
      log: { info: () => {}, warn: (_: unknown, message?: string) => void warnings.push(message ?? '') },
      askAfterMs,
    });
  const payment = (id: string) =>
    newEvent({ order: null, eventId: id, object: `payment:${id}`, refs: [`payment:${id}`] });
  /** As if the pause after the last question were over. */
  const passPause = () => store.write('UPDATE events SET last_attempt_at = NULL');
  const attemptsOf = async (id: string) => {
    const [row] = await store.query<{ attempts: number }>('SELECT attempts FROM events WHERE event_id = ?', [
      id,
    ]);
    return row?.attempts;
  };
  return { ...world, api, askerWith, payment, passPause, attemptsOf };
}

describe('asking for the order of an unlinked event', () => {
  test('the answer links the event, and the next sweep sends it', async () => {
    const { api, askerWith, payment, storeEvents, sweeperWith, signalsOf, attemptsOf } = await setup();
    api.order = randomUUID();
    await storeEvents([payment('pi_1')]);
    await askerWith(0).runOnce();
    await sweeperWith(60_000).runOnce();
    expect(api.asked).toEqual(['payment:pi_1']);
    expect((await signalsOf(api.order)).flatMap(({ events }) => events)).toEqual(['pi_1']);
    // One delivery was tried by now; the question was none.
    expect(await attemptsOf('pi_1')).toBe(1);
  });

  test('an adapter that knows a shorter way to the order is asked by it', async () => {
    const asked: string[] = [];
    const { api, askerWith, payment, storeEvents, attemptsOf } = await setup({
      ...sandbox,
      orderOf: (_, object) => {
        asked.push(object);
        return Promise.resolve(object === 'payment:pi_1' ? 'order_1' : null);
      },
    });
    await storeEvents([payment('pi_1'), payment('pi_2')]);
    await askerWith(0).runOnce();
    expect(asked.sort()).toEqual(['payment:pi_1', 'payment:pi_2']);
    expect(api.asked).toEqual([]);
    expect(await attemptsOf('pi_2')).toBe(1);
  });

  test('an event that nobody wants is not asked about', async () => {
    const { api, askerWith, payment, storeEvents } = await setup();
    await storeEvents([{ ...payment('pi_1'), type: null }, payment('pi_2')]);
    await askerWith(0).runOnce();
    expect(api.asked).toEqual(['payment:pi_2']);
  });

  test('a young event is not asked about', async () => {
    const { api, askerWith, payment, storeEvents } = await setup();
    await storeEvents([payment('pi_1')]);
    await askerWith(60_000).runOnce();
    expect(api.asked).toEqual([]);
  });

  test('several events of one object cost one question, and two workers do not ask the same', async () => {
    const { api, askerWith, payment, storeEvents } = await setup();
    await storeEvents([payment('pi_1'), { ...payment('pi_1'), eventId: 'another' }, payment('pi_2')]);
    await Promise.all([askerWith(0).runOnce(), askerWith(0).runOnce()]);
    expect(api.asked.sort()).toEqual(['payment:pi_1', 'payment:pi_2']);
  });

  test('of several events of one object one worker claims the first, and none another', async () => {
    const { store, payment, storeEvents } = await setup();
    const objects = Array.from({ length: 15 }, (_, n) => `pi_${n}`);
    await storeEvents(
      objects.flatMap((id) => [0, 1, 2].map((copy) => ({ ...payment(id), eventId: `${id}-${copy}` }))),
    );
    const query = { source: 'shop', olderThanMs: 0, limit: 100 };
    const claimed = await Promise.all([0, 1, 2, 3].map(() => claimUnlinked(store, query)));
    expect(
      claimed
        .flat()
        .map(({ object }) => object)
        .sort(),
    ).toEqual(objects.map((id) => `payment:${id}`).sort());
  });

  test('a round asks for a quarter of what the provider allows', async () => {
    const { api, askerWith, payment, storeEvents } = await setup();
    await storeEvents(Array.from({ length: 12 }, (_, n) => payment(`pi_${n}`)));
    await askerWith(0).runOnce();
    expect(api.asked).toHaveLength(5);
  });

  test('an answer without an order is asked for again after a pause, ten times at most', async () => {
    const { api, askerWith, payment, storeEvents, passPause } = await setup();
    await storeEvents([payment('pi_1')]);
    const asker = askerWith(0);
    await asker.runOnce();
    await asker.runOnce();
    expect(api.asked).toHaveLength(1);
    for (let n = 0; n < 15; n += 1) {
      await passPause();
      await asker.runOnce();
    }
    expect(api.asked).toHaveLength(10);
  });

  test('while the API is down questions do not count', async () => {
    const { api, askerWith, payment, storeEvents, attemptsOf, passPause } = await setup();
    api.status = 503;
    await storeEvents([payment('pi_1')]);
    await askerWith(0).runOnce();
    expect(await attemptsOf('pi_1')).toBe(0);
    await passPause();
    await askerWith(0).runOnce();
    expect(api.asked).toHaveLength(2);
  });
});
