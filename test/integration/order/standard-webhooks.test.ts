/** A team's own application as a source, on the real parts: its numbers, its hints, its API. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signStandardWebhook } from '../../../src/providers/standard-webhooks-signature.ts';
import { startTeamSystem } from '../processes/team-system.ts';
import type { TeamSystem } from '../processes/team-system.ts';
import { startShopApi } from './shop-api.ts';
import type { ShopApi } from './shop-api.ts';

const SECRET = 'whsec_b25lLXNlY3JldC1vZi10aGUtc2hvcC4uLg==';
const folder = mkdtempSync(join(tmpdir(), 'inorder-shop-'));
let api: ShopApi;
let system: TeamSystem;

beforeAll(async () => {
  api = await startShopApi();
  const file = join(folder, 'inorder.config.ts');
  writeFileSync(
    file,
    `import { defineConfig, defineMachine, env, ignore, review } from 'inorder';
     const order = defineMachine({
       name: 'order', version: 1, initial: 'new',
       statuses: { new: {}, open: {}, confirmed: {}, shipped: {}, cancelled: {} }, effects: {},
       on: {
         'order.created': { new: 'open', else: ignore('known already') },
         'order.confirmed': { open: 'confirmed', cancelled: review('too late') },
         'order.shipped': { confirmed: 'shipped', cancelled: review('too late') },
         'order.cancelled': { open: 'cancelled', confirmed: 'cancelled', shipped: review('too late') },
       },
       unlisted: 'ask',
     });
     const source = {
       provider: 'standard-webhooks', environment: 'live', machine: 'order', unknownTypes: 'reject' as const,
       secrets: [{ id: 'a', value: env('SECRET') }],
       types: { 'paket.unterwegs': 'order.shipped' },
       fetch: { url: env('API'), bearer: env('TOKEN') },
     };
     export default defineConfig({
       machines: [order], effects: {},
       sources: {
         numbered: {
           ...source, contract: 'sequence', first: '1', gapTimeout: '500ms',
           paths: { order: 'data.order', version: 'data.version' },
         },
         hints: { ...source, lagWindow: '1s', paths: { order: 'data.order' } },
       },
     });`,
  );
  system = await startTeamSystem({
    file,
    variables: { SECRET, TOKEN: 'token-of-the-shop', API: `${api.url}/internal/orders/{object}` },
  });
  system.world.defer(() => api.close());
});
afterAll(async () => {
  await system.world.cleanup();
  rmSync(folder, { recursive: true });
});

async function send(source: string, order: string, type: string, version?: number): Promise<string> {
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify(newsOf(order, type, version));
  const headers = {
    'content-type': 'application/json',
    ...signStandardWebhook(SECRET, { id, timestampSeconds: Math.floor(Date.now() / 1_000), body }),
  };
  const answer = await fetch(`${system.url}/webhooks/${source}`, { method: 'POST', headers, body });
  expect(await answer.json()).toEqual({ status: 'accepted' });
  return id;
}
const newsOf = (order: string, type: string, version?: number) => ({
  type,
  timestamp: new Date().toISOString(),
  data: { order, version },
});
const requestsFor = (order: string) =>
  api.requests.filter(({ path }) => path === `/internal/orders/${encodeURIComponent(order)}`);
const outcomesOf = async (order: string) =>
  Object.fromEntries((await system.eventsOf(order)).map(({ event_id: id, outcome }) => [id, outcome]));

it("[R21] your application's numbers put its webhooks in order, in whichever order they come", async () => {
  const order = `in/order ${randomUUID()}`;
  const third = await send('numbered', order, 'paket.unterwegs', 3);
  const second = await send('numbered', order, 'order.confirmed', 2);
  const first = await send('numbered', order, 'order.created', 1);
  await system.untilStatus(order, 'shipped');
  const again = await send('numbered', order, 'order.confirmed', 2);
  await system.untilSettled(order);
  expect(await outcomesOf(order)).toEqual({
    [third]: 'applied',
    [second]: 'applied',
    [first]: 'applied',
    [again]: 'stale',
  });
  expect(await system.statusOf(order)).toBe('shipped');
});

it('[R21] a number that never comes is asked for at the address of the configuration, with its bearer', async () => {
  const order = `Lücke/${randomUUID()}`;
  api.newest.set(order, newsOf(order, 'paket.unterwegs', 3));
  api.down = 1;
  const first = await send('numbered', order, 'order.created', 1);
  const third = await send('numbered', order, 'paket.unterwegs', 3);
  await system.untilStatus(order, 'shipped');
  await system.untilSettled(order);
  expect(await outcomesOf(order)).toEqual({ [first]: 'applied', [third]: 'applied' });
  const requests = requestsFor(order);
  // Asked again after the 503.
  expect(requests.length).toBeGreaterThanOrEqual(2);
  expect(new Set(requests.map(({ bearer }) => bearer))).toEqual(new Set(['Bearer token-of-the-shop']));
});

it('[R22] without versions an event is a hint: five at once cost fewer calls, and the answer is applied', async () => {
  const order = `hints-${randomUUID()}`;
  api.newest.set(order, newsOf(order, 'order.shipped'));
  const goOn = api.hold();
  const types = ['order.shipped', 'order.created', 'order.confirmed', 'order.created', 'order.shipped'];
  await Promise.all(types.map((type) => send('hints', order, type)));
  await expect.poll(() => requestsFor(order).length, { timeout: 20_000 }).toBe(1);
  goOn();
  await system.untilStatus(order, 'shipped');
  await system.untilSettled(order);
  expect(
    Object.values(await outcomesOf(order)).filter((outcome) => outcome === 'applied').length,
  ).toBeGreaterThan(0);
  expect(requestsFor(order).length).toBeLessThan(types.length);
});

it('[R62] an answer of your API that is older than what was sent is not believed', async () => {
  const order = `lagging-${randomUUID()}`;
  api.newest.set(order, newsOf(order, 'order.created', 1));
  await send('numbered', order, 'order.created', 1);
  const third = await send('numbered', order, 'order.shipped', 3);
  await expect.poll(() => requestsFor(order).length, { timeout: 20_000 }).toBeGreaterThan(1);
  expect(await system.statusOf(order)).toBe('open');
  api.newest.set(order, newsOf(order, 'order.shipped', 3));
  await system.untilStatus(order, 'shipped');
  expect((await outcomesOf(order))[third]).toBe('applied');
});
