/** The demo's result: as one JSON object, and as a page for somebody who has never seen inorder. */
import { count } from '../cli/count.ts';
import type { Comparison } from './compare.ts';
import type { Doubts } from './leave-doubts.ts';
import { STATUS_OF, type Story, type ToldOrder } from './sandbox/story.ts';
import { isForged, type LedgerCounts } from './traffic/ledger.ts';
import { countLostLast, countOvertaken, type Storm } from './traffic/storm.ts';

export interface DemoOutcome {
  comparison: Comparison;
  /** Orders that the naive handler left in another status than the true one. */
  naiveWrong: Story[];
  ledger: LedgerCounts;
  storm: Storm;
  /** Nothing moved any more, and not everything was at its end. */
  isStuck: boolean;
  /** By final outcome. */
  events: Record<string, number>;
  /** Events that waited for another one or for an answer. */
  waited: number;
  /** Events that no webhook brought: they were found in their provider's list. */
  found: number;
  effectCalls: number;
  offences: string[];
  asked: number;
  kills: number;
  seconds: number;
}

const OUTCOMES = [
  ...['applied', 'ignored', 'stale', 'superseded', 'review', 'archived', 'foreign', 'failed', 'held'],
  'unlinked',
];

export function toJson(outcome: DemoOutcome): Record<string, unknown> {
  const { comparison, naiveWrong, ledger, events, asked, found, kills, seconds } = outcome;
  const { expected, done, repeated, missing } = comparison.effects;
  const { sent, accepted, known, refused } = ledger;
  return {
    orders: comparison.orders,
    correct: comparison.correct,
    naive: { wrong: naiveWrong.length },
    effects: { expected, done, repeated, missing },
    deliveries: { sent, accepted, known, refused },
    events: Object.fromEntries(OUTCOMES.map((name) => [name, events[name] ?? 0])),
    asked,
    found,
    kills,
    seconds,
  };
}

/** Everything that a status of 0 promises. */
export function isRight({ comparison, ledger, offences, events }: DemoOutcome): boolean {
  const { repeated, missing, unexpected } = comparison.effects;
  return (
    comparison.correct === comparison.orders &&
    repeated + missing + unexpected === 0 &&
    ledger.misjudged.length === 0 &&
    ledger.unanswered === 0 &&
    offences.length === 0 &&
    (events['failed'] ?? 0) === 0
  );
}

