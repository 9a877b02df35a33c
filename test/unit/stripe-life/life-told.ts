/**
 * One order's life at Stripe as the core hears of it: each event as the adapter reads its body, each answer as the
 * adapter reads what the stand-in's API serves, up to date or so many happenings behind.
 */
import { answerAsStripe } from '../../../src/dev/stripe/answer.ts';
import type { StripeEvent, StripeWorld } from '../../../src/dev/stripe/world.ts';
import { factOf } from '../../../src/fact.ts';
import type { OrderEvent, Snapshot } from '../../../src/ordering/state.ts';
import { isRefusal } from '../../../src/providers/provider.ts';
import type { ApiClient, ParsedEvent } from '../../../src/providers/provider.ts';
import { readAnswer } from '../../../src/providers/read-answer.ts';
import { stripe } from '../../../src/providers/stripe/stripe.ts';
import { settings } from '../providers/stripe/objects.ts';

/** What Stripe's events and answers mean, all of them read beforehand: exploring reads nothing. */
export interface LifeTold {
  /** Under names a reader knows, e.g. `refund.created 2`. */
  events: { name: string; event: OrderEvent }[];
  /** By stream, the answer of a reader that is so many happenings behind; null where it knows nothing of it. */
  answers: Record<string, (Snapshot | null)[]>;
}

/** `pick`: which of the world's events are told. `typeOf`: what the source's own `types` make of one. */
export async function readLife(
  world: StripeWorld,
  pick: (event: StripeEvent) => boolean,
  typeOf: (event: StripeEvent, type: string | null) => string | null = (_, type) => type,
): Promise<LifeTold> {
  const counts: Record<string, number> = {};
  const events = world.events.filter(pick).map((told) => {
    const count = (counts[told.type] ?? 0) + 1;
    counts[told.type] = count;
    return { name: `${told.type} ${count}`, event: eventOf(told, typeOf) };
  });
  const answers: LifeTold['answers'] = {};
  for (const stream of new Set(events.map(({ event }) => event.stream)))
    answers[stream] = await Promise.all(
      Array.from({ length: world.happenings.length + 1 }, (_, behind) => answerOf(world, stream, behind)),
    );
  return { events, answers };
}

function eventOf(told: StripeEvent, typeOf: (event: StripeEvent, type: string | null) => string | null): OrderEvent {
  const parsed = parse(told);
  const type = typeOf(told, parsed.type ?? null);
  return {
    seq: told.id,
    source: 'stripe',
    event: told.id,
    stream: `stripe/${parsed.object}`,
    type,
    payment: parsed.payment ?? null,
    version: null,
    claimedAt: parsed.claimedAt ?? null,
    fact: factOf(type, parsed.facts),
    facts: parsed.facts,
  };
}

function parse({ body }: StripeEvent): ParsedEvent {
  const delivery = { source: 'stripe', headers: {}, body: Buffer.from(body), url: '', receivedAtMs: 0 };
  const [parsed] = stripe.parse(delivery, settings);
  if (parsed === undefined || isRefusal(parsed)) throw new Error(JSON.stringify(parsed));
  return parsed;
}

async function answerOf(world: StripeWorld, stream: string, behind: number): Promise<Snapshot | null> {
  const api: ApiClient = {
    get(path) {
      const { status, body } = answerAsStripe(world, path, behind);
      return Promise.resolve(status === 404 ? { status: 'gone' } : { status: 'ok', body });
    },
  };
  const answer = await stripe.fetch?.(api, stream.slice('stripe/'.length), settings);
  return answer === undefined || answer === 'gone' ? null : readAnswer(answer, { stream, asOf: 0, types: {} });
}
