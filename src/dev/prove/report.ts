/** A proof for a terminal, and as JSON. */
import { count } from '../../cli/count.ts';
import { objections, type Proof } from './proof.ts';
import { KINDS, type PlannedOrder } from './plan.ts';
import type { Counts, Judgement } from './judge.ts';

export const TITLES = {
  inorder: 'inorder',
  lastArrival: 'last arrival wins',
  newer: 'newer timestamp wins',
  newerOrEqual: 'newer or equal wins',
  refetch: 'refetch, no lock',
} as const;
export type ProvedName = keyof typeof TITLES;

const proved = ({ inorder, handlers }: Proof): { name: ProvedName; judgement: Judgement }[] => [
  { name: 'inorder', judgement: inorder.judgement },
  ...handlers,
];

const countOf = (orders: readonly PlannedOrder[], kind: PlannedOrder['kind']): number =>
  orders.filter((order) => order.kind === kind).length;

export function describeProof(proof: Proof): string[] {
  const { orders, delivered, inorder, options } = proof;
  const kills = Object.values(inorder.kills).reduce((sum, times) => sum + times, 0);
  const rows = [
    ['', 'wrong at the end', 'effects doubled', 'effects missing'],
    ...proved(proof).map(({ name, judgement: { counts } }) => [
      TITLES[name],
      `${counts.wrong} of ${options.stories}`,
      String(counts.doubled),
      String(counts.missing),
    ]),
  ];
  const problems = objections(proof);
  return [
    ...table(rows),
    '',
    `${count(delivered.deliveries, 'delivery', 'deliveries')} to each of the five, ${count(delivered.retries, 'more attempt')} where no answer came.`,
    `inorder's processes were killed ${count(kills, 'time')}; it called for ${count(inorder.calls, 'effect')}, repeats with their key included; ${count(inorder.asking, 'order asks', 'orders ask')} for a person.`,
    `In order, once, without a crash: ${count(countOf(orders, 'in order'), 'order')}, ${problems.some((line) => line.includes('in order')) ? 'not all right' : 'right in all five'}.`,
    `Took ${proof.seconds} s.`,
    ...(problems.length === 0
      ? []
      : ['', 'This is no proof:', ...problems.slice(0, 20).map((line) => `  ${line}`)]),
  ];
}

export function toJson(proof: Proof): object {
  const { options, orders, inorder, delivered, seconds } = proof;
  const sides = proved(proof);
  const each = (pick: (judgement: Judgement) => unknown) =>
    Object.fromEntries(sides.map(({ name, judgement }) => [name, pick(judgement)]));
  return {
    stories: options.stories,
    seed: options.seed,
    handlers: each(({ counts }) => counts),
    inOrder: { stories: countOf(orders, 'in order'), handlers: each(({ inOrder }) => inOrder) },
    kinds: Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        { stories: countOf(orders, kind), handlers: each(({ byKind }): Counts | undefined => byKind[kind]) },
      ]),
    ),
    deliveries: delivered.deliveries,
    kills: inorder.kills,
    asking: inorder.asking,
    seconds,
  };
}

function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd(),
  );
}
