/** The adapter's questions to the stand-in, in each state a payment can be in. */
import { describe, expect, it } from 'vitest';
import { stripeLife } from '../../../../src/dev/stripe/life.ts';
import { StripeStory } from '../../../../src/dev/stripe/story.ts';
import { StripeWorld } from '../../../../src/dev/stripe/world.ts';
import { factOf } from '../../../../src/fact.ts';
import type { ProviderSnapshot } from '../../../../src/providers/provider.ts';
import { stripe } from '../../../../src/providers/stripe/stripe.ts';
import { apiOf, orderEventOf } from './hearing.ts';
import { settings } from './objects.ts';

function begin(orderIn: 'payment' | 'session' | 'both' = 'both') {
  const world = new StripeWorld({ seed: 'answers' });
  const story = new StripeStory(world, { order: '1042', orderIn });
  const ask = async (object: string) =>
    (await stripe.fetch?.(apiOf(world), object, settings)) as ProviderSnapshot;
  return { world, story, ask };
}

describe('the answer about a payment', () => {
  it('is of its state, and says nothing while it is under way', async () => {
    const { story, ask } = begin();
    const { session } = story.openSession();
    const { payment } = story.beginPayment({ session });
    const typeNow = async () => (await ask(`payment:${payment}`)).type;
    expect(await ask(`payment:${payment}`)).toMatchObject({
      type: null,
      providerType: 'payment_intent.requires_payment_method',
      order: '1042',
    });
    story.failPayment(payment);
    expect(await typeNow()).toBe('payment.failed');
    story.processPayment(payment);
    expect(await ask(`payment:${payment}`)).toMatchObject({
      type: null,
      providerType: 'payment_intent.processing',
    });
    story.settlePayment(payment);
    expect(await typeNow()).toBe('payment.captured');
    const { refund } = story.refundPayment(payment, 2_500, 'pending');
    expect(await typeNow()).toBe('payment.refunded');
    story.failRefund(refund);
    expect(await typeNow()).toBe('refund.failed');
  });

  it('is of what is reserved, taken or let go', async () => {
    const { story, ask } = begin();
    const { payment } = story.beginPayment({ manual: true });
    story.authorizePayment(payment);
    expect(await ask(`payment:${payment}`)).toMatchObject({
      type: 'payment.authorized',
      facts: { amount: '2500' },
    });
    story.capturePayment(payment, 1_000);
    expect(await ask(`payment:${payment}`)).toMatchObject({
      type: 'payment.captured',
      facts: { amount: '1000' },
      parts: [],
    });
    const other = story.beginPayment({ manual: true }).payment;
    story.authorizePayment(other);
    story.cancelPayment(other);
    expect(await ask(`payment:${other}`)).toMatchObject({
      type: 'payment.cancelled',
      facts: { payment: other },
    });
  });

  it('knows of what its events told: the same facts, once all of them are out', async () => {
    const life = stripeLife({ order: '1042', seed: 'facts' });
    for (const happening of life.happenings) {
      for (const event of happening.events) {
        const { stream, type, fact } = orderEventOf(event);
        if (type === null) continue;
        const behind = life.happenings.length - 1 - life.happenings.indexOf(happening);
        const api = apiOf(life.world, behind);
        const answer = (await stripe.fetch?.(
          api,
          stream.slice('stripe/'.length),
          settings,
        )) as ProviderSnapshot;
        const known = [answer, ...(answer.parts ?? [])].map((one) => factOf(one.type ?? null, one.facts));
        expect(known, `${event.type} in ${happening.name}`).toContain(fact);
      }
    }
  });

  it('holds every refund, however many pages they fill, and no more than anyone makes', async () => {
    const { world, story, ask } = begin();
    const { payment } = story.beginPayment();
    story.succeedPayment(payment);
    for (let n = 0; n < 215; n += 1) story.refundPayment(payment, 1);
    const api = apiOf(world);
    const answer = (await stripe.fetch?.(api, `payment:${payment}`, settings)) as ProviderSnapshot;
    expect(api.calls).toHaveLength(1 + 3);
    expect(answer).toMatchObject({ type: 'payment.partially_refunded', facts: { refunded: '215' } });
    expect(new Set(answer.parts?.map(({ facts }) => facts['refund'])).size).toBe(215);
    for (let n = 0; n < 1_800; n += 1) story.refundPayment(payment, 1);
    await expect(ask(`payment:${payment}`)).rejects.toThrow(/without an end/);
  }, 20_000);
});

describe('the order of an object', () => {
  const orderOf = async (world: StripeWorld, object: string) => {
    const api = apiOf(world);
    return { order: await stripe.orderOf?.(api, object, settings), calls: api.calls.length };
  };

  it('is in the payment, or else in its session', async () => {
    for (const [orderIn, calls] of [
      ['payment', 1],
      ['session', 2],
    ] as const) {
      const { world, story } = begin(orderIn);
      const { payment } = story.beginPayment(story.openSession());
      story.succeedPayment(payment);
      const { dispute } = story.openDispute(payment);
      expect(await orderOf(world, `payment:${payment}`)).toEqual({ order: '1042', calls });
      expect(await orderOf(world, `dispute:${dispute}`)).toEqual({ order: '1042', calls });
      const session = world.list('checkout.session')[0]?.id ?? '';
      expect(await orderOf(world, `session:${session}`)).toEqual({ order: '1042', calls: 1 });
      const charge = world.list('charge')[0]?.id ?? '';
      expect(await orderOf(world, `payment:${charge}`)).toEqual({ order: '1042', calls });
    }
  });

  it('may be unknown, as may the object', async () => {
    const { world, story } = begin('session');
    const { payment } = story.beginPayment();
    expect(await orderOf(world, `payment:${payment}`)).toEqual({ order: null, calls: 2 });
    expect(await orderOf(world, 'payment:pi_none')).toEqual({ order: null, calls: 1 });
    await expect(orderOf(world, 'refund:re_1')).rejects.toThrow(/only payments/);
  });
});

describe('the payments of an order', () => {
  const find = async (world: StripeWorld, order: string, orderPaths = settings.orderPaths) =>
    stripe.find?.(apiOf(world), order, { ...settings, orderPaths });

  it('are found by the metadata that name it, and by nothing else', async () => {
    const world = new StripeWorld({ seed: 'find' });
    const payments: Record<string, string[]> = {};
    for (const order of ['1042', '1043', "O'Neil\\7", 'AB', 'ab', '1042'])
      (payments[order] ??= []).push(`payment:${new StripeStory(world, { order }).beginPayment().payment}`);
    for (const [order, expected] of Object.entries(payments))
      expect(await find(world, order)).toEqual(expected.toReversed());
    expect(await find(world, '104')).toEqual([]);
    expect(await find(world, '1042', ['metadata.other', 'metadata.order_id'])).toHaveLength(2);
  });

  it('come by pages', async () => {
    const world = new StripeWorld({ seed: 'pages' });
    for (let n = 0; n < 230; n += 1) new StripeStory(world, { order: '1042' }).beginPayment();
    expect(await find(world, '1042')).toHaveLength(230);
    for (let n = 0; n < 800; n += 1) new StripeStory(world, { order: '1042' }).beginPayment();
    await expect(find(world, '1042')).rejects.toThrow(/without an end/);
  }, 20_000);

  it('cannot be searched where the order is in no metadata', () => {
    expect(stripe.canFind?.(settings)).toBe(true);
    expect(stripe.canFind?.({ ...settings, orderPaths: ['client_reference_id', 'metadata'] })).toBe(false);
  });
});
