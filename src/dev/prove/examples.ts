/** A few orders of a proof, told so that a reader sees why who is wrong is wrong. */
import type { JudgedOrder } from './judge.ts';
import type { Kind, PlannedOrder } from './plan.ts';
import { TITLES, type Proof } from './proof.ts';

/** One of each, where the proof has one; `by` shows it. */
const WANTED: readonly (readonly [kind: Kind, by: Proof['handlers'][number]['name']])[] = [
  ['shuffled', 'lastArrival'],
  ['same second', 'newer'],
  ['repeated', 'newerOrEqual'],
  ['parallel', 'refetch'],
  ['lost', 'refetch'],
  ['killed', 'lastArrival'],
];
const MAX_HAPPENINGS = 7;

export function chooseExamples(proof: Proof): PlannedOrder[] {
  return WANTED.flatMap(([kind, by]) => {
    const judged = proof.handlers.find(({ name }) => name === by)?.judgement.orders ?? [];
    const [best] = judged
      .filter(({ planned }) => planned.kind === kind && planned.story.happenings.length <= MAX_HAPPENINGS)
      .sort((a, b) => interest(b) - interest(a));
    return best === undefined ? [] : [best.planned];
  });
}

/** Wrong states before effects, and of equal ones the shorter story. */
const interest = ({ isWrong, planned }: JudgedOrder): number =>
  (isWrong ? 100 : 0) - planned.story.happenings.length;

export function tellExample(proof: Proof, planned: PlannedOrder): string {
  const { story, kind, steps, seconds, lost } = planned;
  const word = (index: number) => story.happenings[index]?.type ?? '';
  const happened = story.happenings.map(({ type }, index) => `\`${type}\` :${clock(seconds[index] ?? 0)}`);
  const arrived = steps.map(({ of, copies, crash }) =>
    [
      `\`${word(of)}\``,
      ...(copies > 1 ? [`× ${copies} at once`] : []),
      ...(crash === null ? [] : [`(killed: ${crash})`]),
    ].join(' '),
  );
  const never = lost.map((index) => `\`${word(index)}\``);
  const ends = [{ name: 'inorder' as const, ...proof.inorder }, ...proof.handlers].map(
    ({ name, judgement, statusOf }) => {
      const judged = judgement.orders.find((order) => order.planned === planned);
      return judged === undefined
        ? `${TITLES[name]}: right (${statusOf(story.order)})`
        : `**${TITLES[name]}**: ${judged.problems.join('; ')}`;
    },
  );
  return [
    `**${story.order}, ${story.title}** (${kind})`,
    '',
    `- happened: ${happened.join(' → ')}`,
    `- arrived: ${arrived.join(' → ')}${never.length > 0 ? `; never: ${never.join(', ')}` : ''}`,
    ...ends.map((end) => `- ${end}`),
  ].join('\n');
}

/** Minutes and seconds after the first. */
function clock(second: number): string {
  return `${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`;
}
