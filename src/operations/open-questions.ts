/** What an order is waiting to hear: asks of its streams, searches, numbers that are missing. Says what the state says. */
import { awaited, gapSince } from '../ordering/hold.ts';
import type { OpenAsk, OrderState } from '../ordering/state.ts';
import { toIso } from './to-iso.ts';

export interface AskView {
  reason: string;
  since: string;
  attempts: number;
  /** null: it is under way. */
  nextAt: string | null;
  /** Its deadline has passed, and a person is asked, too. */
  late: boolean;
}

export const viewOfAsk = ({ reason, since, attempts, retryAt, late }: OpenAsk): AskView => ({
  reason: WHY_ASKED[reason] ?? reason,
  since: toIso(since),
  attempts,
  nextAt: retryAt === null ? null : toIso(retryAt),
  late,
});

/** The core's short reasons, as the end of "asked because …". */
const WHY_ASKED: Record<string, string> = {
  first: 'nobody knows where the stream begins',
  gap: 'a version is missing',
  tie: 'two contents have one version',
  late: 'an event came after a later one',
  hint: 'an event said nothing for certain',
  unlisted: 'the table has no cell for an event',
  unexplained: 'the table does not explain the answer about another stream',
  deadline: "the status's deadline has passed",
  person: 'somebody asked for it',
};

/** Everything that leaves the order in doubt, and so makes sensitive effects wait, in words with their instants. */
export function openQuestions({ streams, finds }: OrderState): string[] {
  const asks = Object.entries(streams).flatMap(([key, stream]) => {
    const gap = gapSince(stream);
    return [
      ...(stream.ask === null
        ? []
        : [`the provider's answer about ${key}, asked since ${toIso(stream.ask.since)}`]),
      ...(gap === null ? [] : [`version ${awaited(stream) ?? '?'} of ${key}, missing since ${toIso(gap)}`]),
    ];
  });
  const searches = Object.entries(finds).map(
    ([source, find]) => `the search for the order's objects at ${source}, since ${toIso(find.since)}`,
  );
  return [...asks, ...searches];
}
