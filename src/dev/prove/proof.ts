/** What a proof has found, and whether it is one. */
import type { Delivered } from './deliver.ts';
import type { EverySequence } from './every-sequence.ts';
import type { HandlerName } from './handlers/handlers.ts';
import { isZero, type Judgement } from './judge.ts';
import type { Kind, PlannedOrder } from './plan.ts';

export interface ProveOptions {
  stories: number;
  /** Over how long the orders begin. */
  seconds: number;
  seed: number;
  /** In memory: lives of so many events and less, in every sequence. */
  events: number;
  /** Where its files lie; another one for a proof beside a proof. */
  directory: string;
}

export interface Proof {
  options: ProveOptions;
  /** When it began, as a day. */
  date: string;
  orders: readonly PlannedOrder[];
  everySequence: EverySequence;
  delivered: Delivered;
  seconds: number;
  inorder: {
    judgement: Judgement;
    /** By point of its work. */
    kills: Record<string, number>;
    /** Calls of effects, with repeats under the same key. */
    calls: number;
    /** Another body under a known key, or a call that cannot be trusted. */
    offences: string[];
    /** Orders that ask for a person. */
    asking: number;
    events: Record<string, number>;
    /** What was not at its end when nothing moved any more. */
    stuck: { order: string; what: string; state: string; reason: string | null }[];
    statusOf: (order: string) => string;
  };
  handlers: {
    name: HandlerName;
    judgement: Judgement;
    kills: Record<string, number>;
    statusOf: (order: string) => string;
  }[];
}

export const TITLES = {
  inorder: 'inorder',
  lastArrival: 'last arrival wins',
  newer: 'newer timestamp wins',
  newerOrEqual: 'newer or equal wins',
  refetch: 'refetch, no lock',
} as const satisfies Record<HandlerName | 'inorder', string>;

export const proved = ({
  inorder,
  handlers,
}: Proof): { name: keyof typeof TITLES; judgement: Judgement }[] => [
  { name: 'inorder', judgement: inorder.judgement },
  ...handlers,
];

export const countOf = (orders: readonly PlannedOrder[], kind: Kind): number =>
  orders.filter((order) => order.kind === kind).length;

export const sumOf = (kills: Record<string, number>): number =>
  Object.values(kills).reduce((sum, times) => sum + times, 0);

/** What keeps it from being one, in words; empty: it is. */
export function objections({ inorder, handlers, everySequence }: Proof): string[] {
  const ours = inorder.judgement;
  return [
    ...(isZero(ours.counts) && isZero(ours.inOrder)
      ? []
      : ours.orders.map(({ planned, problems }) => `inorder: ${planned.story.order} ${problems.join('; ')}`)),
    ...(everySequence.wrong + everySequence.doubled + everySequence.missing === 0
      ? []
      : everySequence.examples.map((example) => `in memory: ${example}`)),
    ...inorder.offences.map((offence) => `inorder: ${offence}`),
    ...inorder.stuck.map(
      ({ order, what, state, reason }) => `inorder: order ${order}: ${what} ${state} (${reason})`,
    ),
    ...handlers.flatMap(({ name, judgement }) => [
      ...(isZero(judgement.inOrder) ? [] : [`${name} is not right about what came in order`]),
      ...(isZero(judgement.counts) ? [`${name} was never wrong: this proof shows nothing`] : []),
    ]),
  ];
}
