/** Where Stripe's ways meet the rules of hints: several events for one happening, and answers that lag. */
import { describe, expect, it } from 'vitest';
import { order } from '../../../../src/init/templates/stripe/order.ts';
import { stripeLife } from '../../../../src/dev/stripe/life.ts';
import { StripeStory } from '../../../../src/dev/stripe/story.ts';
import type { StripeEvent } from '../../../../src/dev/stripe/world.ts';
import { StripeWorld } from '../../../../src/dev/stripe/world.ts';
import { hearing } from './hearing.ts';

const paidStory = (manual = false) => {
  const world = new StripeWorld({ seed: 'hints' });
  const story = new StripeStory(world, { order: '1042' });
  const { payment } = story.beginPayment({ manual });
  return { world, story, payment };
};

describe('a refund', () => {
  it('is booked once, though two events tell of it and only one names it', async () => {
    const { world, story, payment } = paidStory();
    story.succeedPayment(payment);
    const { refund, happening } = story.refundPayment(payment, 700);
    for (const events of [happening.events, happening.events.toReversed()]) {
      const heard = hearing(order, world);
      for (const event of events) {
        heard.hear(event);
        await heard.rest();
      }
      expect(heard.state.status).toBe('partially_refunded');
      expect(heard.effects().filter((effect) => effect.startsWith('bookRefund'))).toEqual([
        `bookRefund/${refund}`,
      ]);
    }
  });

  it('that the answer has not heard of is not taken for the one before', async () => {
    const { world, story, payment } = paidStory();
    story.succeedPayment(payment);
    const first = story.refundPayment(payment, 700);
    const heard = hearing(order, world);
    heard.hear(...first.happening.events);
    await heard.rest();
    const rest = story.refundPayment(payment, 1_800);
    for (const event of rest.happening.events) {
      heard.hear(event);
      await heard.answer(1);
      expect(heard.state.status).toBe('partially_refunded');
    }
    await heard.rest();
    expect(heard.state.status).toBe('refunded');
    expect(heard.effects()).toEqual(expect.arrayContaining([`bookRefund/${rest.refund}`]));
  });

  it('that failed is told by the answer, whole or in part', async () => {
    const { world, story, payment } = paidStory();
    story.succeedPayment(payment);
    const { refund } = story.refundPayment(payment, 2_500);
    const heard = hearing(order, world);
    heard.hear(...world.events);
    await heard.rest();
    expect(heard.state.status).toBe('refunded');
    heard.hear(...story.failRefund(refund).events);
    await heard.rest();
    expect([heard.state.status, heard.attention()]).toEqual(['refund_failed', []]);
  });
});

describe('the newest hint', () => {
  it('counts also where it brought nothing new: an older one and a reader that is behind undo no failed refund', async () => {
    const { world, story, payment } = paidStory();
    story.succeedPayment(payment);
    const { refund, happening } = story.refundPayment(payment, 2_500);
    const [created, refunded] = happening.events as [StripeEvent, StripeEvent];
    const undone = story.failRefund(refund).events;
    const heard = hearing(order, world);
    heard.hear(created);
    await heard.answer();
    expect(heard.state.status).toBe('refund_failed');
    heard.hear(...undone);
    heard.hear(refunded);
    await heard.answer(1);
    expect(heard.state.status).toBe('refund_failed');
    await heard.rest();
    expect(heard.state.status).toBe('refund_failed');
  });
});

describe('what only looks like a refund', () => {
  it('is the release of what was not captured', async () => {
    const { world, story, payment } = paidStory(true);
    story.authorizePayment(payment);
    story.capturePayment(payment, 1_500);
    const heard = hearing(order, world);
    heard.hear(...world.events);
    await heard.rest();
    expect(heard.state.status).toBe('paid');
    expect(heard.effects().filter((effect) => effect.startsWith('bookRefund'))).toEqual([]);
  });

  it('is the release of all, when the payment was cancelled', async () => {
    const { world, story, payment } = paidStory(true);
    story.authorizePayment(payment);
    story.cancelPayment(payment);
    const heard = hearing(order, world);
    heard.hear(...world.events);
    await heard.rest();
    expect(heard.state.status).toBe('payment_failed');
    expect(heard.effects()).toEqual([]);
  });
});

describe('an event', () => {
  it('costs at most one call, twins share it, and a burst costs one for each stream (docs/stripe.md)', async () => {
    const life = stripeLife({ order: '1042', seed: 'calls' });
    const asItHappens = hearing(order, life.world);
    for (const [at, { events }] of life.happenings.entries())
      for (const event of events) {
        asItHappens.hear(event);
        await asItHappens.rest(life.happenings.length - 1 - at);
      }
    expect([life.events.length, asItHappens.calls()]).toEqual([16, 8]);
    const inABurst = hearing(order, life.world);
    inABurst.hear(...life.events);
    await inABurst.rest();
    expect(Object.keys(inABurst.state.streams)).toHaveLength(3);
    expect(inABurst.calls()).toBe(3);
  });
});

describe('an order', () => {
  it('hears its life in whatever order, and ends where Stripe does', async () => {
    const life = stripeLife({ order: '1042', seed: 'hints' });
    for (const events of [life.events, life.events.toReversed()]) {
      const heard = hearing(order, life.world);
      for (const event of events) {
        heard.hear(event);
        await heard.rest();
      }
      expect(heard.state.status).toBe('charged_back');
      expect(heard.effects().filter((effect) => effect.startsWith('bookRefund'))).toEqual(
        [life.refunds.kept, life.refunds.failed].map((refund) => `bookRefund/${refund}`).sort(),
      );
    }
  });
});
