import { afterEach, describe, expect, it } from 'vitest';
import { stripeDelivery } from '../../../../src/dev/stripe/delivery.ts';
import { stripeLife } from '../../../../src/dev/stripe/life.ts';
import type { StripeServer } from '../../../../src/dev/stripe/server.ts';
import { startStripe } from '../../../../src/dev/stripe/server.ts';
import { verifyStripe } from '../../../../src/providers/stripe/signature.ts';

const life = stripeLife({ order: '1042', until: 'paid' });
let server: StripeServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function start() {
  server = await startStripe(life.world, 'rk_test_1');
  const { url } = server;
  const ask = (path: string, key = 'rk_test_1', method = 'GET') =>
    fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  const payment = `/v1/payment_intents/${life.payments.paid}`;
  return { server, ask, payment };
}

describe('the stand-in’s server', () => {
  it('answers who has the key, only reads, and counts', async () => {
    const { server, ask, payment } = await start();
    expect(await (await ask(payment)).json()).toMatchObject({ id: life.payments.paid });
    expect((await ask(payment, 'other')).status).toBe(401);
    expect((await ask(payment, 'rk_test_1', 'POST')).status).toBe(405);
    await ask('/v1/disputes/dp_none');
    expect(server.calls).toEqual({ 'GET /v1/payment_intents/:id': 1, 'GET /v1/disputes/:id': 1 });
    expect(server.lastHeaders).toHaveProperty('authorization');
  });

  it('has bad days', async () => {
    const { server, ask, payment } = await start();
    server.setMood({ down: 1, limited: 1, retryAfterSeconds: 7 });
    expect((await ask(payment)).status).toBe(503);
    const limited = await ask(payment);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await ask(payment)).status).toBe(200);
    server.setMood({ down: true });
    for (const _ of [1, 2, 3]) expect((await ask(payment)).status).toBe(503);
    server.setMood({ down: false, behind: 1 });
    expect(await (await ask(payment)).json()).toMatchObject({ status: 'requires_payment_method' });
    server.setMood({ behind: 0, wrong: 'another_object' });
    expect(await (await ask(payment)).json()).not.toMatchObject({ id: life.payments.paid });
    server.setMood({ wrong: 'another_mode' });
    expect(await (await ask(payment)).json()).toMatchObject({ livemode: false });
    server.setMood({ wrong: 'half' });
    await expect((await ask(payment)).json()).rejects.toThrow(SyntaxError);
    server.setMood({ wrong: 'a_page', delayMs: 1 });
    expect(await (await ask(payment)).text()).toMatch(/Maintenance/);
  });
});

describe('a delivery of the stand-in', () => {
  it('is signed by each secret of a rotation', () => {
    const { headers, body } = stripeDelivery('{}', ['whsec_new', 'whsec_old'], 1_764_000_000);
    for (const value of ['whsec_new', 'whsec_old'])
      expect(
        verifyStripe(
          {
            source: 'stripe',
            headers: { 'stripe-signature': [headers['stripe-signature'] as string] },
            body,
            url: '',
            receivedAtMs: 1_764_000_000_000,
          },
          [{ id: 'a', value, untilMs: null }],
          0,
        ),
      ).toEqual({ secretId: 'a' });
  });
});