export function describe(outcome: DemoOutcome): string[] {
  const { comparison, naiveWrong, ledger, storm, waited, found, kills } = outcome;
  const { effects } = comparison;
  const ofKind = (kind: string) => storm.deliveries.filter((delivery) => delivery.kind === kind).length;
  const firsts = storm.deliveries.filter(({ kind }) => kind === 'first');
  const lost = storm.lost.length;
  const percent = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`;
  const forged = ofKind('forged');
  const twins = ofKind('twin');
  const repeats = ofKind('repeat') + twins;
  const takenForged = ledger.misjudged.filter(isForged).length;
  const rows: [string, string, string][] = [
    ['', 'inorder', 'last arrival wins'],
    [
      'orders in their true status',
      `${comparison.correct} of ${comparison.orders}`,
      `${comparison.orders - naiveWrong.length} of ${comparison.orders}`,
    ],
    ['orders wrong', String(comparison.orders - comparison.correct), String(naiveWrong.length)],
    ['effects done, of those due', `${effects.done} of ${effects.expected}`, 'it runs none'],
    ['effects missing', String(effects.missing), ''],
    ['effects done twice', String(effects.repeated), ''],
  ];
  return [
    ...table(rows),
    '',
    `Sent: ${count(ledger.sent, 'webhook')} about ${count(storm.happenings.length, 'happening')} in ${count(comparison.orders, 'order')}.`,
    `  ${percent(countOvertaken(firsts, storm.happenings), firsts.length)} came after a later one of their object, ` +
      `${count(repeats, 'was a repeat', 'were repeats')} (${twins} in the same instant),`,
    `  ${count(lost, 'was', 'were')} lost and never came, the last of its object ${count(countLostLast(storm), 'time')}, ` +
      `${count(forged, 'was', 'were')} forged: ${forged - takenForged} of them refused.`,
    `Answered: ${ledger.accepted} accepted, ${ledger.known} known already, ${ledger.refused} refused` +
      `${ledger.retries > 0 ? `; ${count(ledger.retries, 'more attempt')} where no answer came` : ''}.`,
    `Decided: ${eventsInWords(outcome.events)}; ${waited} had to wait for another one, ` +
      `the provider was asked ${count(outcome.asked, 'time')}.`,
    `Found by asking for what happened, as no webhook had brought it: ${count(found, 'event')}.`,
    `Effects: ${count(outcome.effectCalls, 'call')}, as the shop refused some, and did others and did not answer.`,
    ...(kills > 0 ? [`Killed with SIGKILL while work was under way: ${count(kills, 'time')}.`] : []),
    `Took ${outcome.seconds} s.`,
    ...complaints(outcome),
  ];
}

function eventsInWords(events: Record<string, number>): string {
  const named = Object.entries(events).filter(([, total]) => total > 0);
  return named
    .sort(([, a], [, b]) => b - a)
    .map(([name, total]) => `${total} ${name}`)
    .join(', ');
}

/** Of the orders that are in doubt on purpose. */
export function describeDoubts({ orders, undoubted }: Doubts): string[] {
  const width = Math.max(...orders.map(({ order }) => order.length));
  return [
    `${count(orders.length, 'more order is', 'more orders are')} left in doubt on purpose, as no table can know better:`,
    ...orders.map((story) => {
      const where = story.shows === 'held' ? 'held until more is heard' : 'a person is told';
      const end = undoubted.includes(story) ? `WRONG: not ${where}` : where;
      return `  ${story.order.padEnd(width)}   ${story.title}: ${end}`;
    }),
  ];
}

const MAX_SHOWN = 10;

function complaints({ comparison, ledger, offences }: DemoOutcome): string[] {
  const lines = [
    ...comparison.wrong.map(
      ({ story, problems }) =>
        `order ${story.order} (${story.title}) ${problems.map(({ text }) => text).join('; ')}`,
    ),
    ...ledger.misjudged.map(
      ({ outgoing: { planned, event }, answers }) =>
        `the ${planned.forgery ?? planned.kind} delivery of ${event.id} was answered ${JSON.stringify(answers.at(-1))}`,
    ),
    ...(ledger.unanswered > 0
      ? [`${count(ledger.unanswered, 'delivery', 'deliveries')} never got an answer`]
      : []),
    ...(comparison.effects.unexpected > 0
      ? [`${count(comparison.effects.unexpected, 'effect')} without a reason`]
      : []),
    ...offences,
  ];
  if (lines.length === 0) return [];
  const more = lines.length > MAX_SHOWN ? [`  … and ${lines.length - MAX_SHOWN} more`] : [];
  return ['', 'Wrong:', ...lines.slice(0, MAX_SHOWN).map((line) => `  ${line}`), ...more];
}

/** One order that shows what the page is about: the naive handler is wrong, and much happened. */
export function exampleOf(outcome: DemoOutcome, naiveStatusOf: (order: string) => string): Example | null {
  const { comparison, naiveWrong, storm } = outcome;
  const isRightHere = (story: Story) => !comparison.wrong.some((wrong) => wrong.story === story);
  const lostIn = (story: Story) =>
    storm.lost.filter((index) => storm.happenings[index]?.story === story).length;
  const [story] = naiveWrong
    .filter((candidate) => isRightHere(candidate) && candidate.happenings.length <= 8)
    .sort((a, b) => interest(b, lostIn(b)) - interest(a, lostIn(a)));
  if (!story) return null;
  const typeOf = (index: number) => storm.happenings[index]?.happening.type ?? '';
  const arrived = storm.deliveries
    .filter(({ kind, of }) => kind === 'first' && storm.happenings[of]?.story === story)
    .map(({ of }) => typeOf(of));
  const lost = storm.lost.filter((index) => storm.happenings[index]?.story === story).map(typeOf);
  const naive = naiveStatusOf(story.order);
  return {
    order: story.order,
    lines: [
      `For example order ${story.order} (${story.title}):`,
      `  happened  ${story.happenings.map(({ type }) => type).join(' → ')}`,
      `  arrived   ${arrived.join(' → ')}${lost.length > 0 ? `   (${lost.join(', ')} never came)` : ''}`,
      `  The last arrival says ${naive}; inorder says ${story.truth.status}, and so does the provider.`,
    ],
  };
}
export interface Example {
  order: string;
  lines: string[];
}

function interest(story: ToldOrder, lost: number): number {
  const meaningful = story.happenings.filter(({ type }) => STATUS_OF[type] !== undefined).length;
  return meaningful + (lost > 0 ? 10 : 0);
}

function table(rows: [string, string, string][]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map(([name, ours, theirs]) =>
    `  ${name.padEnd(widths[0] ?? 0)}   ${ours.padStart(widths[1] ?? 0)}   ${theirs.padStart(widths[2] ?? 0)}`.trimEnd(),
  );
}
