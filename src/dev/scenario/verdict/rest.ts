/**
 * Whether a story has come to rest: every event has its end or waits for something that is not time, and every effect
 * has its end. What is due within moments is waited for, what is due tomorrow is not.
 *
 * A provider that will not answer differently, however often it is asked, is not waited for either: a story in which it
 * is down for ever has an end, too.
 */
import { openQuestions } from '../../../operations/open-questions.ts';
import { sourceOf } from '../../../ordering/fresh-state.ts';
import type { OpenAsk, OrderState } from '../../../ordering/state.ts';
import { dueAt, isAsking } from '../../../ordering/timers.ts';
import type { ApiMood, EffectMood } from '../format/scenario.ts';

/** What is due later than this is not waited for. */
const HORIZON_MS = 10_000;
/** So often a question was put to no effect before it counts as one for later. */
const TRIES = 2;

export interface Moods {
  api: (source: string) => ApiMood;
  effect: (name: string) => EffectMood;
}

export interface StoryState {
  orders: OrderState[];
  events: {
    id: string;
    source: string;
    order: string | null;
    type: string | null;
    isTaken: boolean;
    isSettled: boolean;
    attempts: number;
  }[];
  effects: { name: string; key: string; state: string; attempts: number }[];
  /** Sources that can be asked whose an object is. */
  canBeAsked: (source: string) => boolean;
  /** Waits while anything of its order is in doubt. */
  isSensitive: (effect: string) => boolean;
}

/** Why it is not at rest, in a few words; null: it is. */
export function unrest(state: StoryState, moods: Moods, nowMs: number): string | null {
  for (const event of state.events) {
    if (event.order !== null && !event.isTaken && !event.isSettled) return `event ${event.id} is not taken`;
    const isUnasked = event.order === null && !event.isSettled && event.type !== null && event.attempts === 0;
    if (isUnasked && state.canBeAsked(event.source)) return `nobody was asked whose event ${event.id} is`;
  }
  for (const order of state.orders) {
    const waits = unrestOfOrder(withoutVainAsks(order, moods), nowMs);
    if (waits !== null) return waits;
  }
  for (const { name, key, state: effect } of state.effects) {
    const isOpen = effect === 'pending' || effect === 'running';
    if (isOpen && !isRefusedForEver(state, moods, name) && !isHeldBack(state, name)) {
      return `effect ${name} is ${effect}`;
    }
    const needsPerson = effect === 'failed' || effect === 'uncertain';
    if (needsPerson && !state.orders.some(({ troubles }) => troubles[key] !== undefined)) {
      return `nobody was told that effect ${name} is ${effect}`;
    }
  }
  return null;
}

function unrestOfOrder(order: OrderState, nowMs: number): string | null {
  if (isAsking(order)) return `order ${order.key.id} waits for an answer`;
  const due = dueAt(order);
  if (due === null || due > nowMs + HORIZON_MS) return null;
  return `order ${order.key.id} is due in ${Math.max(0, due - nowMs)} ms`;
}

function isRefusedForEver({ effects }: StoryState, moods: Moods, name: string): boolean {
  return (
    moods.effect(name).refuses === true && effects.some((one) => one.name === name && one.attempts >= TRIES)
  );
}

const isHeldBack = ({ orders, isSensitive }: StoryState, name: string): boolean =>
  isSensitive(name) && orders.some((order) => openQuestions(order).length > 0);

function withoutVainAsks(order: OrderState, { api }: Moods): OrderState {
  const without = (source: string, ask: OpenAsk | null, isBelievedSoon = false) =>
    ask !== null && isVain(api(source), ask, isBelievedSoon) ? null : ask;
  return {
    ...order,
    streams: Object.fromEntries(
      Object.entries(order.streams).map(([key, stream]) => [
        key,
        { ...stream, ask: without(sourceOf(key), stream.ask, stream.candidate !== null) },
      ]),
    ),
    finds: Object.fromEntries(
      Object.entries(order.finds).filter(([source, ask]) => without(source, ask) !== null),
    ),
  };
}

/** Counted moods pass; the others stay as they are. An answer that only has to stand for a while is believed then. */
function isVain({ down, limited }: ApiMood, { attempts }: OpenAsk, isBelievedSoon: boolean): boolean {
  if (down === true) return attempts >= TRIES;
  if (isBelievedSoon) return false;
  const passes = (typeof down === 'number' && down > 0) || (limited !== undefined && limited > 0);
  return !passes && attempts > TRIES;
}
