/**
 * Answers that say nothing a table could follow: the object is in no state of consequence (type null), or in one
 * that the machine does not know.
 *
 * N1  Such an answer changes nothing: no status, no version, no last word. It ends the question.
 * N2  Hints that waited for it are superseded: what they told of has passed into something without consequence, and
 *     what follows will be told. News with a version is never lost to it, and no number is covered by it: then it
 *     is no answer yet, and the provider is asked again.
 * N3  What a person looks at stays a person's.
 */
import { answered } from './deadline.ts';
import { gapSince, release } from './hold.ts';
import type { HeldEvent, Snapshot, StreamState } from './state.ts';
import { rowOf } from './table.ts';
import { keepEffects } from './transition.ts';
import { isTyped, newsOf } from './turn.ts';
import type { News, Turn } from './turn.ts';
import { addToVersion, compareVersions } from './version.ts';

export type TypedSnapshot = Snapshot & { type: string };

export const isTypedAnswer = (snapshot: Snapshot): snapshot is TypedSnapshot => snapshot.type !== null;

/** Whether the machine has words for what the answer says. */
export function isNews(turn: Turn, snapshot: Snapshot): boolean {
  return snapshot.type !== null && rowOf(turn.machine, snapshot.type) !== undefined;
}

const hasNews = (turn: Turn, held: HeldEvent): boolean =>
  held.review === null && isTyped(held) && rowOf(turn.machine, held.type) !== undefined;

/** N2. Something that was told, or must have been, would be lost if this answer were taken for the last word. */
export function overlooks(
  turn: Turn,
  stream: StreamState,
  snapshot: Snapshot,
  covered: readonly HeldEvent[],
): boolean {
  if (covered.some((held) => held.version !== null && hasNews(turn, held))) return true;
  // A state that the machine has no word for may be one that what waits has led to.
  if (snapshot.type !== null && covered.some((held) => hasNews(turn, held))) return true;
  if (stream.contract !== 'sequence') return false;
  if (gapSince(stream) !== null) return true;
  if (snapshot.version === null) return false;
  return stream.version === null || compareVersions(snapshot.version, addToVersion(stream.version, 1)) > 0;
}

/** N1. */
export function closeWithoutNews(
  turn: Turn,
  stream: StreamState,
  snapshot: Snapshot,
  covered: readonly HeldEvent[],
): void {
  stream.ask = null;
  stream.candidate = null;
  answered(turn, snapshot.stream, snapshot.asOf);
  const { stream: key, type, version } = snapshot;
  turn.note('confirmed', { stream: key, version, ...(type === null ? {} : { type }) }, NOTHING);
  for (const held of covered) if (held.review === null) settle(turn, stream, snapshot, held);
  for (const part of snapshot.parts) keepEffects(turn, newsOfPart(snapshot, part));
}

const NOTHING = 'the provider says nothing that the table knows';

function settle(turn: Turn, stream: StreamState, snapshot: Snapshot, held: HeldEvent): void {
  release(stream, held);
  if (isTyped(held) && rowOf(turn.machine, held.type) !== undefined) {
    if (!denies(snapshot, held)) keepEffects(turn, newsOf(held));
    turn.outcome(held, 'superseded', NOTHING);
  } else if (held.type === null) turn.outcome(held, 'archived', 'type not wanted');
  else turn.outcome(held, 'ignored', 'not_in_machine');
}

/** The answer lists all that happened of this kind, and this is not among it: a release is announced as a refund. */
export function denies({ lists = [], parts }: Snapshot, { type, fact }: HeldEvent): boolean {
  return type !== null && lists.includes(type) && !parts.some((part) => part.fact === fact);
}

/** One happening that an answer lists, as news of its own. */
export function newsOfPart(
  { stream, version, payment }: Snapshot,
  { type, fact, facts, createdAt }: Snapshot['parts'][number],
): News {
  const happenedAt = createdAt ?? null;
  return { stream, type, version, payment, fact, facts, ref: null, claimedAt: null, happenedAt };
}
