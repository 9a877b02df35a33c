/**
 * What happened to an order, in the order it was received or in the order of the source's own versions: the shape
 * of `…/timeline?by=received|version`. Events tell most of it; what was decided without one of them (an answer, a
 * deadline, a person) comes from the journal.
 */
import { objectOf, sourceOf } from '../ordering/fresh-state.ts';
import type { OrderKey } from '../ordering/state.ts';
import { compareVersions } from '../ordering/version.ts';
import { selectTimeline } from '../store/event-listing.ts';
import type { ListedEvent } from '../store/event-listing.ts';
import { selectJournal } from '../store/journal.ts';
import type { RecordedEntry } from '../store/journal.ts';
import type { Queryable } from '../store/store.ts';

export interface TimelineEntry {
  receivedAt: string;
  settledAt: string | null;
  source: string;
  /** null: no event, but something that was decided. */
  event: string | null;
  deliveries: number;
  type: string | null;
  object: string;
  version: string | null;
  from: string | null;
  to: string | null;
  /** Of an event; of a decision its kind. null: not judged yet. */
  outcome: string | null;
  reason: string | null;
  /** `<source>/<event>` that a decision followed from. */
  cause: string | null;
  worker: string | null;
  secret: string | null;
  /** Version of the machine that decided. */
  machine: number | null;
}
export interface Timeline {
  entries: TimelineEntry[];
}

const MAX_ENTRIES = 1_000;

/** null: nothing of such an order is stored. */
export async function orderTimeline(
  db: Queryable,
  key: OrderKey,
  { by = 'received', limit = MAX_ENTRIES }: { by?: 'received' | 'version'; limit?: number } = {},
): Promise<Timeline | null> {
  const events = await selectTimeline(db, key, { limit });
  const journal = await selectJournal(db, key, { limit });
  if (events.length === 0 && journal.length === 0) return null;
  const revisions = new Map(events.map(({ source, event, revision }) => [`${source}/${event}`, revision]));
  const entries = [
    ...events.map(eventEntry),
    ...journal.filter((entry) => !isToldByEvent(entry, revisions)).map(journalEntry),
  ];
  return { entries: entries.sort(by === 'version' ? byVersion : byReceipt) };
}

function eventEntry(event: ListedEvent): TimelineEntry {
  return {
    receivedAt: event.receivedAt,
    settledAt: event.settledAt,
    source: event.source,
    event: event.event,
    deliveries: event.deliveries,
    type: event.type ?? event.providerType,
    object: event.object,
    version: event.version,
    from: event.from,
    to: event.to,
    outcome: event.outcome,
    reason: event.reason,
    cause: null,
    worker: event.worker,
    secret: event.secretId,
    machine: event.machineVersion,
  };
}

function journalEntry(entry: RecordedEntry): TimelineEntry {
  return {
    receivedAt: entry.recordedAt,
    settledAt: entry.recordedAt,
    source: entry.stream === null ? 'inorder' : sourceOf(entry.stream),
    event: null,
    deliveries: 0,
    type: entry.type,
    object: entry.stream === null ? '' : objectOf(entry.stream),
    version: entry.version,
    from: entry.from,
    to: entry.to,
    outcome: entry.kind,
    reason: entry.reason,
    cause: causeOf(entry),
    worker: entry.worker,
    secret: null,
    machine: entry.machineVersion,
  };
}

/** The event's own row says the same: it was settled by this very decision. */
function isToldByEvent(entry: RecordedEntry, revisions: Map<string, number | null>): boolean {
  const cause = causeOf(entry);
  return cause !== null && entry.kind !== 'alert' && revisions.get(cause) === entry.revision;
}

/** Source names hold no slash, so that the two are told apart. */
const causeOf = ({ cause }: RecordedEntry): string | null =>
  cause === null ? null : `${cause.source}/${cause.event}`;

// Instants of one form, in UTC with microseconds: their texts compare as they do.
function byReceipt(a: TimelineEntry, b: TimelineEntry): number {
  return compareTexts(a.receivedAt, b.receivedAt);
}

/** Stream by stream, each in its source's own order; what has no version stands behind. */
function byVersion(a: TimelineEntry, b: TimelineEntry): number {
  return (
    compareTexts(a.source, b.source) ||
    compareTexts(a.object, b.object) ||
    compareOptionalVersions(a.version, b.version) ||
    byReceipt(a, b)
  );
}

function compareOptionalVersions(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareVersions(a, b);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
