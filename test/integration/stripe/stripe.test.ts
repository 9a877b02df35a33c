/** Stripe's side of what inorder must do: receiver, Temporal, MySQL and the stand-in's API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stripeDelivery } from '../../../src/dev/stripe/delivery.ts';
import { stripeLife } from '../../../src/dev/stripe/life.ts';
import type { StripeEvent } from '../../../src/dev/stripe/world.ts';
import type { ShopOnStripe } from './shop-on-stripe.ts';
import { openShopOnStripe, SECRETS } from './shop-on-stripe.ts';

let shop: ShopOnStripe;
beforeAll(async () => {
  shop = await openShopOnStripe();
});
afterAll(() => shop.system.world.cleanup());

/** The object an event holds, changed: what somebody else's news under the same id would be. */
const withObject = ({ body }: StripeEvent, change: Record<string, unknown>, id?: string) => {
  const event = JSON.parse(body) as { id: string; data: { object: object } };
  return {
    body: JSON.stringify({
      ...event,
      id: id ?? event.id,
      data: { object: { ...event.data.object, ...change } },
    }),
  };
};

function paidOrder(settings = {}) {
  const order = randomUUID();
  const story = shop.tell(order, settings);
  const { payment } = story.beginPayment(story.openSession());
  return { order, story, payment, paid: story.succeedPayment(payment) };
}

describe('at the door', () => {
  it('[R1] only what Stripe signed comes in: another secret, a changed byte, an old and a future time do not', async () => {
    const { paid, order } = paidOrder();
    const event = paid.events[0] as StripeEvent;
    const now = Math.floor(Date.now() / 1_000);
    const genuine = stripeDelivery(event.body, SECRETS.new, now);
    expect(await shop.send(event, 'whsec_somebody_else')).toEqual({ status: 401, word: 'signature_invalid' });
    const changed = Buffer.from(event.body.replace('2500', '2501'));
    expect(await shop.post(genuine.headers, changed)).toEqual({ status: 401, word: 'signature_invalid' });
    expect(await shop.send(event, SECRETS.new, 600)).toEqual({ status: 401, word: 'timestamp_outside' });
    expect(await shop.send(event, SECRETS.new, -600)).toEqual({ status: 401, word: 'timestamp_outside' });
    const milliseconds = stripeDelivery(event.body, SECRETS.new, Date.now());
    expect(await shop.post(milliseconds.headers, milliseconds.body)).toEqual({
      status: 401,
      word: 'timestamp_unit',
    });
    expect(await shop.system.eventsOf(order)).toEqual([]);
    expect(await shop.post(genuine.headers, genuine.body)).toEqual({ status: 202, word: 'accepted' });
  });

  it('[R2] an event without its object, and one whose object is another, are refused by name', async () => {
    const { paid } = paidOrder();
    const event = paid.events[0] as StripeEvent;
    const without = JSON.parse(event.body) as { data: object };
    expect(await shop.send({ body: JSON.stringify({ ...without, data: {} }) })).toEqual({
      status: 400,
      word: 'field_missing',
    });
    expect(await shop.send(withObject(event, { object: 'customer' }))).toEqual({
      status: 400,
      word: 'field_invalid',
    });
    expect(await shop.send({ body: event.body.slice(0, -9) })).toEqual({
      status: 400,
      word: 'body_truncated',
    });
  });

  it('[R3] while a secret is rolled Stripe signs with both, and either one alone will do', async () => {
    const { paid, order } = paidOrder();
    const [first, second, third] = paid.events as [StripeEvent, StripeEvent, StripeEvent];
    await shop.send(first, SECRETS.old);
    await shop.send(second, [SECRETS.old, SECRETS.new]);
    await shop.send(third, [SECRETS.new]);
    const secrets = (await shop.system.eventsOf(order)).map((row) => row.secret_id);
    expect(secrets).toEqual(['old', 'new', 'new']);
  });

  it('[R12] an order’s id keeps its bytes, from the metadata to the question', async () => {
    for (const order of [
      ` Ä/1 ${randomUUID()} `,
      `83897661${String(Date.now()).slice(-12)}`,
      `😀'\\${randomUUID()}`,
    ]) {
      const story = shop.tell(order);
      await shop.sendAll(story.succeedPayment(story.beginPayment().payment).events);
      await shop.system.untilStatus(order, 'paid');
    }
  });

  it('[R10] test mode at a live source, thin events and unknown words are kept and change nothing', async () => {
    const { paid, order } = paidOrder();
    const event = JSON.parse((paid.events[0] as StripeEvent).body) as { id: string };
    const kept = [
      { ...event, id: 'evt_test', livemode: false },
      {
        ...event,
        id: 'evt_word',
        type: 'customer.created',
        data: { object: { id: 'cus_1', object: 'customer' } },
      },
      {
        id: 'evt_thin',
        object: 'v2.core.event',
        type: 'v1.charge.succeeded',
        livemode: true,
        created: '2026-01-01T00:00:00Z',
      },
    ];
    for (const body of kept)
      expect(await shop.send({ body: JSON.stringify(body) })).toEqual({ status: 202, word: 'accepted' });
    const rows = await shop.system.store.query<{ event_id: string; outcome: string; reason: string }>(
      "SELECT event_id, outcome, reason FROM events WHERE event_id IN ('evt_test', 'evt_word', 'evt_thin') ORDER BY seq",
    );
    expect(rows.map((row) => [row.event_id, row.outcome])).toEqual([
      ['evt_test', 'foreign'],
      ['evt_word', 'archived'],
      ['evt_thin', 'archived'],
    ]);
    expect(rows[2]?.reason).toMatch(/payload style "Snapshot"/);
    expect(await shop.system.statusOf(order)).toBeUndefined();
  });
});

