/**
 * What happened to an order, in the order it was received or in the order of the source's own versions: the shape
 * of `…/timeline?by=received|version`. Events tell most of it; what was decided without one of them (an answer, a
 * deadline, a person) comes from the journal, and what never came from the numbers between. Each step is told once.
 */
import { objectOf, sourceOf } from '../ordering/fresh-state.ts';
import type { OrderKey } from '../ordering/state.ts';
import { compareVersions } from '../ordering/version.ts';
import { selectTimeline } from '../store/event-listing.ts';
import type { FoundBy, ListedEvent } from '../store/event-listing.ts';
import { selectJournal } from '../store/journal.ts';
import type { RecordedEntry } from '../store/journal.ts';
import { listEffectsOfOrder, showOrder } from '../store/order-listing.ts';
import type { ListedEffect } from '../store/order-listing.ts';
import type { Queryable } from '../store/store.ts';
import { heldSpan } from './held-span.ts';
import type { HeldSpan } from './held-span.ts';
import { neverCame } from './never-came.ts';
import type { NeverCame } from './never-came.ts';

export interface TimelineEntry {
  receivedAt: string;
  settledAt: string | null;
  source: string;
  /** null: no event, but something that was decided, or versions that never came. */
  event: string | null;
  deliveries: number;
  type: string | null;
  object: string;
  /** Of what never came: the first of them, and ` to ` the last. */
  version: string | null;
  /** Counts the decisions about the order: by it the statuses follow each other. null: not judged yet. */
  revision: number | null;
  from: string | null;
  to: string | null;
  /** Of an event; of a decision its kind; `missing`: never came. null: not judged yet. */
  outcome: string | null;
  reason: string | null;
  /** From its first judgement to its outcome, where these were two; null: it had to wait for nothing. */
  held: HeldSpan | null;
  /** Names of the effects it asked for. */
  effects: string[];
  /** `<source>/<event>` that a decision followed from. */
  cause: string | null;
  worker: string | null;
  secret: string | null;
  /** What brought the event first; null: no event. */
  foundBy: FoundBy | null;
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
  const state = (await showOrder(db, key))?.state ?? null;
  const effects = await listEffectsOfOrder(db, key);
  const lost = state === null ? [] : neverCame(events, journal, state);
  const entries = [
    ...events.map((event) => ({
      ...eventEntry(event, answerOf(event, journal)),
      held: heldSpan(event, { events, journal, state, lost }),
      effects: effects.filter((effect) => isAskedByEvent(effect, event)).map(({ name }) => name),
    })),
    ...journal
      .filter((entry) => !events.some((event) => isToldBy(event, entry)))
      .map((entry) => ({
        ...journalEntry(entry),
        effects: effects.filter((effect) => isAskedByDecision(effect, entry)).map(({ name }) => name),
      })),
    ...lost.map(missingEntry),
  ];
  return { entries: entries.sort(by === 'version' ? byVersion : byReceipt) };
}

function eventEntry(event: ListedEvent, answer: RecordedEntry | undefined): TimelineEntry {
  return {
    receivedAt: event.receivedAt,
    settledAt: event.settledAt,
    source: event.source,
    event: event.event,
    deliveries: event.deliveries,
    type: event.type ?? event.providerType,
    object: event.object,
    version: event.version,
    revision: event.revision,
    from: event.from,
    to: event.to,
    outcome: event.outcome,
    reason: answer?.kind === 'inferred' ? `inferred from an answer; ${answer.reason ?? ''}` : event.reason,
    held: null,
    effects: [],
    cause: null,
    worker: event.worker,
    secret: event.secretId,
    foundBy: event.foundBy,
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
    revision: entry.revision,
    from: entry.from,
    to: entry.to,
    outcome: entry.kind,
    // The journal holds answers only: of an event that is held its own row tells.
    reason: entry.kind === 'held' ? `the provider's answer; ${entry.reason ?? ''}` : entry.reason,
    held: null,
    effects: [],
    cause: causeOf(entry),
    worker: entry.worker,
    secret: null,
    foundBy: null,
    machine: entry.machineVersion,
  };
}

function missingEntry({ source, object, range, answeredAt, isAnswered, at }: NeverCame): TimelineEntry {
  const [first, last] = range;
  const isOne = first === last;
  const name = isOne ? `version ${first}` : `versions ${first} to ${last}`;
  const unknown = isAnswered ? "the provider's answer covers it" : 'the order went on without';
  const end = answeredAt === null ? unknown : `the provider answered at ${answeredAt}`;
  return {
    receivedAt: at,
    settledAt: answeredAt,
    source,
    event: null,
    deliveries: 0,
    type: null,
    object,
    version: isOne ? first : `${first} to ${last}`,
    revision: null,
    from: null,
    to: null,
    outcome: 'missing',
    reason: `${name} never came; ${end}`,
    held: null,
    effects: [],
    cause: null,
    worker: null,
    secret: null,
    foundBy: null,
    machine: null,
  };
}

/** The event's own row says the same: it was settled by this very decision. */
function isToldBy(event: ListedEvent, entry: RecordedEntry): boolean {
  if (event.revision !== entry.revision || entry.kind === 'alert') return false;
  return entry.cause === null
    ? isAnswerOf(event, entry)
    : causeOf(entry) === `${event.source}/${event.event}`;
}

/** What an answer meant, and the event that had said the same and was settled with it. */
const ANSWERS: ReadonlySet<string> = new Set(['step', 'inferred', 'confirmed', 'stayed', 'resolved']);
function isAnswerOf(event: ListedEvent, entry: RecordedEntry): boolean {
  return (
    entry.cause === null &&
    ANSWERS.has(entry.kind) &&
    event.revision === entry.revision &&
    entry.stream === `${event.source}/${event.object}` &&
    entry.type === event.type &&
    entry.from === event.from &&
    entry.to === event.to &&
    (event.outcome === 'applied' || event.outcome === 'ignored')
  );
}

const answerOf = (event: ListedEvent, journal: readonly RecordedEntry[]): RecordedEntry | undefined =>
  journal.find((entry) => isAnswerOf(event, entry));

/** The cause of an answer's effects names no event: the one that had said the same stands for it. */
function isAskedByEvent({ cause, revision }: ListedEffect, event: ListedEvent): boolean {
  if (cause.source !== event.source) return false;
  if (cause.event !== null) return cause.event === event.event;
  return (
    revision === event.revision &&
    cause.object === event.object &&
    cause.type === event.type &&
    (event.outcome === 'applied' || event.outcome === 'ignored')
  );
}

function isAskedByDecision({ cause, revision }: ListedEffect, entry: RecordedEntry): boolean {
  return (
    cause.event === null &&
    revision === entry.revision &&
    cause.type === entry.type &&
    entry.stream === `${cause.source}/${cause.object}`
  );
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
  return compareVersions(firstOf(a), firstOf(b));
}

/** Of a range of versions that never came. */
const firstOf = (version: string): string => version.split(' to ')[0] ?? version;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
