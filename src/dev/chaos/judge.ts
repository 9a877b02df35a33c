/**
 * The verdict over one run. What counts was kept outside of inorder: the sender's ledger, the stories' truth, the calls that
 * the effects' receiver got. inorder's own records are only asked whether they hold what they must.
 *
 * 1. Lost: answered 2xx, and the row or its bytes are not there, or it is neither settled nor waiting with a reason.
 * 2. Wrong: not in its true status, and nobody is told to look. An order that wants a person is in doubt, not wrong.
 * 3. Doubled: one wanted effect under two keys, or one key with two bodies. The same call again is a repeat, and told.
 * 4. Missing: a required effect that never arrived, of an order that is not in doubt.
 * 5. When everything was sent again, each order has the revision it had, and nobody was called again.
 */
import type { EventFate } from '../../store/fates.ts';
import type { OrderStatus } from '../../store/overview.ts';
import { compare, type Problem, type WrongOrder } from '../compare.ts';
import type { Story } from '../sandbox/story.ts';
import type { DoneEffect } from '../traffic/effect-receiver.ts';
import { isForged, wasAccepted, type LedgerEntry } from '../traffic/ledger.ts';

export interface Evidence {
  stories: Story[];
  ledger: readonly LedgerEntry[];
  fates: EventFate[];
  bodies: { source: string; eventId: string; body: Buffer }[];
  /** When all had settled, and after all was sent again and had settled. */
  statuses: Map<string, OrderStatus>;
  statusesAfter: Map<string, OrderStatus>;
  effects: { done: readonly DoneEffect[]; doneBefore: number; offences: readonly string[] };
  /** Where what is stored does not agree with itself (`inorder doctor --store`). */
  storeProblems: readonly string[];
}

export interface Verdict {
  accepted: number;
  orders: number;
  effects: number;
  /** Each in words; a count of them is what is published. */
  lost: string[];
  wrong: string[];
  doubled: string[];
  missing: string[];
  /** Orders that want a person. */
  inDoubt: string[];
}

export function judge(evidence: Evidence): Verdict {
  const { stories, statuses, effects } = evidence;
  // What the repeated deliveries brought about is judged apart. (5)
  const done = effects.done.slice(0, effects.doneBefore);
  const { wrong: unlike } = compare(stories, statuses, done);
  const isInDoubt = ({ story }: WrongOrder) => (statuses.get(story.order)?.attention ?? '') !== '';
  const certain = unlike.filter((order) => !isInDoubt(order));
  const problemsOf = (orders: WrongOrder[], ...kinds: Problem['kind'][]) =>
    orders.flatMap(({ story, problems }) =>
      problems
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ text }) => `order ${story.order} (${story.title}): ${text}`),
    );
  return {
    accepted: acceptedIn(evidence.ledger).size,
    orders: stories.length,
    effects: done.length,
    lost: findLost(evidence),
    wrong: [
      ...problemsOf(certain, 'status', 'unexpected'),
      ...findForgeries(evidence.ledger),
      ...findMoved(evidence),
      ...evidence.storeProblems,
    ],
    doubled: [
      // Whatever is in doubt about an order, twice is never right. (3)
      ...problemsOf(unlike, 'repeated'),
      ...effects.offences,
      ...effects.done
        .slice(effects.doneBefore)
        .map(({ name, order, key }) => `order ${order}: ${name} (${key}) was called when all was sent again`),
    ],
    missing: problemsOf(certain, 'missing'),
    inDoubt: unlike
      .filter(isInDoubt)
      .map(
        ({ story, problems }) =>
          `order ${story.order} (${story.title}): ${problems.map(({ text }) => text).join('; ')}`,
      ),
  };
}

const keyOf = (source: string, eventId: string): string => `${source}/${eventId}`;

/** Distinct events that were answered 2xx at least once. */
function acceptedIn(ledger: readonly LedgerEntry[]): Map<string, LedgerEntry> {
  return new Map(
    ledger
      .filter((entry) => !isForged(entry) && wasAccepted(entry))
      .map((entry) => [keyOf(entry.outgoing.source, entry.outgoing.event.id), entry]),
  );
}

function findLost({ ledger, fates, bodies, statuses }: Evidence): string[] {
  const fateOf = new Map(fates.map((fate) => [keyOf(fate.source, fate.eventId), fate]));
  const bodiesOf = new Map<string, Buffer[]>();
  for (const { source, eventId, body } of bodies) {
    const key = keyOf(source, eventId);
    bodiesOf.set(key, [...(bodiesOf.get(key) ?? []), body]);
  }
  return [...acceptedIn(ledger)].flatMap(([key, { outgoing }]) => {
    const { order, type, body } = outgoing.event;
    const what = `${key} (${type} of order ${order}) was answered 2xx and`;
    const fate = fateOf.get(key);
    if (fate === undefined) return [`${what} is not stored`];
    if (bodiesOf.get(key)?.some((kept) => kept.toString('utf8') === body) !== true) {
      return [`${what} its bytes are not stored`];
    }
    const waits = fate.outcome !== null && (fate.reason !== null || statuses.get(order)?.attention !== '');
    if (fate.isSettled || waits) return [];
    return [`${what} is ${fate.outcome ?? 'not taken'}, without a reason`];
  });
}

const findForgeries = (ledger: readonly LedgerEntry[]): string[] =>
  ledger
    .filter((entry) => isForged(entry) && wasAccepted(entry))
    .map(({ outgoing: { planned, event } }) => `a forgery (${planned.forgery}) of ${event.id} was accepted`);

/** (5) */
function findMoved({ statuses, statusesAfter }: Evidence): string[] {
  return [...statusesAfter].flatMap(([order, after]) => {
    const before = statuses.get(order);
    // Who waits for a provider or a person may go on waiting.
    if (before !== undefined && before.attention !== '') return [];
    if (before?.revision === after.revision) return [];
    return [
      `order ${order}: revision ${before?.revision ?? 0} became ${after.revision} when all was sent again`,
    ];
  });
}