describe('an order on Stripe', () => {
  it('[R26] its whole life, told backwards and twice, ends where Stripe’s does, each refund booked once', async () => {
    const order = randomUUID();
    const life = stripeLife({ order, world: shop.stripe });
    await shop.sendAll(life.events.toReversed());
    await shop.sendAll(life.events);
    await shop.system.untilStatus(order, 'charged_back');
    await shop.system.untilSettled(order);
    await expect
      .poll(() => shop.doneFor(order).filter(([name]) => name === 'bookRefund'), { timeout: 20_000 })
      .toHaveLength(2);
    const booked = shop.doneFor(order).filter(([name]) => name === 'bookRefund');
    expect(new Set(booked.map(([, facts]) => (facts as { refund: string }).refund))).toEqual(
      new Set(Object.values(life.refunds)),
    );
    expect(await shop.attentionOf(order)).toBe('');
  });

  it('[R26] a refund of all, one that failed, a reservation let go: each has its own branch', async () => {
    const { order, story, payment, paid } = paidOrder();
    await shop.sendAll(paid.events);
    const all = story.refundPayment(payment, 2_500);
    await shop.sendAll(all.happening.events);
    await shop.system.untilStatus(order, 'refunded');
    await shop.sendAll(story.failRefund(all.refund).events);
    await shop.system.untilStatus(order, 'refund_failed');

    const other = randomUUID();
    const reserved = shop.tell(other);
    const { payment: held } = reserved.beginPayment({ manual: true });
    await shop.sendAll(reserved.authorizePayment(held).events);
    await shop.system.untilStatus(other, 'authorized');
    await shop.sendAll(reserved.cancelPayment(held).events);
    await shop.system.untilStatus(other, 'payment_failed');
    expect(shop.doneFor(other).filter(([name]) => name === 'bookRefund')).toEqual([]);
  });

  it('[R22] many hints at once cost one call, or the one that was under way and one more', async () => {
    const { order, story, payment } = paidOrder();
    for (const amount of [100, 200, 300]) story.refundPayment(payment, amount);
    const events = shop.stripe.events.filter(({ body }) => body.includes(payment));
    await shop.untilNothingIsHeld();
    const before = shop.callsInAll();
    shop.api.setMood({ delayMs: 1_500 });
    await Promise.all(events.map((event) => shop.send(event)));
    // All have been heard before the first answer is here.
    await expect.poll(() => shop.untakenOf(order), { timeout: 20_000, interval: 20 }).toBe(0);
    shop.api.setMood({ delayMs: 0 });
    await shop.system.untilStatus(order, 'partially_refunded');
    await shop.untilNothingIsHeld();
    expect(events.length).toBeGreaterThan(8);
    expect(shop.callsInAll() - before).toBeLessThanOrEqual(2);
  });

  it('[R23] of two happenings in one second neither wins by arrival: Stripe is asked', async () => {
    for (const isReversed of [false, true]) {
      const order = randomUUID();
      const story = shop.tell(order, { secondsApart: 0 });
      const { payment } = story.beginPayment();
      const events = [...story.failPayment(payment).events, ...story.succeedPayment(payment).events];
      await shop.sendAll(isReversed ? events.toReversed() : events);
      await shop.system.untilStatus(order, 'paid');
      await shop.system.untilSettled(order);
      expect(await shop.system.statusOf(order)).toBe('paid');
    }
  });

  it('[R24] the late failure of a first attempt never touches the success of the second', async () => {
    const { order, story, payment, paid } = paidOrder();
    const first = story.beginPayment();
    const failure = story.failPayment(first.payment);
    await shop.sendAll(paid.events);
    await shop.system.untilStatus(order, 'paid');
    await shop.sendAll(failure.events);
    await shop.system.untilSettled(order);
    expect(await shop.system.statusOf(order)).toBe('paid');
    expect(payment).not.toBe(first.payment);
    expect(await shop.attentionOf(order)).toBe('');
  });

  it('[R8] an event’s id stands for one news: other news under it is kept, and Stripe says which is true', async () => {
    const { order, paid } = paidOrder();
    const event = paid.events[0] as StripeEvent;
    expect(await shop.send(event)).toMatchObject({ word: 'accepted' });
    expect(await shop.send(event)).toMatchObject({ word: 'known' });
    await shop.send(withObject(event, { amount_captured: 1 }));
    await shop.system.untilStatus(order, 'paid');
    await expect
      .poll(async () => new Set(Object.values(await shop.outcomesOf(order))), { timeout: 20_000 })
      .toEqual(new Set(['applied', 'superseded']));
  });

  it('[R11] a dispute that names no order finds it through its payment’s session', async () => {
    const { order, story, payment } = paidOrder({ orderIn: 'session' });
    const { happening } = story.openDispute(payment);
    await shop.sendAll(happening.events);
    expect(await shop.system.eventsOf(order)).toEqual([]);
    await shop.system.untilStatus(order, 'disputed');
  }, 60_000);
});

