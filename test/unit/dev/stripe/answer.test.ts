import { describe, expect, it } from 'vitest';
import { answerAsStripe, routeOf } from '../../../../src/dev/stripe/answer.ts';
import { stripeLife } from '../../../../src/dev/stripe/life.ts';
import { StripeStory } from '../../../../src/dev/stripe/story.ts';
import { StripeWorld } from '../../../../src/dev/stripe/world.ts';

const life = stripeLife({ order: '1042', seed: 'answers' });
const ask = (path: string, behind = 0) => answerAsStripe(life.world, path, behind);
const body = (path: string, behind = 0) => ask(path, behind).body as Record<string, unknown>;
const idsOf = (path: string, behind = 0) =>
  (body(path, behind)['data'] as { id: string }[]).map(({ id }) => id);

describe('a life at the stand-in', () => {
  it('is told in Stripe’s words', () => {
    expect(life.events.map(({ type }) => type)).toEqual([
      ...['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed'],
      ...[
        'payment_intent.created',
        'charge.succeeded',
        'payment_intent.succeeded',
        'checkout.session.completed',
      ],
      ...['refund.created', 'charge.refunded', 'refund.created', 'charge.refunded'],
      ...['refund.updated', 'refund.failed'],
      ...['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed'],
    ]);
    expect(new Set(life.events.map(({ id }) => id)).size).toBe(life.events.length);
  });

  it('can be had again, and in parts', () => {
    expect(stripeLife({ order: '1042', seed: 'answers' }).events).toEqual(life.events);
    expect(stripeLife({ order: '1042', seed: 'others' }).events[0]?.id).not.toBe(life.events[0]?.id);
    const paid = stripeLife({ order: '1042', seed: 'answers', until: 'paid' });
    expect(paid.events).toEqual(life.events.slice(0, paid.events.length));
    expect(paid.events.at(-1)?.type).toBe('checkout.session.completed');
  });
});

describe('the stand-in’s API', () => {
  it('answers what is there, and Stripe’s error for what is not', () => {
    expect(body(`/v1/payment_intents/${life.payments.paid}`)).toMatchObject({
      status: 'succeeded',
      livemode: true,
    });
    expect(ask('/v1/payment_intents/pi_none')).toMatchObject({
      status: 404,
      body: { error: { code: 'resource_missing', type: 'invalid_request_error' } },
    });
    expect(ask(`/v1/charges/${life.payments.paid}`).status).toBe(404);
    expect(ask('/v1/customers/cus_1').status).toBe(404);
  });

  it('puts in what is to be expanded, however deep', () => {
    const intent = `/v1/payment_intents/${life.payments.paid}`;
    expect(typeof body(intent)['latest_charge']).toBe('string');
    expect(body(`${intent}?expand[]=latest_charge`)['latest_charge']).not.toHaveProperty('refunds');
    expect(body(`${intent}?expand[]=latest_charge.refunds`)).toMatchObject({
      latest_charge: {
        object: 'charge',
        amount_refunded: 500,
        refunds: {
          data: [{ id: life.refunds.failed, status: 'failed' }, { id: life.refunds.kept }],
          has_more: false,
        },
      },
    });
    expect(body(`/v1/disputes/${life.dispute}?expand[]=payment_intent&expand[]=charge`)).toMatchObject({
      payment_intent: { metadata: { order_id: '1042' } },
      charge: { disputed: true },
    });
  });

  it('may be behind: it knows what was, all of it of one moment', () => {
    const intent = `/v1/payment_intents/${life.payments.paid}?expand[]=latest_charge.refunds`;
    expect(body(intent, 3)).toMatchObject({
      latest_charge: { amount_refunded: 1_125, refunds: { data: [{}, {}] } },
    });
    expect(body(intent, 4)).toMatchObject({
      latest_charge: { amount_refunded: 500, refunds: { data: [{}] } },
    });
    expect(ask(intent, 8).status).toBe(404);
  });

  it('lists and searches by pages', () => {
    const world = new StripeWorld();
    for (let n = 0; n < 25; n += 1)
      new StripeStory(world, { order: n % 2 === 0 ? "A'\\1" : 'B' }).beginPayment();
    const query = encodeURIComponent(String.raw`metadata['order_id']:'A\'\\1' OR metadata['legacy']:'x'`);
    const first = answerAsStripe(world, `/v1/payment_intents/search?query=${query}`).body as Record<
      string,
      unknown
    >;
    expect(first).toMatchObject({ object: 'search_result', has_more: true, next_page: '10' });
    const second = answerAsStripe(world, `/v1/payment_intents/search?query=${query}&page=10`).body;
    expect(second).toMatchObject({ has_more: false, next_page: null, data: [{}, {}, {}] });
    expect(answerAsStripe(world, '/v1/payment_intents/search?query=status').status).toBe(400);
  });

  it('lists the sessions of a payment, the refunds of a charge, and what it said', () => {
    expect(idsOf(`/v1/checkout/sessions?payment_intent=${life.payments.paid}`)).toHaveLength(1);
    const charge = String(body(`/v1/payment_intents/${life.payments.paid}`)['latest_charge']);
    expect(idsOf(`/v1/refunds?charge=${charge}&limit=1`)).toEqual([life.refunds.failed]);
    expect(idsOf(`/v1/refunds?charge=${charge}&limit=1&starting_after=${life.refunds.failed}`)).toEqual([
      life.refunds.kept,
    ]);
    expect(ask('/v1/refunds?limit=1000').status).toBe(400);
    expect(ask('/v1/refunds?starting_after=re_none').status).toBe(400);
    expect(idsOf('/v1/events?type=charge.dispute.closed')).toEqual([life.events.at(-1)?.id]);
    expect(idsOf('/v1/events')).toHaveLength(10);
  });

  it('is counted by route', () => {
    expect(routeOf('/v1/payment_intents/pi_1?expand[]=latest_charge')).toBe('GET /v1/payment_intents/:id');
    expect(routeOf('/v1/payment_intents/search?query=x')).toBe('GET /v1/payment_intents/search');
    expect(routeOf('/v1/checkout/sessions?payment_intent=x')).toBe('GET /v1/checkout/sessions');
    expect(routeOf('/v1/checkout/sessions/cs_1')).toBe('GET /v1/checkout/sessions/:id');
  });
});
