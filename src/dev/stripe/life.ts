/** One order's whole life at Stripe, with all that makes shops' own handlers go wrong; and its parts. */
import { StripeStory } from './story.ts';
import type { StripeStorySettings } from './story.ts';
import type { StripeEvent, StripeHappening } from './world.ts';
import { StripeWorld } from './world.ts';

export interface StripeLife {
  world: StripeWorld;
  story: StripeStory;
  happenings: StripeHappening[];
  events: StripeEvent[];
  payments: { failed: string; paid: string };
  refunds: { kept: string; failed: string };
  dispute: string;
}

/** Up to which point it is told. */
export type LifeUntil = 'failed' | 'paid' | 'refunded' | 'refund failed' | 'disputed' | 'lost';

const STAGES: LifeUntil[] = ['failed', 'paid', 'refunded', 'refund failed', 'disputed', 'lost'];

/**
 * A first session whose payment is declined, a second that is paid, two partial refunds of which the second comes
 * back, a dispute over the rest, and the dispute lost.
 */
export function stripeLife(
  settings: StripeStorySettings & { seed?: string; world?: StripeWorld; until?: LifeUntil },
): StripeLife {
  const world = settings.world ?? new StripeWorld(settings.seed === undefined ? {} : { seed: settings.seed });
  const story = new StripeStory(world, settings);
  const amount = settings.amount ?? 2_500;
  const before = world.happenings.length;
  const last = STAGES.indexOf(settings.until ?? 'lost');
  const tells = (stage: LifeUntil) => STAGES.indexOf(stage) <= last;
  const life = { payments: { failed: '', paid: '' }, refunds: { kept: '', failed: '' }, dispute: '' };

  life.payments.failed = story.beginPayment(story.openSession()).payment;
  story.failPayment(life.payments.failed);
  if (tells('paid')) {
    life.payments.paid = story.beginPayment(story.openSession()).payment;
    story.succeedPayment(life.payments.paid);
  }
  if (tells('refunded')) {
    life.refunds.kept = story.refundPayment(life.payments.paid, Math.floor(amount / 5)).refund;
    life.refunds.failed = story.refundPayment(life.payments.paid, Math.floor(amount / 4)).refund;
  }
  if (tells('refund failed')) story.failRefund(life.refunds.failed);
  if (tells('disputed')) life.dispute = story.openDispute(life.payments.paid).dispute;
  if (tells('lost')) story.closeDispute(life.dispute, 'lost');

  const happenings = world.happenings.slice(before);
  return { world, story, happenings, events: happenings.flatMap(({ events }) => events), ...life };
}