describe('Stripe’s API on bad days', () => {
  it('[R62] down, then too busy: asked again, not before it allows, and nothing is decided meanwhile', async () => {
    const { order, paid } = paidOrder();
    shop.api.setMood({ down: 2, limited: 1, retryAfterSeconds: 1 });
    await shop.sendAll(paid.events);
    await shop.system.untilStatus(order, 'paid');
    await shop.system.untilSettled(order);
  });

  it('[R62] slower than its time limit: nothing is decided, and it is asked again', async () => {
    const { order, paid } = paidOrder();
    shop.api.setMood({ delayMs: 5_000 });
    const before = shop.callsInAll();
    await shop.sendAll(paid.events);
    await expect.poll(() => shop.callsInAll() - before, { timeout: 20_000 }).toBeGreaterThan(1);
    expect((await shop.system.statusOf(order)) ?? 'new').toBe('new');
    shop.api.setMood({ delayMs: 0 });
    await shop.system.untilStatus(order, 'paid');
  });

  it.each(['another_object', 'another_mode', 'a_page', 'half'] as const)(
    '[R62] wrong (%s): what is no answer decides nothing',
    async (wrong) => {
      const { order, paid } = paidOrder();
      const before = shop.callsInAll();
      shop.api.setMood({ wrong });
      await shop.sendAll(paid.events);
      await expect.poll(() => shop.callsInAll() - before, { timeout: 20_000 }).toBeGreaterThan(1);
      expect((await shop.system.statusOf(order)) ?? 'new').toBe('new');
      shop.api.setMood({ wrong: null });
      await shop.system.untilStatus(order, 'paid');
    },
  );

  it('[R62] lagging: an answer that has not heard of the second refund is not taken for the end', async () => {
    const { order, story, payment, paid } = paidOrder();
    await shop.sendAll([...paid.events, ...story.refundPayment(payment, 500).happening.events]);
    await shop.system.untilStatus(order, 'partially_refunded');
    await shop.system.untilSettled(order);
    shop.api.setMood({ behind: 1 });
    const before = shop.callsInAll();
    const { happening } = story.refundPayment(payment, 2_000);
    await shop.sendAll(happening.events);
    await expect.poll(() => shop.callsInAll() - before, { timeout: 20_000 }).toBeGreaterThan(0);
    shop.api.setMood({ behind: 0 });
    await shop.system.untilStatus(order, 'refunded');
    expect(shop.doneFor(order).filter(([name]) => name === 'bookRefund').length).toBeLessThanOrEqual(2);
  });
});
