/**
 * One order's life at Stripe as the core hears of it: each event as the adapter reads its body, each answer as the
 * adapter reads what the stand-in's API serves, up to date or so many happenings behind.
 */
import type { StripeEvent, StripeWorld } from '../../../src/dev/stripe/world.ts';
import type { OrderEvent, Snapshot } from '../../../src/ordering/state.ts';
import type { TypeMap } from '../../../src/providers/mapped-type.ts';
import { readAnswer } from '../../../src/providers/read-answer.ts';
import { stripe } from '../../../src/providers/stripe/stripe.ts';
import { apiOf, orderEventOf } from '../providers/stripe/hearing.ts';
import { settings } from '../providers/stripe/objects.ts';

/** What Stripe's events and answers mean, all of them read beforehand: exploring reads nothing. */
export interface LifeTold {
  /** Under names a reader knows, e.g. `refund.created 2`. */
  events: { name: string; event: OrderEvent }[];
  /** Of each event, the first that tells the same news of the same instant. */
  alike: number[];
  /** By stream, the answer of a reader that is so many happenings behind; null where it knows nothing of it. */
  answers: Record<string, (Snapshot | null)[]>;
}

/** `isTold`: which of the world's events arrive; `types`: the source's. What is not wanted reaches no order. */
export async function readLife(
  world: StripeWorld,
  isTold: (event: StripeEvent) => boolean,
  types: TypeMap = {},
): Promise<LifeTold> {
  const counts: Record<string, number> = {};
  const events = world.events.filter(isTold).flatMap((told) => {
    const count = (counts[told.type] ?? 0) + 1;
    counts[told.type] = count;
    const event = orderEventOf(told, types);
    return event.type === null ? [] : [{ name: `${told.type} ${count}`, event }];
  });
  const behinds = [0, ...world.happenings.map((_, at) => at + 1)];
  const answers: LifeTold['answers'] = {};
  for (const stream of new Set(events.map(({ event }) => event.stream)))
    answers[stream] = await Promise.all(behinds.map((behind) => answerOf(world, stream, behind)));
  const news = events.map(({ event }) => [event.stream, event.fact, event.claimedAt].join());
  return { events, alike: news.map((name) => news.indexOf(name)), answers };
}

async function answerOf(world: StripeWorld, stream: string, behind: number): Promise<Snapshot | null> {
  const answer = await stripe.fetch?.(apiOf(world, behind), stream.slice('stripe/'.length), settings);
  return answer === undefined || answer === 'gone'
    ? null
    : readAnswer(answer, { stream, asOf: 0, types: {} });
}
