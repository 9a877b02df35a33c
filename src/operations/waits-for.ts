/** What a held event waits for, in words. Says what the state says and decides nothing. */
import { awaited } from '../ordering/hold.ts';
import type { HeldEvent, StreamState } from '../ordering/state.ts';
import { addToVersion, compareVersions } from '../ordering/version.ts';
import { viewOfAsk } from './open-questions.ts';

export function waitsFor(stream: StreamState, held: HeldEvent): string {
  if (held.review !== null) return `a person: ${held.review}`;
  if (isAnswered(stream, held)) return `a move of the order, ${UNEXPLAINED}`;
  switch (held.reason) {
    case 'gap':
      return stream.ask === null
        ? missingVersions(stream, held)
        : `${missingVersions(stream, held)}; ${ask(stream)}`;
    case 'asking':
    case 'tie':
      return ask(stream);
    case 'unlisted':
      return stream.ask === null ? 'a move of the order' : `a move of the order, or ${ask(stream)}`;
    case 'review':
      return 'an earlier event of its stream, which waits for a person';
  }
}

/** What is in the way when an answer is there and nothing follows from it. */
export const UNEXPLAINED = 'as the table has no way to what the provider says';

/** The answer that covers it is held itself, until the order moves. */
function isAnswered({ answer, ask: open }: StreamState, held: HeldEvent): boolean {
  return answer?.review === null && open === null && held.ask !== null;
}

function ask({ ask: open }: StreamState): string {
  if (open === null) return "the provider's answer";
  const { reason, since, attempts, nextAt } = viewOfAsk(open);
  const asked = `the provider's answer, asked since ${since} because ${reason}`;
  if (attempts === 0) return asked;
  const tries = `${asked}; ${attempts} ${attempts === 1 ? 'try' : 'tries'} so far`;
  return nextAt === null ? tries : `${tries}, next at ${nextAt}`;
}

/** The numbers between what is known and this event that nobody has brought. */
function missingVersions(stream: StreamState, held: HeldEvent): string {
  if (stream.contract !== 'sequence' || held.version === null) return 'an earlier version';
  const first = awaited(stream);
  if (first === null) return 'the first version of its stream';
  if (compareVersions(first, held.version) >= 0) return 'its turn';
  const above = stream.held
    .flatMap(({ version }) => (version !== null && compareVersions(version, first) > 0 ? [version] : []))
    .reduce((lowest, version) => (compareVersions(version, lowest) < 0 ? version : lowest), held.version);
  const last = addToVersion(above, -1);
  return first === last ? `version ${first}` : `versions ${first} to ${last}`;
}
