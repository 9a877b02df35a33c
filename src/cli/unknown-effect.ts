import { InorderError } from '../errors.ts';
import { listEffects } from '../operations/list-effects.ts';
import type { Queryable } from '../store/store.ts';

/** What to say of a key that no effect has; most who are wrong gave the order's id. */
export async function unknownEffect(db: Queryable, key: string): Promise<InorderError> {
  const isOrder = (await listEffects(db, { order: key, limit: 1 })).items.length > 0;
  const where = isOrder
    ? `it is an order, and 'inorder effects list --order ${key}' shows its effects with their keys.`
    : "'inorder effects list' shows the latest with their keys.";
  return new InorderError('effect_unknown', `There is no effect '${key}'; ${where}`);
}
