import { describe, expect, it } from 'vitest';
import type { ParsedEvent, Refusal } from '../../../../src/providers/provider.ts';
import { stripe } from '../../../../src/providers/stripe/stripe.ts';
import { types } from '../../../../src/providers/stripe/types.ts';
import { charge, dispute, event, intent, refund, session, settings } from './objects.ts';

const parse = (body: unknown, more = {}): ParsedEvent | Refusal => {
  const delivery = {
    source: 'stripe',
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    url: '',
    receivedAtMs: 0,
  };
  const verdicts = stripe.parse(delivery, { ...settings, ...more });
  expect(verdicts).toHaveLength(1);
  return verdicts[0] as ParsedEvent | Refusal;
};
const said = (type: string, object: unknown) => {
  const parsed = parse(event(type, object)) as ParsedEvent;
  return { type: parsed.type, facts: parsed.facts };
};

describe('an event of Stripe', () => {
  it('is about a payment, names its order and all its objects, and tells no person', () => {
    expect(parse(event('charge.succeeded', charge()))).toEqual({
      eventId: 'evt_1',
      providerType: 'charge.succeeded',
      type: 'payment.captured',
      object: 'payment:pi_1',
      payment: 'pi_1',
      order: '1042',
      refs: ['payment:pi_1', 'charge:ch_1'],
      claimedAt: '2025-11-24T16:05:00Z',
      createdAt: '2025-11-24T16:00:10Z',
      mode: 'live',
      facts: { payment: 'pi_1', amount: '2500', currency: 'eur' },
    });
  });

  it.each([
    ['payment_intent.succeeded', intent(), ['payment:pi_1', 'charge:ch_1'], 'pi_1'],
    ['payment_intent.created', intent({ latest_charge: null }), ['payment:pi_1'], 'pi_1'],
    ['charge.refunded', charge({ amount_refunded: 1 }), ['payment:pi_1', 'charge:ch_1'], 'pi_1'],
    ['refund.created', refund(), ['payment:pi_1', 'charge:ch_1', 'refund:re_1'], 'pi_1'],
    ['charge.dispute.created', dispute(), ['payment:pi_1', 'charge:ch_1', 'dispute:dp_1'], 'pi_1'],
    ['checkout.session.completed', session(), ['payment:pi_1', 'session:cs_1'], 'pi_1'],
    ['checkout.session.expired', session({ payment_intent: null }), ['session:cs_1'], 'cs_1'],
    ['charge.succeeded', charge({ payment_intent: null }), ['payment:ch_1', 'charge:ch_1'], 'ch_1'],
    [
      'refund.created',
      refund({ payment_intent: null }),
      ['payment:ch_1', 'charge:ch_1', 'refund:re_1'],
      'ch_1',
    ],
    [
      'charge.refunded',
      charge({ amount_refunded: 1, payment_intent: { id: 'pi_9' } }),
      ['payment:pi_9', 'charge:ch_1'],
      'pi_9',
    ],
  ])('%s names %j', (type, object, refs, payment) => {
    const stream = type.startsWith('charge.dispute') ? 'dispute:dp_1' : refs[0];
    expect(parse(event(type, object))).toMatchObject({ object: stream, payment, refs });
  });

  it('knows every word, and reads each only from the object it speaks of', () => {
    expect(Object.keys(types)).toHaveLength(28);
    for (const word of Object.keys(types)) {
      expect(parse(event(word, { id: 'cus_1', object: 'customer' }))).toMatchObject({
        refused: 'field_invalid',
      });
      expect(parse(event(word, undefined))).toMatchObject({ refused: 'field_missing' });
    }
  });

  it('of another kind is unknown, not refused: endpoints that refuse are switched off', () => {
    expect(parse(event('customer.created', { id: 'cus_1', object: 'customer' }))).toMatchObject({
      type: undefined,
      object: 'customer:cus_1',
      refs: ['customer:cus_1'],
    });
    expect(parse(event('balance.available', { object: 'balance' }))).toMatchObject({
      object: 'balance:evt_1',
    });
  });

  it('tells its mode and, for connected accounts, whose it is', () => {
    expect(parse(event('charge.pending', charge(), { livemode: false, account: 'acct_1' }))).toMatchObject({
      mode: 'test',
      account: 'acct_1',
    });
    expect(parse(event('charge.pending', charge()))).not.toHaveProperty('account');
  });

  it('that is thin is kept, and says what to do', () => {
    expect(
      parse({
        id: 'evt_1',
        object: 'v2.core.event',
        type: 'v1.charge.refunded',
        created: '2025-11-24T16:00:10.123Z',
        livemode: true,
        related_object: { id: 'ch_1', type: 'charge', url: '/v1/charges/ch_1' },
      }),
    ).toEqual({
      eventId: 'evt_1',
      providerType: 'v1.charge.refunded',
      type: null,
      object: 'charge:ch_1',
      refs: ['charge:ch_1'],
      claimedAt: '2025-11-24T16:00:10.123Z',
      mode: 'live',
      note: expect.stringMatching(/thin.*payload style "Snapshot"/) as string,
      facts: {},
    });
    expect(parse({ id: 'evt_1', object: 'v2.core.event', type: 'x' })).toMatchObject({
      object: 'event:evt_1',
    });
    expect(parse({ id: 'evt_1', object: 'charge', type: 'x' })).toMatchObject({ refused: 'field_invalid' });
  });
});

