/** Effects by a few filters, asked for last first. */
import type { EffectState } from '../effects/row.ts';
import * as listing from '../store/effect-listing.ts';
import type { EffectFilter, FoundEffect } from '../store/effect-listing.ts';
import type { Queryable } from '../store/store.ts';
import type { Listed } from './list-orders.ts';

export interface EffectLine {
  name: string;
  key: string;
  machine: string;
  environment: string;
  order: string;
  state: EffectState;
  attempts: number;
  /** Why it is in this state, where it did not just end well. */
  error: string | null;
  nextAttemptAt: string | null;
  askedAt: string;
  changedAt: string;
}

export async function listEffects(db: Queryable, filter: EffectFilter): Promise<Listed<EffectLine>> {
  const rows = await listing.listEffects(db, { ...filter, limit: filter.limit + 1 });
  return { items: rows.slice(0, filter.limit).map(lineOf), hasMore: rows.length > filter.limit };
}

export const lineOf = ({ id: _id, order, createdAt, updatedAt, ...effect }: FoundEffect): EffectLine => ({
  name: effect.name,
  key: effect.key,
  machine: order.machine,
  environment: order.environment,
  order: order.id,
  state: effect.state,
  attempts: effect.attempts,
  error: effect.error,
  nextAttemptAt: effect.nextAttemptAt,
  askedAt: createdAt,
  changedAt: updatedAt,
});
