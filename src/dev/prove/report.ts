/** A proof for a terminal, and as JSON. */
import { count } from '../../cli/count.ts';
import { KINDS } from './plan.ts';
import { countOf, sumOf, objections, proved, TITLES, type Proof } from './proof.ts';
import { isZero, type Counts, type Judgement } from './judge.ts';

export function describeProof(proof: Proof): string[] {
  const { orders, delivered, inorder, options, everySequence } = proof;
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
    `Killed with SIGKILL: inorder's processes ${count(sumOf(inorder.kills), 'time')}, the handlers ${proof.handlers.map(({ kills }) => sumOf(kills)).join(', ')}.`,
    `inorder called for ${count(inorder.calls, 'effect')}, repeats with their key included; ${count(inorder.asking, 'order asks', 'orders ask')} for a person.`,
    `In order, once, without a crash: ${count(countOf(orders, 'in order'), 'order')}, ${areAllRightInOrder(proof) ? 'right in all five' : 'not all right'}.`,
    `In memory, inorder's rules alone: ${count(everySequence.lives, 'life', 'lives')} of up to ${everySequence.maxEvents} events in every sequence, ${count(everySequence.plays, 'play')}: ` +
      `${everySequence.wrong} wrong, ${everySequence.doubled} effects doubled, ${everySequence.missing} missing, ${everySequence.asking} ask for a person.`,
    `Took ${proof.seconds} s.`,
    ...(problems.length === 0
      ? []
      : ['', 'This is no proof:', ...problems.slice(0, 20).map((line) => `  ${line}`)]),
  ];
}

const areAllRightInOrder = (proof: Proof): boolean =>
  proved(proof).every(({ judgement }) => isZero(judgement.inOrder));

export function toJson(proof: Proof): object {
  const { options, orders, inorder, delivered, seconds, everySequence } = proof;
  const { examples: _, ...sequences } = everySequence;
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
    everySequence: sequences,
    deliveries: delivered.deliveries,
    kills: Object.fromEntries(
      [{ name: 'inorder', kills: inorder.kills }, ...proof.handlers].map(({ name, kills }) => [name, kills]),
    ),
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
