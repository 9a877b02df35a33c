/**
 * Orders that are older than inorder (R36): whoever had them before has done what was to be done. Such an order is
 * *adopted*: it gets its status like any, and what lies before the source's `existingBefore` is recorded, not run.
 *
 * A1  Adopted is an order that nothing has moved yet, when the first event or answer comes about something that was
 *     there before that instant.
 * A2  Of an adopted order an effect runs only if it is counted by a happening (the event, one of its facts) that is
 *     known to come from after that instant (recorded-only.ts). What is counted once per order was its keeper's.
 * A3  Nothing else differs: the status, the outcomes and what is asked are those of any order.
 */
import type { Turn } from './turn.ts';
import { compareVersions } from './version.ts';

export interface Dated {
  stream: string;
  createdAt?: string | null;
  claimedAt?: string | null;
}

/** A1. */
export function adoptIfOlder(turn: Turn, { stream, createdAt, claimedAt }: Dated): void {
  const { state } = turn;
  if (state.adopted !== undefined || state.movedBy !== null) return;
  const before = turn.policy(stream).existingBefore;
  if (before == null) return;
  const isOlder = [createdAt, claimedAt].some((at) => at != null && compareVersions(at, before) < 0);
  if (!isOlder) return;
  state.adopted = before;
  turn.note('adopted', { stream }, `it is from before ${before}`);
}
