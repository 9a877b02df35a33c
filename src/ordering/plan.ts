/**
 * What a stored state makes its workflow do next. Computed where the state is stored and returned from there, so
 * that it comes from history on replay: a changed rule never changes what an old run did.
 */
import { sourceOf } from './fresh-state.ts';
import { gapSince } from './hold.ts';
import type { OrderState } from './state.ts';
import { dueAt } from './timers.ts';

export interface Plan {
  /** Epoch ms of the earliest instant at which the order must be looked at; null: never by itself. */
  dueAt: number | null;
  /** Asks that should be under way, by stream. */
  asks: { stream: string; source: string; n: number; reason: string }[];
  /** Searches for the order's objects that should be under way. */
  finds: { source: string; n: number; reason: string }[];
  /** A gap or an ask is open: sensitive effects wait. */
  isUncertain: boolean;
  /** Something is still expected to happen: the run stays open. */
  isOpen: boolean;
  visibility: { status: string; attention: string[]; sources: string[] };
}

export function planOf(state: OrderState): Plan {
  const plan: Plan = {
    dueAt: dueAt(state),
    asks: [],
    finds: [],
    isUncertain: false,
    isOpen: state.deadline !== null || state.attention.length > 0,
    visibility: {
      status: state.status,
      attention: [...new Set(state.attention.map(({ kind }) => kind))].sort(),
      sources: [...new Set(Object.keys(state.streams).map(sourceOf))].sort(),
    },
  };
  for (const stream of Object.keys(state.streams).sort()) {
    const { ask, held, answer } = state.streams[stream] as OrderState['streams'][string];
    if (ask?.retryAt === null)
      plan.asks.push({ stream, source: sourceOf(stream), n: ask.n, reason: ask.reason });
    if (ask !== null || gapSince(state.streams[stream] as OrderState['streams'][string]) !== null)
      plan.isUncertain = true;
    if (held.length > 0 || answer !== null) plan.isOpen = true;
  }
  for (const [source, find] of Object.entries(state.finds))
    if (find.retryAt === null) plan.finds.push({ source, n: find.n, reason: find.reason });
  if (Object.keys(state.finds).length > 0) plan.isUncertain = true;
  plan.isOpen ||= plan.isUncertain;
  return plan;
}
