/**
 * Versions of a sequence that no event ever brought, although the stream has gone past them: lost on the way, and
 * covered by the provider's answer, or passed over.
 */
import type { OrderState, StreamState } from '../ordering/state.ts';
import { addToVersion, compareVersions } from '../ordering/version.ts';
import type { ListedEvent } from '../store/event-listing.ts';
import type { RecordedEntry } from '../store/journal.ts';
import { isByAnswer, streamOf } from './listed-event.ts';

export interface NeverCame {
  source: string;
  object: string;
  /** The first and the last of them. */
  range: [string, string];
  /** When the answer that covers them was taken; null: that is not written down, or there was none. */
  answeredAt: string | null;
  /** An answer of the provider was about them or what came after them. */
  isAnswered: boolean;
  /** Where they stand among what did come. */
  at: string;
}

export function neverCame(
  events: readonly ListedEvent[],
  journal: readonly RecordedEntry[],
  state: OrderState,
): NeverCame[] {
  return Object.entries(state.streams).flatMap(([key, stream]) => {
    if (stream.contract !== 'sequence' || stream.version === null) return [];
    const ofStream = events.filter((event) => streamOf(event) === key);
    const slash = key.indexOf('/');
    const source = key.slice(0, slash);
    const first = state.sources[source]?.first ?? 'any';
    return holes(ofStream, stream, first).map((range) => {
      const answeredAt = answerAt(key, range, ofStream, journal);
      const next = ofStream.find(({ version }) => version !== null && compareVersions(version, range[1]) > 0);
      const at = answeredAt ?? next?.receivedAt ?? ofStream.at(-1)?.receivedAt ?? '';
      const isAnswered = stream.answered !== null && compareVersions(stream.answered, range[1]) >= 0;
      return { source, object: key.slice(slash + 1), range, answeredAt, isAnswered, at };
    });
  });
}

/** Up to where the stream stands; what it still waits for is no loss yet. */
function holes(events: readonly ListedEvent[], stream: StreamState, first: string): [string, string][] {
  const top = stream.version as string;
  const came = [...new Set(events.flatMap(({ version }) => version ?? []))]
    .filter((version) => compareVersions(version, top) <= 0)
    .sort(compareVersions);
  const lowest = first === 'any' ? came[0] : first;
  if (lowest === undefined) return [];
  const found: [string, string][] = [];
  let expected = lowest;
  for (const version of [...came, addToVersion(top, 1)]) {
    if (compareVersions(version, expected) > 0) found.push([expected, addToVersion(version, -1)]);
    if (compareVersions(version, expected) >= 0) expected = addToVersion(version, 1);
  }
  return found.filter(([from, to]) => !stream.missing.some((range) => overlap(range, [from, to])));
}

const overlap = (a: [string, string], b: [string, string]): boolean =>
  compareVersions(a[0], b[1]) <= 0 && compareVersions(b[0], a[1]) <= 0;

/** The first answer about the stream at or above them: it stands in the journal, or settled an event. */
function answerAt(
  key: string,
  [, last]: [string, string],
  events: readonly ListedEvent[],
  journal: readonly RecordedEntry[],
): string | null {
  const covers = (version: string | null): boolean => version !== null && compareVersions(version, last) >= 0;
  const journalled = journal
    .filter((entry) => entry.stream === key && entry.cause === null && covers(entry.version))
    .map(({ recordedAt }) => recordedAt);
  const settled = events.flatMap((event) =>
    isByAnswer(event) && covers(event.version) && event.settledAt !== null ? [event.settledAt] : [],
  );
  return [...journalled, ...settled].sort()[0] ?? null;
}
