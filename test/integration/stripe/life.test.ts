/**
 * Whole lives at Stripe on the real parts: any six of nine events, in an order by chance, some twice, at once, while the
 * API is at times behind, away or limits, and the worker is killed. What every order of arrival comes to is proved in test/unit/stripe-life.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stripeLife } from '../../../src/dev/stripe/life.ts';
import type { StripeLife } from '../../../src/dev/stripe/life.ts';
import type { StripeEvent } from '../../../src/dev/stripe/world.ts';
import type { ShopOnStripe } from './shop-on-stripe.ts';
import { openShopOnStripe } from './shop-on-stripe.ts';

let shop: ShopOnStripe;
beforeAll(async () => {
  shop = await openShopOnStripe({ worker: 'process' });
}, 120_000);
afterAll(() => shop.system.world.cleanup());

const TOLD = new Set([
  'checkout.session.completed',
  'payment_intent.payment_failed',
  'payment_intent.succeeded',
  'charge.succeeded',
  'refund.created',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
]);
const ORDERS = 40;
/** So many effects are received before the worker is killed. */
const KILLED_AFTER = 20;

/** Which six arrive, in which order, and which of them twice: from one seed, so that a failure can be played again. */
const plans = fc.sample(
  fc.tuple(
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8], { minLength: 6, maxLength: 6 }),
    fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  ),
  { numRuns: ORDERS, seed: 7 },
);

interface Lived {
  order: string;
  life: StripeLife;
  /** The six, in the order of arrival; copies among them. */
  arrivals: StripeEvent[];
}

function live([picked, twice]: [number[], boolean[]]): Lived {
  const order = randomUUID();
  const life = stripeLife({ order, world: shop.stripe });
  const events = life.events.filter(({ type }) => TOLD.has(type));
  const six = picked.map((at) => events[at] as StripeEvent);
  // The copy comes some events later, or right after the last.
  const arrivals = six.flatMap((event, at) => [
    event,
    ...(twice[at - 2] === true ? [six[at - 2] as StripeEvent] : []),
  ]);
  return { order, life, arrivals };
}

const aboutPayment = ({ body }: StripeEvent, payment: string) => body.includes(`"${payment}"`);

function endingOf({ life, arrivals }: Lived): { status: string; effects: string[] } {
  const isDisputed = arrivals.some(({ type }) => type.startsWith('charge.dispute'));
  const isPaid = arrivals.some(
    (event) => !event.type.startsWith('charge.dispute') && aboutPayment(event, life.payments.paid),
  );
  const { kept, failed } = life.refunds;
  return {
    status: isDisputed ? 'charged_back' : 'partially_refunded',
    effects: isPaid ? [`bookRefund ${kept}`, `bookRefund ${failed}`, `unbookRefund ${failed}`].sort() : [],
  };
}

describe('lives of orders at Stripe', () => {
  test('[R22] any six events, in any order, some twice, under an API with bad days, the worker killed: the true ending, each refund booked once', async () => {
    expect(plans).toHaveLength(ORDERS);
    const lives = plans.map(live);
    const sending = lives.map(async ({ arrivals }) => {
      for (const event of arrivals) expect((await shop.send(event)).status).toBe(202);
    });
    shop.api.setMood({ behind: 2, limited: 3, delayMs: 20 });
    await Promise.all(sending.slice(0, ORDERS / 2));
    shop.api.setMood({ behind: 1, down: 3 });
    // In the middle of it: some effects are done, some events are not settled.
    await shop.effects.received(KILLED_AFTER);
    expect(await shop.unsettled()).toBeGreaterThan(0);
    await shop.killWorker();
    await Promise.all(sending);
    shop.api.setMood({ behind: 0, down: false, delayMs: 0 });

    for (const lived of lives) {
      const { order, life, arrivals } = lived;
      const { status, effects } = endingOf(lived);
      // What was believed of a replica is put right by the next event of the stream; as every stream has one in life.
      for (const last of lastOf(arrivals, life)) await shop.send(last);
      await expect.poll(() => shop.system.statusOf(order), { timeout: 60_000, interval: 100 }).toBe(status);
      await shop.system.untilSettled(order);
      await expect.poll(() => bookedFor(order), { timeout: 30_000, interval: 100 }).toEqual(effects);
      expect(await shop.attentionOf(order)).toBe('');
      const onceEach = callsFor(order)
        .filter(([name]) => ONCE_PER_ORDER.has(name))
        .map(([name]) => name);
      expect(onceEach).toHaveLength(new Set(onceEach).size);
    }
    expect(shop.broken()).toEqual([]);
  }, 300_000);

  test('a second captured payment is seen by a person, whichever is heard of first', async () => {
    const orders = [false, true].map((isReversed) => {
      const order = randomUUID();
      const story = shop.tell(order);
      const events = [story, story].flatMap(() => {
        const { payment } = story.beginPayment(story.openSession());
        return story.succeedPayment(payment).events;
      });
      return { order, events: isReversed ? events.toReversed() : events };
    });
    for (const { order, events } of orders) {
      await shop.sendAll(events);
      await expect
        .poll(() => shop.attentionOf(order), { timeout: 30_000, interval: 100 })
        .toContain('review');
    }
  }, 120_000);
});

const ONCE_PER_ORDER = new Set(['fulfil', 'sendReceipt', 'revokeAccess', 'releaseStock', 'returnPayment']);
const BOOKS = new Set(['bookRefund', 'unbookRefund']);
const callsFor = (order: string) => shop.doneFor(order);
const bookedFor = (order: string) =>
  callsFor(order)
    .filter(([name]) => BOOKS.has(name))
    .map(([name, facts]) => `${name} ${facts['refund']}`)
    .sort();

/** The newest event of each stream that was told of at all. */
function lastOf(arrivals: StripeEvent[], { events, payments }: StripeLife): StripeEvent[] {
  const isDispute = ({ type }: StripeEvent) => type.startsWith('charge.dispute');
  const isOfPaid = (event: StripeEvent) => !isDispute(event) && aboutPayment(event, payments.paid);
  return [isDispute, isOfPaid].flatMap((isOf) =>
    arrivals.some(isOf) ? [events.findLast(isOf) as StripeEvent] : [],
  );
}
