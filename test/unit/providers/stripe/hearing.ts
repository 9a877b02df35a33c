/**
 * One order that hears of Stripe: the stand-in's events through the adapter into the pure core, its questions answered
 * by the stand-in through the adapter. Time moves only when nothing else can.
 */
import { answerAsStripe } from '../../../../src/dev/stripe/answer.ts';
import type { StripeEvent, StripeWorld } from '../../../../src/dev/stripe/world.ts';
import { factOf } from '../../../../src/fact.ts';
import { compileMachine } from '../../../../src/ordering/compile-machine.ts';
import { decide, withSources } from '../../../../src/ordering/decide.ts';
import { freshState } from '../../../../src/ordering/fresh-state.ts';
import { settle } from '../../../../src/ordering/settle.ts';
import type {
  Answer,
  Decision,
  EffectRequest,
  OrderEvent,
  OrderState,
} from '../../../../src/ordering/state.ts';
import { dueAt } from '../../../../src/ordering/timers.ts';
import { wake } from '../../../../src/ordering/wake.ts';
import { mappedType } from '../../../../src/providers/mapped-type.ts';
import type { TypeMap } from '../../../../src/providers/mapped-type.ts';
import type { ApiClient } from '../../../../src/providers/provider.ts';
import { isRefusal } from '../../../../src/providers/provider.ts';
import { readAnswer } from '../../../../src/providers/read-answer.ts';
import { stripe } from '../../../../src/providers/stripe/stripe.ts';
import { POLICY } from '../../dispatch/policy.ts';
import { settings } from './objects.ts';

const HEARD = { ...POLICY, contract: 'unordered' as const, api: true, find: true, first: 'any' };

/** The shop's own application, which numbers its events and is not asked. */
const SHOP = { ...POLICY, contract: 'sequence' as const, api: false, find: false, first: '1' };

export function apiOf(world: StripeWorld, behind = 0): ApiClient & { calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    get(path) {
      calls.push(path);
      const { status, body } = answerAsStripe(world, path, behind);
      if (status === 404) return Promise.resolve({ status: 'gone' });
      if (status !== 200) throw new Error(`the stand-in answered ${status}`);
      return Promise.resolve({ status: 'ok', body });
    },
  };
}

/** `types`: the source's own, which count over the adapter's. */
export function orderEventOf(event: StripeEvent, types: TypeMap = {}): OrderEvent {
  const delivery = { source: 'stripe', headers: {}, body: Buffer.from(event.body), url: '', receivedAtMs: 0 };
  const [parsed] = stripe.parse(delivery, settings);
  if (parsed === undefined || isRefusal(parsed)) throw new Error(JSON.stringify(parsed));
  const mapped = mappedType(types, parsed, () => JSON.parse(event.body) as unknown);
  if (mapped.kind === 'failed') throw new Error(mapped.reason);
  const type = mapped.kind === 'known' ? mapped.type : null;
  return {
    seq: event.id,
    source: 'stripe',
    event: parsed.eventId,
    stream: `stripe/${parsed.object}`,
    type,
    payment: parsed.payment ?? null,
    version: null,
    claimedAt: parsed.claimedAt ?? null,
    ...(parsed.createdAt === undefined ? {} : { createdAt: parsed.createdAt }),
    fact: factOf(type, parsed.facts),
    facts: parsed.facts,
  };
}

export function hearing(given: Parameters<typeof compileMachine>[0], world: StripeWorld, policy = HEARD) {
  const result = compileMachine(given);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  const { machine } = result;
  const key = { machine: machine.name, environment: 'live', id: '1042' };
  let state: OrderState = withSources(freshState(machine, key), { stripe: policy, shop: SHOP });
  let now = 1_764_100_000_000;
  const effects = new Map<string, EffectRequest>();
  const outcomes: Record<string, string> = {};
  let calls = 0;

  const take = (decision: Decision) => {
    state = decision.state;
    for (const effect of decision.effects) effects.set(`${effect.name}/${effect.once}`, effect);
    for (const { ref, outcome } of decision.outcomes) outcomes[ref.event] = outcome;
  };
  const openAsks = () => Object.entries(state.streams).filter(([, { ask }]) => ask?.retryAt === null);
  const ask = async (stream: string, behind: number): Promise<Answer> => {
    const asOf = now;
    const object = stream.slice('stripe/'.length);
    const api = apiOf(world, behind);
    const answer = await stripe.fetch?.(api, object, settings);
    calls += api.calls.length;
    if (answer === undefined || answer === 'gone') return { kind: 'gone', stream, asOf };
    return { kind: 'snapshot', snapshot: readAnswer(answer, { stream, asOf, types: {} }) };
  };

  return {
    get state() {
      return state;
    },
    /** As they are stored: an event is settled once, and one that is not wanted never reaches an order. */
    hear(...events: StripeEvent[]) {
      const news = events.map((event) => orderEventOf(event)).filter(({ type }) => type !== null);
      const left = news.filter(({ event }) => outcomes[event] === undefined || outcomes[event] === 'held');
      take(decide(machine, state, left, now));
    },
    hearShop(...events: { type: string; version: number }[]) {
      const news = events.map(({ type, version }): OrderEvent => ({
        ...{
          seq: `shop-${version}`,
          source: 'shop',
          event: `shop-${version}`,
          stream: 'shop/order:1042',
          type,
        },
        ...{ payment: null, version: String(version), claimedAt: null, fact: factOf(type, {}), facts: {} },
      }));
      const left = news.filter(({ event }) => outcomes[event] === undefined || outcomes[event] === 'held');
      if (left.length > 0) take(decide(machine, state, left, now));
    },
    now: () => now,
    /** A person is asked, or will be when what waits has waited long enough. */
    isInDoubt: () =>
      state.attention.length > 0 ||
      Object.values(state.streams).some(
        ({ ask, answer, held }) => ask !== null || answer !== null || held.length > 0,
      ),
    /** Answers every open question once, by a reader that is so many happenings behind. */
    async answer(behind = 0) {
      for (const [stream, { ask: open }] of openAsks())
        take(settle(machine, state, await ask(stream, behind), open?.n ?? 0, now));
      now += 100;
    },
    isAsking: () => openAsks().length > 0,
    /** Until nothing is asked and nothing is due soon. */
    async rest(behind = 0) {
      for (let turns = 0; turns < 50; turns += 1) {
        if (openAsks().length > 0) {
          await this.answer(behind);
          continue;
        }
        const due = dueAt(state);
        if (due === null || due > now + 3_600_000) return;
        now = Math.max(now, due);
        take(wake(machine, state, now));
      }
    },
    /** What was asked of the application, e.g. `bookRefund/re_1`. */
    effects: () => [...effects.keys()].sort(),
    /** Of these, what is really called: the rest is only written down. */
    running: () => [...effects].flatMap(([name, { mode }]) => (mode === 'run' ? [name] : [])).sort(),
    /** Requests to Stripe's API so far. */
    calls: () => calls,
    attention: () => state.attention.map(({ kind }) => kind),
    outcomes,
  };
}
