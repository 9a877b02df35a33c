/**
 * How long an event was held before it had its outcome, and for what: read from what is stored about its stream,
 * since the reason of that time is not kept once the event is settled.
 */
import type { OrderState } from '../ordering/state.ts';
import { compareVersions } from '../ordering/version.ts';
import type { ListedEvent } from '../store/event-listing.ts';
import type { RecordedEntry } from '../store/journal.ts';
import { isByAnswer, streamOf } from './listed-event.ts';
import type { NeverCame } from './never-came.ts';
import { waitsFor } from './waits-for.ts';

export interface HeldSpan {
  since: string;
  /** null: it is held still. */
  until: string | null;
  waitedFor: string;
}

export interface Surroundings {
  events: readonly ListedEvent[];
  journal: readonly RecordedEntry[];
  state: OrderState | null;
  lost: readonly NeverCame[];
}

/** null: it had its outcome as soon as it was judged. */
export function heldSpan(event: ListedEvent, around: Surroundings): HeldSpan | null {
  const { takenAt, settledAt } = event;
  if (takenAt === null || takenAt === settledAt) return null;
  return { since: takenAt, until: settledAt, waitedFor: waitedFor(event, takenAt, around) };
}

function waitedFor(event: ListedEvent, takenAt: string, around: Surroundings): string {
  const { events, journal, state, lost } = around;
  const stream = state?.streams[streamOf(event)];
  const held = stream?.held.find((one) => one.seq === event.seq);
  if (stream !== undefined && held !== undefined) return waitsFor(stream, held);
  const isOfEvent = ({ cause }: RecordedEntry): boolean =>
    cause?.source === event.source && cause.event === event.event;
  if (journal.some((entry) => entry.kind === 'review' && isOfEvent(entry))) return 'a person';
  const lacked = stream?.contract === 'sequence' ? lackedBy(event, takenAt, events) : [];
  if (lacked.length > 0) return `version${lacked.length === 1 ? '' : 's'} ${lacked.join(', ')}`;
  const range = lost.find((one) => isLostBelow(one, event, takenAt))?.range;
  if (range !== undefined)
    return `version${range[0] === range[1] ? ` ${range[0]}` : `s ${range.join(' to ')}`}, which never came`;
  if (isByAnswer(event)) return "the provider's answer";
  return 'its turn, or a move of the order';
}

function isLostBelow(
  { source, object, range, answeredAt }: NeverCame,
  event: ListedEvent,
  takenAt: string,
): boolean {
  if (source !== event.source || object !== event.object || event.version === null) return false;
  return compareVersions(range[1], event.version) < 0 && answeredAt !== null && answeredAt >= takenAt;
}

/** Earlier versions of its stream that were judged only after it. */
function lackedBy(event: ListedEvent, takenAt: string, events: readonly ListedEvent[]): string[] {
  return events
    .filter((one) => streamOf(one) === streamOf(event) && one.takenAt !== null && one.takenAt > takenAt)
    .flatMap(({ version }) =>
      version !== null && event.version !== null && compareVersions(version, event.version) < 0
        ? [version]
        : [],
    )
    .sort(compareVersions);
}
