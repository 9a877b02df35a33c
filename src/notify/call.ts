/**
 * One call that tells people of attention: made from all that changed since the last one about the same kind and
 * source, and then stored, so that every attempt sends the same bytes under the same key.
 */
import type { AttentionNews, EffectCall } from '../config/resolved.ts';
import type { ClaimedCall, StoredChange } from '../store/attention.ts';

/** What stands in the body of a call; `idempotencyKey` and `abort` come with an attempt. */
type Told = Pick<EffectCall, 'order' | 'cause' | 'facts'> & { effect: string; attention: AttentionNews };

/** The changes are those of one kind and source, oldest first; there is at least one. */
export function bodyOf(effect: string, changes: readonly StoredChange[]): Buffer {
  const newest = changes.at(-1) as StoredChange;
  const { kind, source, hasEnded, reason, key, status, revision } = newest;
  const ended = changes.filter((change) => change.hasEnded).length;
  const orders = new Set(changes.map((change) => JSON.stringify(change.key)));
  const told: Told = {
    effect,
    order: {
      machine: key.machine,
      environment: key.environment,
      id: key.id,
      status,
      previous: status,
      revision,
    },
    cause: {
      source: 'inorder',
      event: null,
      type: hasEnded ? 'attention.ended' : 'attention.began',
      object: `attention:${kind}`,
      version: null,
      claimedAt: null,
    },
    facts: {},
    attention: { kind, source, reason, began: changes.length - ended, ended, otherOrders: orders.size - 1 },
  };
  return Buffer.from(JSON.stringify(told), 'utf8');
}

export const keyOf = ({ kind, source, id }: ClaimedCall): string => `attention/${kind}/${source}/${id}`;

export function callOf(call: ClaimedCall): Omit<EffectCall, 'abort'> {
  const { order, cause, facts, attention } = JSON.parse(call.body.toString('utf8')) as Told;
  return { order, cause, facts, attention, idempotencyKey: keyOf(call) };
}
