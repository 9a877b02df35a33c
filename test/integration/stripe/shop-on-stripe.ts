/** A shop on Stripe, on the real parts: the template's table, the stand-in for Stripe, signed deliveries by HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { EffectCall, EffectHandler } from '../../../src/config/resolved.ts';
import { stripeDelivery } from '../../../src/dev/stripe/delivery.ts';
import type { StripeServer } from '../../../src/dev/stripe/server.ts';
import { startStripe } from '../../../src/dev/stripe/server.ts';
import { StripeStory } from '../../../src/dev/stripe/story.ts';
import type { StripeStorySettings } from '../../../src/dev/stripe/story.ts';
import type { StripeEvent } from '../../../src/dev/stripe/world.ts';
import { StripeWorld } from '../../../src/dev/stripe/world.ts';
import { startTeamSystem } from '../processes/team-system.ts';

export const SECRETS = {
  new: 'whsec_nFq1T5hF8AzqTSN5c0nSU1Nw0cQKV2oE',
  old: 'whsec_M4c7cKx1jXwA3o9S6jG2m0pY',
};
const TABLE = fileURLToPath(new URL('../../../src/init/templates/stripe/order.ts', import.meta.url));

const CONFIG = `
  import { defineConfig, env } from 'inorder';
  import { order } from ${JSON.stringify(TABLE)};
  const handler = { keyTtl: '24h', run: async () => {} };
  export default defineConfig({
    machines: [order],
    sources: {
      stripe: {
        provider: 'stripe', environment: 'live', machine: 'order', mode: 'live', unknownTypes: 'archive',
        secrets: [{ id: 'new', value: env('SECRET_NEW') }, { id: 'old', value: env('SECRET_OLD') }],
        order: ['metadata.order_id', 'client_reference_id'],
        apiKey: env('KEY'), apiBase: env('API'), apiPerSecond: 100, apiTimeout: '2s', lagWindow: '2s',
      },
    },
    effects: Object.fromEntries(Object.keys(order.effects).map((name) => [name, handler])),
  });`;

export async function openShopOnStripe() {
  const stripe = new StripeWorld({ seed: 'integration' });
  const api: StripeServer = await startStripe(stripe, 'rk_live_readonly');
  const folder = mkdtempSync(join(tmpdir(), 'inorder-stripe-'));
  const file = join(folder, 'inorder.config.ts');
  writeFileSync(file, CONFIG);
  const done: EffectCall[] = [];
  const system = await startTeamSystem({
    file,
    variables: {
      SECRET_NEW: SECRETS.new,
      SECRET_OLD: `${SECRETS.old}\n`,
      KEY: 'rk_live_readonly',
      API: api.url,
    },
    configure(config) {
      for (const [name, effect] of config.effects)
        config.effects.set(name, {
          ...(effect as Extract<EffectHandler, { kind: 'function' }>),
          run: (call) => {
            done.push(call);
            return Promise.resolve();
          },
        });
    },
  });
  system.world.defer(async () => {
    await api.close();
    rmSync(folder, { recursive: true });
  });

  /** Posts an event as Stripe does; the answer's status and word. */
  const send = async (
    event: Pick<StripeEvent, 'body'>,
    secrets: string | string[] = SECRETS.new,
    ageSeconds = 0,
  ) => {
    const { headers, body } = stripeDelivery(
      event.body,
      secrets,
      Math.floor(Date.now() / 1_000) - ageSeconds,
    );
    return post(headers, body);
  };
  const post = async (headers: Record<string, string>, body: Buffer) => {
    const answer = await fetch(`${system.url}/webhooks/stripe`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    const { status: word, error } = (await answer.json()) as { status?: string; error?: string };
    return { status: answer.status, word: word ?? error };
  };
  const sendAll = async (events: readonly StripeEvent[]) => {
    for (const event of events) expect((await send(event)).status).toBe(202);
  };

  return {
    system,
    stripe,
    api,
    send,
    post,
    sendAll,
    tell: (order: string, settings: Partial<StripeStorySettings> = {}) =>
      new StripeStory(stripe, { order, ...settings }),
    callsInAll: () => Object.values(api.calls).reduce((sum, count) => sum + count, 0),
    /** By name, with the refund each was about. */
    doneFor: (order: string) =>
      done
        .filter((call) => call.order.id === order)
        .map((call) => [call.idempotencyKey.split('/')[3], call.facts]),
    outcomesOf: async (order: string) =>
      Object.fromEntries((await system.eventsOf(order)).map(({ event_id: id, outcome }) => [id, outcome])),
    /** Events that the order's workflow has not heard of. */
    untakenOf: async (order: string): Promise<number> => {
      const [row] = await system.store.query<{ total: string }>(
        'SELECT COUNT(*) AS total FROM events WHERE order_id = ? AND outcome IS NULL',
        [order],
      );
      return Number(row?.total);
    },
    attentionOf: async (order: string): Promise<string | undefined> => {
      const [row] = await system.store.query<{ attention_kinds: string }>(
        'SELECT attention_kinds FROM orders WHERE order_id = ?',
        [order],
      );
      return row?.attention_kinds;
    },
  };
}

export type ShopOnStripe = Awaited<ReturnType<typeof openShopOnStripe>>;
