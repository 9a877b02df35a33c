import { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import type { ApiClient, ProviderSnapshot } from '../../../../src/providers/provider.ts';
import { API_VERSION } from '../../../../src/providers/stripe/api.ts';
import { stripe } from '../../../../src/providers/stripe/stripe.ts';
import { charge, dispute, intent, refund, session, settings } from './objects.ts';

/** An API that knows these paths (without their query) and remembers what it was asked. */
function answering(bodies: Record<string, unknown>): ApiClient & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get: (path) => {
      asked.push(decodeURIComponent(path));
      const body = bodies[path] ?? bodies[path.split('?')[0] as string];
      return Promise.resolve(body === undefined ? { status: 'gone' } : { status: 'ok', body });
    },
  };
}
const list = (data: unknown[], has_more = false) => ({ object: 'list', data, has_more });
const charged = (changes = {}, refunds: unknown[] = [], hasMore = false) =>
  charge({ ...changes, refunds: list(refunds, hasMore) });

const fetchPayment = async (object: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const api = answering({ '/v1/payment_intents/pi_1': object, ...more });
  const snapshot = (await stripe.fetch?.(api, 'payment:pi_1', settings)) as ProviderSnapshot;
  return { snapshot, asked: api.asked };
};

describe('a request', () => {
  it('asks for the version whose shapes the tests know, and for the account where there is one', () => {
    expect(API_VERSION).toBe(Stripe.API_VERSION);
    expect(stripe.apiHeaders?.(settings)).toEqual({ 'stripe-version': API_VERSION });
    expect(stripe.apiHeaders?.({ ...settings, account: 'acct_1' })).toMatchObject({
      'stripe-account': 'acct_1',
    });
  });
});

describe('an answer about a session', () => {
  it('that only saved a card says nothing: nobody has paid', async () => {
    const saved = {
      mode: 'setup',
      payment_intent: null,
      status: 'complete',
      payment_status: 'no_payment_required',
    };
    const api = answering({ '/v1/checkout/sessions/cs_1': session({ id: 'cs_1', ...saved }) });
    expect(await stripe.fetch?.(api, 'session:cs_1', settings)).toMatchObject({ type: null });
  });
});

describe('an answer about a payment', () => {
  it('tells the whole of it in one call', async () => {
    const first = refund({ created: 1_764_000_100 });
    const second = refund({ id: 're_2', amount: 700, created: 1_764_000_200, reason: 'duplicate' });
    const { snapshot, asked } = await fetchPayment(
      intent({ latest_charge: charged({ amount_refunded: 1_200 }, [second, first]) }),
    );
    expect(asked).toEqual(['/v1/payment_intents/pi_1?expand[]=latest_charge.refunds']);
    const part = { payment: 'pi_1', charge: 'ch_1', currency: 'eur' };
    expect(snapshot).toEqual({
      type: 'payment.partially_refunded',
      facts: { ...part, captured: '2500', refunded: '1200' },
      payment: 'pi_1',
      order: '1042',
      createdAt: '2025-11-24T16:00:00Z',
      lists: ['payment.partially_refunded', 'payment.refunded', 'refund.failed'],
      parts: [
        {
          type: 'payment.partially_refunded',
          facts: { ...part, refund: 're_1', amount: '500' },
          createdAt: '2025-11-24T16:01:40Z',
        },
        {
          type: 'payment.partially_refunded',
          facts: { ...part, refund: 're_2', amount: '700', reason: 'duplicate' },
          createdAt: '2025-11-24T16:03:20Z',
        },
      ],
    });
  });

  it('is none when it is about another object or of another mode', async () => {
    for (const object of [
      intent({ id: 'pi_2' }),
      intent({ livemode: false }),
      charge({ id: 'pi_1' }),
      {},
      null,
      [],
    ])
      await expect(fetchPayment(object as Record<string, unknown>)).rejects.toThrow(
        /^stripe: the API's answer/,
      );
    await expect(fetchPayment(intent())).rejects.toThrow(/does not hold the charge/);
    await expect(fetchPayment(intent({ latest_charge: charge() }))).rejects.toThrow(/holds no list/);
  });

  it('that is gone is handed on', async () => {
    expect(await stripe.fetch?.(answering({}), 'payment:pi_1', settings)).toBe('gone');
  });
});

describe('other answers', () => {
  it('about disputes and sessions are what their events say', async () => {
    const api = answering({
      '/v1/disputes/dp_1': dispute({ status: 'lost' }),
      '/v1/checkout/sessions/cs_1': session(),
    });
    expect(await stripe.fetch?.(api, 'dispute:dp_1', settings)).toMatchObject({
      type: 'dispute.lost',
      payment: 'pi_1',
    });
    expect(await stripe.fetch?.(api, 'session:cs_1', settings)).toMatchObject({
      type: 'payment.captured',
      order: '1042',
    });
    await expect(stripe.fetch?.(api, 'customer:cus_1', settings)).rejects.toThrow(
      /only payments, disputes and sessions/,
    );
  });
});
