/**
 * Divides a storm among the kills that fall in it, so that there is work for each.
 *
 * 1. Shares are counted in announcements that change an order: repeats, forgeries and notes are settled at the door
 *    and keep nobody busy.
 * 2. Each share keeps a part back, for when nothing is under way although the rest of it has been sent.
 * 3. The last share belongs to no kill: something is left that is sent to who has come back.
 */
import { STATUS_OF } from '../sandbox/story.ts';
import type { Storm } from './storm.ts';

/** How many of the storm's deliveries may have passed. */
export interface WorkShare {
  before: number;
  all: number;
}

export function shareWork({ deliveries, happenings }: Storm, kills: number): WorkShare[] {
  const work = deliveries.flatMap(({ kind, of }, index) =>
    kind === 'first' && STATUS_OF[happenings[of]?.happening.type ?? ''] !== undefined ? [index] : [],
  );
  const passed = (count: number) => (count === 0 ? 0 : (work[count - 1] ?? 0) + 1);
  const size = work.length / (kills + 1);
  return Array.from({ length: kills }, (_, kill) => {
    const start = Math.floor(kill * size);
    const end = Math.floor((kill + 1) * size);
    return { before: passed(start + Math.floor((end - start) / 2)), all: passed(end) };
  });
}
