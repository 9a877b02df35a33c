/** Short words of outcomes and decisions as a person understands them; docs/glossary.md has them at length. */

const MEANING: Record<string, string> = {
  applied: 'moved the order, or entered its status again',
  ignored: 'noted; the table says that nothing follows',
  stale: 'the same news had been settled before',
  superseded: 'something later had said more already',
  review: 'a person has to decide',
  archived: 'its type is not wanted; kept without effect',
  foreign: 'of another mode or account; kept apart',
  failed: 'a rule broke while it was judged; a person has to look',
  held: 'waits for something named beside it',
  unlinked: 'its order is not known yet',
  waiting: 'stored, and not judged yet',
  missing: 'a number the source must have used, and no event brought',
  step: 'the order moved without an event: by an answer of the provider',
  inferred: 'the provider is further than the events told; the statuses between count as passed',
  rejudged: 'news that had changed nothing was judged again after the order moved',
  stayed: 'the status stays, and effects were asked for',
  confirmed: 'the provider said what was known already',
  alert: 'written down for people who look; nothing follows',
  deadline: "the status's time was over",
  asked: 'the provider was asked on demand',
  resolved: 'a person decided',
  effect: 'an effect began or ceased to need a person',
  linked: 'a person gave an event to the order',
  machine: 'the order went on under another version of its machine',
};

/** What stands for a rule of the core rather than for a sentence somebody wrote. */
const REASONS: Record<string, string> = {
  not_in_machine: 'the machine has no row for it',
  gap: 'an earlier version is missing',
  asking: 'the provider is being asked',
  unlisted: 'the table has no cell for it until the order moves',
  tie: 'another event with the same version says something else',
  review: 'an earlier event of its stream waits for a person',
  late: 'it came after a later one',
  other_mode: "of another mode than the source's",
  other_account: "of another account than the source's",
  type_unknown: 'nobody knows its type',
  type_unwanted: 'its type is known and not wanted',
};

export const reasonInWords = (reason: string): string => REASONS[reason] ?? reason;

/**
 * A wait without its details: since when the provider is asked, why and how often stands once with the stream, and
 * would be repeated by each of its events.
 */
export const shortWait = (waitsFor: string): string =>
  waitsFor.replace(/the provider's answer, asked since [^]*$/, "the provider's answer");

/** One line for each of the words that a page has used, in the order given. */
export function legend(used: Iterable<string>): string[] {
  const words = [...new Set(used)].filter((word) => MEANING[word] !== undefined);
  const width = Math.max(0, ...words.map((word) => word.length));
  return words.map((word) => `${word.padEnd(width)}  ${MEANING[word] ?? ''}`);
}
