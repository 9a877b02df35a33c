/** A shop on Stripe, on the real parts: the template's table, the stand-in for Stripe, signed deliveries by HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Config } from '../../../src/config/resolved.ts';
import { stripeDelivery } from '../../../src/dev/stripe/delivery.ts';
import type { StripeServer } from '../../../src/dev/stripe/server.ts';
import { startStripe } from '../../../src/dev/stripe/server.ts';
import { StripeStory } from '../../../src/dev/stripe/story.ts';
import type { StripeStorySettings } from '../../../src/dev/stripe/story.ts';
import type { StripeEvent } from '../../../src/dev/stripe/world.ts';
import { StripeWorld } from '../../../src/dev/stripe/world.ts';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { Supervised } from '../../../src/dev/supervised.ts';
import { startReceiver } from '../effects/receiver.ts';
import { startTeamSystem } from '../processes/team-system.ts';

export const SECRETS = {
  new: 'whsec_nFq1T5hF8AzqTSN5c0nSU1Nw0cQKV2oE',
  old: 'whsec_M4c7cKx1jXwA3o9S6jG2m0pY',
};
const TABLE = fileURLToPath(new URL('../../../src/init/templates/stripe/order.ts', import.meta.url));

const CONFIG = `
  import { defineConfig, env, http } from 'inorder';
  import { order } from ${JSON.stringify(TABLE)};
  const handler = http({ url: env('EFFECTS'), secret: env('EFFECTS_SECRET'), keyTtl: '24h', allowPrivate: true });
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

/** What an application was told to do, once for each idempotency key. */
type Done = [name: string, facts: Record<string, string>];

/** `worker`: in this process, or as one of its own that can be killed. */
export async function openShopOnStripe({
  worker = 'inside',
  configure,
}: {
  worker?: 'inside' | 'process';
  /** Changes the configuration before anything starts; not that of a process. */
  configure?: (config: Config) => void;
} = {}) {
  const stripe = new StripeWorld({ seed: 'integration' });
  const api: StripeServer = await startStripe(stripe, 'rk_live_readonly');
  const folder = mkdtempSync(join(tmpdir(), 'inorder-stripe-'));
  const file = join(folder, 'inorder.config.ts');
  writeFileSync(file, CONFIG);
  const effects = await startReceiver();
  const variables = {
    SECRET_NEW: SECRETS.new,
    SECRET_OLD: `${SECRETS.old}\n`,
    KEY: 'rk_live_readonly',
    API: api.url,
    EFFECTS: effects.url,
    EFFECTS_SECRET: SECRETS.new,
  };
  const system = await startTeamSystem({
    ...{ file, variables, worker: worker === 'inside' },
    ...(configure === undefined ? {} : { configure }),
  });
  const { world } = system;
  world.defer(async () => {
    await Promise.all([api.close(), effects.stop()]);
    rmSync(folder, { recursive: true });
  });
  const killable = worker === 'process' ? await startProcess() : null;

  async function startProcess(): Promise<Supervised> {
    const port = await findFreePort();
    const started = await Supervised.start({
      name: 'worker',
      directory: folder,
      environment: {
        ...variables,
        INORDER_CONFIG: file,
        MYSQL_URL: world.mysqlUrl,
        TEMPORAL_ADDRESS: world.temporalAddress,
        INORDER_TASK_QUEUE: world.taskQueue,
        INORDER_OPERATIONS_PORT: String(port),
      },
      readyUrl: `http://127.0.0.1:${port}/metrics`,
    });
    world.defer(() => started.stop());
    await started.ready();
    return started;
  }

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
    effects,
    /** Kills the worker's process, for good; the next one goes on in this process. */
    killWorker: async () => {
      await Promise.all([killable?.kill(), killable?.stop()]);
      await system.newWorker();
    },
    /** Keys under which different things were ordered. */
    broken(): string[] {
      const bodies = new Map<string, string>();
      return effects.calls.flatMap(({ headers, body }) => {
        const key = String(headers['webhook-id']);
        const before = bodies.get(key) ?? body.toString();
        bodies.set(key, before);
        return before === body.toString() ? [] : [key];
      });
    },
    doneFor(order: string): Done[] {
      const done = new Map<string, Done>();
      for (const { headers, body } of effects.calls) {
        const call = JSON.parse(body.toString()) as { effect: string; order: { id: string }; facts: Done[1] };
        if (call.order.id === order) done.set(String(headers['webhook-id']), [call.effect, call.facts]);
      }
      return [...done.values()];
    },
    outcomesOf: async (order: string) =>
      Object.fromEntries((await system.eventsOf(order)).map(({ event_id: id, outcome }) => [id, outcome])),
    unsettled: async (): Promise<number> => {
      const [row] = await system.store.query<{ total: string }>(
        'SELECT COUNT(*) AS total FROM events WHERE settled_at IS NULL',
      );
      return Number(row?.total);
    },
    /** Events that the order's workflow has not heard of. */
    untakenOf: async (order: string): Promise<number> => {
      const [row] = await system.store.query<{ total: string }>(
        'SELECT COUNT(*) AS total FROM events WHERE order_id = ? AND outcome IS NULL',
        [order],
      );
      return Number(row?.total);
    },
    /** Until no event of any order waits for an answer: what is asked from then on is the test's own. */
    untilNothingIsHeld: () =>
      expect
        .poll(
          async () => {
            const [row] = await system.store.query<{ total: string }>(
              "SELECT COUNT(*) AS total FROM events WHERE order_id IS NOT NULL AND (outcome IS NULL OR outcome = 'held')",
              [],
            );
            return Number(row?.total);
          },
          { timeout: 60_000, interval: 50 },
        )
        .toBe(0),
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
