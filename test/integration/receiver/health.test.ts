import { describe, expect, it } from 'vitest';

import { startWorld } from './world.ts';
import type { World } from './world.ts';

const healthOf = async ({ operationsUrl }: World) => {
  const response = await fetch(`${operationsUrl}/healthz`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('/healthz', () => {
  it('is green while events are taken, and red when the oldest that was not is too old', async () => {
    const world = await startWorld({ environment: { temporalAddress: '127.0.0.1:9' } });
    expect(await healthOf(world)).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { store: 'ok', untaken: 0, oldestUntakenSeconds: 0 } },
    });
    await world.deliver();
    await expect.poll(() => healthOf(world)).toMatchObject({ status: 200, body: { checks: { untaken: 1 } } });
    await world.store.write('UPDATE events SET received_at = received_at - INTERVAL 1 HOUR');
    await expect
      .poll(() => healthOf(world), { timeout: 5_000 })
      .toMatchObject({
        status: 503,
        body: { status: 'failing', checks: { store: 'ok', untaken: 1 } },
      });
    const { body } = await healthOf(world);
    expect((body['checks'] as { oldestUntakenSeconds: number }).oldestUntakenSeconds).toBeGreaterThan(3_500);
    await world.store.write('UPDATE events SET taken_at = UTC_TIMESTAMP(6), wake_at = NULL');
    await expect.poll(() => healthOf(world), { timeout: 5_000 }).toMatchObject({ status: 200 });
  });
});

describe('/metrics', () => {
  it('counts deliveries by their answer and names nothing that came from outside', async () => {
    const world = await startWorld();
    await world.deliver({ id: 'evt_secret_id', order: 'order_secret_id' });
    await world.deliver({ id: 'evt_secret_id', order: 'order_secret_id' });
    await world.deliver({ type: 'payment.exploded' });
    const response = await fetch(`${world.operationsUrl}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toContain('inorder_deliveries_total{source="shop",answer="accepted"} 1');
    expect(text).toContain('inorder_deliveries_total{source="shop",answer="known"} 1');
    expect(text).toContain('inorder_deliveries_total{source="shop",answer="refused"} 1');
    expect(text).toContain('inorder_refused_total{source="shop",reason="type_unknown"} 1');
    expect(text).toContain('inorder_events_stored_total{source="shop",outcome="new"} 1');
    expect(text).toMatch(/^inorder_untaken_events \d/m);
    expect(text).not.toMatch(/secret_id|exploded/);
  });
});

describe('the private listener', () => {
  it('has nothing else, and the public one has nothing of it', async () => {
    const world = await startWorld();
    expect((await fetch(`${world.operationsUrl}/webhooks/shop`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${world.operationsUrl}/`)).status).toBe(404);
    expect((await fetch(`${world.operationsUrl}/livez`)).status).toBe(200);
    for (const path of ['/metrics', '/healthz', '/api/v1/orders']) {
      expect((await fetch(world.url + path)).status).toBe(404);
    }
  });
});