describe('the order', () => {
  const orderOf = (object: unknown, orderPaths: string[]) =>
    (parse(event('checkout.session.completed', object), { orderPaths }) as ParsedEvent).order;

  it('is the first that is there, with its bytes', () => {
    const paths = ['metadata.order_id', 'client_reference_id'];
    expect(orderOf(session(), paths)).toBe('1042');
    expect(orderOf(session({ metadata: { order_id: ' 0012 ' } }), paths)).toBe(' 0012 ');
    expect(orderOf(session({ metadata: { order_id: '' } }), paths)).toBe('1042');
    expect(orderOf(session({ metadata: null, client_reference_id: null }), paths)).toBeUndefined();
    expect(orderOf(session({ metadata: { 'order.id': 'A/1' } }), ['metadata.order.id'])).toBe('A/1');
    expect(orderOf(session(), ['constructor.name', '__proto__', 'toString'])).toBeUndefined();
  });

  it('that cannot be one is refused', () => {
    for (const order_id of [true, {}, ['1'], 1.5, 'x'.repeat(192)]) {
      expect(parse(event('checkout.session.completed', session({ metadata: { order_id } })))).toMatchObject({
        refused: 'field_invalid',
      });
    }
  });
});

describe('what happened', () => {
  it('is one fact, whoever tells it', () => {
    const captured = {
      type: 'payment.captured',
      facts: { payment: 'pi_1', amount: '2500', currency: 'eur' },
    };
    expect(said('payment_intent.succeeded', intent())).toEqual(captured);
    expect(said('charge.succeeded', charge())).toEqual(captured);
    expect(said('charge.captured', charge())).toEqual(captured);
    expect(said('checkout.session.completed', session())).toEqual(captured);
    expect(said('checkout.session.async_payment_succeeded', session())).toEqual(captured);

    const authorized = { type: 'payment.authorized', facts: captured.facts };
    expect(said('payment_intent.amount_capturable_updated', intent({ amount_capturable: 2_500 }))).toEqual(
      authorized,
    );
    expect(said('charge.succeeded', charge({ captured: false, amount_captured: 0 }))).toEqual(authorized);

    const failed = {
      type: 'payment.failed',
      facts: { payment: 'pi_1', charge: 'ch_1', reason: 'card_declined' },
    };
    const error = { charge: 'ch_1', code: 'card_declined', decline_code: 'insufficient_funds' };
    expect(said('payment_intent.payment_failed', intent({ last_payment_error: error }))).toEqual(failed);
    expect(said('charge.failed', charge({ failure_code: 'card_declined' }))).toEqual(failed);

    const cancelled = { type: 'payment.cancelled', facts: { payment: 'pi_1' } };
    expect(said('payment_intent.canceled', intent())).toEqual(cancelled);
    expect(said('charge.expired', charge())).toEqual(cancelled);
    expect(said('charge.refunded', charge({ captured: false, amount_refunded: 2_500 }))).toEqual(cancelled);
    expect(said('checkout.session.expired', session())).toEqual(cancelled);

    const part = {
      type: 'payment.partially_refunded',
      facts: { payment: 'pi_1', charge: 'ch_1', refund: 're_1', amount: '500', currency: 'eur' },
    };
    for (const word of ['refund.created', 'refund.updated', 'charge.refund.updated'])
      for (const status of ['pending', 'requires_action', 'succeeded', null])
        expect(said(word, refund({ status }))).toEqual(part);

    const undone = { type: 'refund.failed', facts: { ...part.facts, reason: 'expired_or_canceled_card' } };
    for (const word of ['refund.created', 'refund.updated', 'charge.refund.updated', 'refund.failed'])
      expect(said(word, refund({ status: 'failed', failure_reason: 'expired_or_canceled_card' }))).toEqual(
        undone,
      );
    expect(said('refund.updated', refund({ status: 'canceled' }))).toMatchObject({
      type: 'refund.failed',
      facts: { reason: 'canceled' },
    });
  });

  it.each([
    ['a part', [500, 2_500], 'payment.partially_refunded', ['500', '2500']],
    ['all', [2_500, 2_500], 'payment.refunded', ['2500', '2500']],
    ['all of what was captured', [2_500, 1_500], 'payment.refunded', ['1500', '1500']],
    ['a part of what was captured', [1_200, 1_500], 'payment.partially_refunded', ['200', '1500']],
  ])('came back: %s', (_what, [amount_refunded, amount_captured], type, [refunded, captured]) => {
    expect(said('charge.refunded', charge({ amount_captured, amount_refunded }))).toEqual({
      type,
      facts: { payment: 'pi_1', charge: 'ch_1', captured, refunded, currency: 'eur' },
    });
  });

  it('was a release of what was not captured: nothing came back', () => {
    const released = charge({ amount_captured: 1_500, amount_refunded: 1_000 });
    expect(parse(event('charge.refunded', released))).toMatchObject({
      type: null,
      note: 'what was not captured was released',
    });
  });

  it('to a charge without amounts cannot be said', () => {
    for (const name of ['amount', 'amount_refunded'])
      expect(parse(event('charge.refunded', charge({ [name]: undefined })))).toMatchObject({
        refused: 'field_missing',
      });
  });

  it.each([
    ['needs_response', 'dispute.opened'],
    ['under_review', 'dispute.opened'],
    ['appeal_needs_response', 'dispute.opened'],
    ['won', 'dispute.won'],
    ['lost', 'dispute.lost'],
    ['warning_needs_response', null],
    ['warning_closed', null],
    ['prevented', null],
    ['some_new_status', undefined],
    ['constructor', undefined],
  ])('to a dispute is what its status says, whichever event tells: %s', (status, type) => {
    for (const word of ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'])
      expect(said(`charge.dispute.${word}`, dispute({ status })).type).toBe(type);
  });

  it('to a session that only saves a card is nothing: nobody has paid', () => {
    const saved = session({
      mode: 'setup',
      payment_intent: null,
      setup_intent: 'seti_1',
      amount_total: null,
    });
    for (const [word, change] of [
      ['completed', { status: 'complete', payment_status: 'no_payment_required' }],
      ['expired', { status: 'expired', payment_status: 'no_payment_required' }],
    ] as const)
      expect(said(`checkout.session.${word}`, { ...saved, ...change }).type).toBeNull();
  });

  it('to a session is paid only when the money is here', () => {
    const completed = (payment_status: string) =>
      said('checkout.session.completed', session({ payment_status })).type;
    expect(completed('paid')).toBe('payment.captured');
    expect(completed('no_payment_required')).toBe('payment.captured');
    expect(completed('unpaid')).toBeNull();
    expect(said('checkout.session.async_payment_failed', session())).toEqual({
      type: 'payment.failed',
      facts: { payment: 'pi_1' },
    });
  });
});
