/**
 * An effect's idempotency key: the same on each retry, replay and restart, in the database's unique row and in the
 * receiver's hands (R31).
 */
import { joinKeyParts } from '../key-parts.ts';
import type { OrderKey } from '../ordering/state.ts';

/** `<machine>/<environment>/<order>/<effect>/<once>`, ASCII, at most 255 bytes; different parts never share a key. */
export function effectKey(key: OrderKey, effect: string, once: string): string {
  return joinKeyParts([key.machine, key.environment, key.id, effect, once]);
}
