/**
 * A person's word on one effect: it is to be tried again, it was done, or it is not to be done. The order's workflow
 * takes it and judges it where the row is; it refuses what the row or the machine does not allow, and what is in
 * another state than the one that was read here.
 */
import { EFFECT_UPDATE } from '../../workflows/messages.ts';
import type { EffectWordRequest, PersonsRequest, UpdateResult } from '../../workflows/messages.ts';
import type { EffectAction } from '../ordering/state.ts';
import type { Queryable } from '../store/store.ts';
import { updateOrder } from '../temporal/update-order.ts';
import type { OrderClient } from '../temporal/update-order.ts';
import { listEffects } from './list-effects.ts';
import type { EffectLine } from './list-effects.ts';

export interface EffectResult extends UpdateResult {
  key: string;
  action: EffectAction;
}

/** null: there is no such effect. */
export async function findEffect(db: Queryable, key: string): Promise<EffectLine | null> {
  return (await listEffects(db, { key, limit: 1 })).items[0] ?? null;
}

export async function actOnEffect(
  deps: OrderClient,
  effect: EffectLine,
  { action, actor, reason }: PersonsRequest & { action: EffectAction },
): Promise<EffectResult> {
  const { key, machine, environment, order, state } = effect;
  const request: EffectWordRequest = { actor, reason, key, action, seen: state };
  const result = await updateOrder(deps, { machine, environment, id: order }, EFFECT_UPDATE, request);
  return { key, action, ...result };
}
