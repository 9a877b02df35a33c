/** What of a stored group its orders' workflows are to hear of now. */
import type { DispatchItem } from '../dispatch/dispatch.ts';
import type { NewEvent } from '../store/events.ts';
import type { Stored } from './group-commit.ts';

/** New events that nothing has settled, and repeats of events that their workflow has not taken yet (R7). */
export function toOffer(events: readonly NewEvent[], stored: readonly Stored[]): DispatchItem[] {
  const items: DispatchItem[] = [];
  for (const [index, event] of events.entries()) {
    const row = stored[index];
    if (row === undefined || row.settled || row.taken || row.order === null) continue;
    items.push({
      key: { machine: event.machine, environment: event.environment, id: row.order },
      event: {
        seq: row.seq,
        source: event.source,
        event: row.eventId,
        stream: event.stream,
        type: event.type,
        payment: event.payment,
        version: event.version,
        claimedAt: event.claimedAt,
        ...(event.createdAt === null ? {} : { createdAt: event.createdAt }),
        fact: event.fact,
        facts: event.facts,
        ...(row.kind === 'conflict' ? { conflict: true } : {}),
      },
    });
  }
  return items;
}
