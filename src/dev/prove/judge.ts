/**
 * What came out beside what is true, the same way for each handler: the statuses that it stored, and the effects that
 * their receiver counted, against the stories.
 */
import { compareEffects, groupByOrder } from '../compare.ts';
import type { DoneEffect } from '../traffic/effect-receiver.ts';
import { KINDS, type Kind, type PlannedOrder } from './plan.ts';

export interface Counts {
  /** Orders whose status at the end is not the true one. */
  wrong: number;
  /** Effects done again. */
  doubled: number;
  /** Effects that were due and never done. */
  missing: number;
  /** Effects that nothing in the story is a reason for. */
  groundless: number;
}

export interface JudgedOrder {
  planned: PlannedOrder;
  status: string;
  isWrong: boolean;
  /** In words. */
  problems: string[];
}

export interface Judgement {
  counts: Counts;
  /** Of the orders that were told in order. */
  inOrder: Counts;
  byKind: Record<string, Counts>;
  /** Of the effects done again, those that came with another event: knowing the event's id would not have helped. */
  doubledByOthers: number;
  /** Those with a problem. */
  orders: JudgedOrder[];
}

const none = (): Counts => ({ wrong: 0, doubled: 0, missing: 0, groundless: 0 });
export const isZero = ({ wrong, doubled, missing, groundless }: Counts): boolean =>
  wrong + doubled + missing + groundless === 0;

export function judge(
  orders: readonly PlannedOrder[],
  statusOf: (order: string) => string,
  done: readonly DoneEffect[],
): Judgement {
  const byKind = Object.fromEntries(KINDS.map((kind): [Kind, Counts] => [kind, none()]));
  const judgement: Judgement = {
    ...{ counts: none(), inOrder: none(), byKind, doubledByOthers: 0, orders: [] },
  };
  const doneOf = groupByOrder([...done]);
  for (const planned of orders) {
    const { story, kind } = planned;
    const own = doneOf.get(story.order) ?? [];
    const found = judgeOrder(planned, statusOf(story.order), own);
    const into = kind === 'in order' ? [judgement.inOrder] : [judgement.counts, byKind[kind] ?? none()];
    for (const counts of into) add(counts, found.counts);
    if (kind !== 'in order') {
      const apart = own.filter(
        (effect, index) => own.findIndex(({ key, of }) => key === effect.key && of === effect.of) === index,
      );
      judgement.doubledByOthers += judgeOrder(planned, story.truth.status, apart).counts.doubled;
    }
    if (found.order.problems.length > 0) judgement.orders.push(found.order);
  }
  return judgement;
}

function judgeOrder(
  planned: PlannedOrder,
  status: string,
  done: DoneEffect[],
): { counts: Counts; order: JudgedOrder } {
  const { truth } = planned.story;
  const effects = { expected: 0, done: 0, repeated: 0, missing: 0, unexpected: 0 };
  const isWrong = status !== truth.status;
  const problems = [
    ...(isWrong ? [`is ${status}, and ${truth.status} in truth`] : []),
    ...compareEffects(truth.effects, done, effects).map(({ text }) => text),
  ];
  const { repeated: doubled, missing, unexpected: groundless } = effects;
  return {
    counts: { wrong: isWrong ? 1 : 0, doubled, missing, groundless },
    order: { planned, status, isWrong, problems },
  };
}

function add(to: Counts, counts: Counts): void {
  for (const name of Object.keys(to) as (keyof Counts)[]) to[name] += counts[name];
}
