/** Orders paid before inorder was there (`existingBefore`), of which something is heard only afterwards. */
import { describe, expect, it } from 'vitest';
import { StripeStory } from '../../../../src/dev/stripe/story.ts';
import type { StripeEvent } from '../../../../src/dev/stripe/world.ts';
import { StripeWorld } from '../../../../src/dev/stripe/world.ts';
import { order } from '../../../../src/init/templates/stripe/order.ts';
import { POLICY } from '../../dispatch/policy.ts';
import { hearing } from './hearing.ts';

const STARTED_AT = 1_764_000_000;
const DAY = 86_400;
const policy = {
  ...POLICY,
  contract: 'unordered' as const,
  api: true,
  find: true,
  first: 'any',
  existingBefore: new Date((STARTED_AT + 10 * DAY) * 1_000).toISOString().replace('.000Z', 'Z'),
};

/** Paid, nine days before inorder's first; what comes next comes after it. */
function paidLongAgo() {
  const world = new StripeWorld({ seed: 'older' });
  const story = new StripeStory(world, { order: '1042', startedAt: STARTED_AT, secondsApart: 6 * DAY });
  const { payment } = story.beginPayment();
  story.succeedPayment(payment);
  return { story, payment, heard: hearing(order, world, policy) };
}

type Paid = ReturnType<typeof paidLongAgo>;

/** What is heard of first, each time alone: the rest of its kind may be lost. */
const NEWS: [string, (paid: Paid) => StripeEvent[], string][] = [
  ['a dispute', ({ story, payment }) => story.openDispute(payment).happening.events, 'disputed'],
  [
    'a dispute that is over',
    ({ story, payment }) => story.closeDispute(story.openDispute(payment).dispute, 'won').events,
    'paid',
  ],
  [
    'a lost dispute',
    ({ story, payment }) => story.closeDispute(story.openDispute(payment).dispute, 'lost').events,
    'charged_back',
  ],
  [
    'a part refunded',
    ({ story, payment }) => story.refundPayment(payment, 700).happening.events,
    'partially_refunded',
  ],
  [
    'a refund of all',
    ({ story, payment }) => story.refundPayment(payment, 2_500).happening.events,
    'refunded',
  ],
  [
    'a refund that failed',
    ({ story, payment }) => story.failRefund(story.refundPayment(payment, 2_500).refund).events,
    'refund_failed',
  ],
];

describe.each(NEWS)('%s of an order paid before', (_what, tell, status) => {
  it('adopts the order, whichever event is heard of first: nothing is delivered for it again', async () => {
    const events = tell(paidLongAgo()).length;
    for (let first = 0; first < events; first += 1) {
      const paid = paidLongAgo();
      const { heard } = paid;
      const news = tell(paid);
      heard.hear(news[first] as StripeEvent);
      await heard.rest();
      const told = (news[first] as StripeEvent).type;
      expect({ told, adopted: heard.state.adopted }).toEqual({ told, adopted: policy.existingBefore });
      const once = heard.running().filter((effect) => effect.endsWith('/order'));
      expect({ told, status: heard.state.status, once }).toEqual({ told, status, once: [] });
    }
  });
});
