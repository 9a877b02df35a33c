/** A proof as a page, with its picture beside it: nothing on it was written by hand. */
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { count } from '../../cli/count.ts';
import { chooseExamples, tellExample } from './examples.ts';
import { KINDS, type Kind } from './plan.ts';
import { drawProof } from './picture.ts';
import { countOf, objections, proved, sumOf, TITLES, type Proof } from './proof.ts';

const WHAT: Record<(typeof KINDS)[number], string> = {
  shuffled: 'all of its events come once, in another sequence',
  repeated: 'in order, with copies, some of them in the same instant',
  lost: 'in order, but for one event that never comes',
  'same second': 'in order; several of its events say the same second',
  parallel: 'in order, the next sent while the one before is still being handled',
  killed: 'in order; who handles one of the events is killed while doing so',
  'all of these': 'several of them at once, each by chance',
};

export async function writePage(file: string, proof: Proof): Promise<void> {
  const picture = `${basename(file, '.md')}.svg`;
  await writeFile(join(dirname(file), picture), drawProof(proof));
  const text = pageOf(proof, picture);
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

function pageOf(proof: Proof, picture: string): string {
  const { options, orders, delivered, inorder, everySequence } = proof;
  const { stories, seed, seconds } = options;
  const problems = objections(proof);
  return `# Correctness, shown

This page was written by \`npm run prove -- --page docs/correctness.md\`, on ${proof.date}, with seed ${seed}.
It takes made-up orders whose true end is known and delivers their webhooks as badly as they are delivered in life, to
inorder and to four handlers as people write them. Then it counts.

![Orders wrong at the end, effects doubled and effects missing, of each](${picture})

${markdownTable([
  ['', 'orders wrong at the end', 'effects doubled', 'effects missing'],
  ...proved(proof).map(({ name, judgement: { counts } }) => [
    TITLES[name],
    `${counts.wrong} of ${stories}`,
    `${counts.doubled}`,
    `${counts.missing}`,
  ]),
])}

${problems.length === 0 ? '' : `**This run is no proof:** ${problems.slice(0, 5).join('; ')}.\n`}
- ${count(delivered.deliveries, 'delivery', 'deliveries')} went to each of the five, the same bytes at the same time; what was not answered 2xx was
  sent again until it was.
- All were killed with SIGKILL while at work, as a table below says. A kill takes along all that the process has in
  hand.
- ${inorder.asking === 0 ? "No order of inorder's asked" : `${count(inorder.asking, 'order')} of inorder's asked`} for a person.
- inorder called for effects ${count(inorder.calls, 'time')}; where it could not know that a call had been heard it called again, with the
  same key and the same bytes, and the receiver did it once. The handlers send no key. Had they sent the event's id as
  one, to a receiver that keeps it, so many doubled effects would have remained: ${doubledByOthers(proof)}.

## By trouble

Each trouble also comes alone, in orders of its own. A cell is orders wrong / effects doubled / effects missing.

${markdownTable([
  ['', 'orders', ...proved(proof).map(({ name }) => TITLES[name])],
  ...(['in order', ...KINDS] as Kind[]).map((kind) => [
    kind,
    String(countOf(orders, kind)),
    ...proved(proof).map(({ judgement }) => {
      const counts = kind === 'in order' ? judgement.inOrder : judgement.byKind[kind];
      return `${counts?.wrong} / ${counts?.doubled} / ${counts?.missing}`;
    }),
  ]),
])}

- _in order_: once, one event after the other, each in a second of its own, nobody killed. All five have to be right
  about these, or the rest would show nothing.
${KINDS.map((kind) => `- _${kind}_: ${WHAT[kind]}.`).join('\n')}

## Some of these orders

${chooseExamples(proof)
  .map((example) => tellExample(proof, example))
  .join('\n\n')}

## Who was killed, and where

inorder is a receiver and two workers, the others are a process each; what is killed comes back at once, as under any
supervisor. Which of inorder's points stands for which of the handlers' is not one for one: its work is cut otherwise.

${markdownTable([
  ['', 'times', 'points of its work'],
  ...[{ name: 'inorder' as const, kills: inorder.kills }, ...proof.handlers].map(({ name, kills }) => [
    TITLES[name],
    String(sumOf(kills)),
    killedAt(kills),
  ]),
])}

## In every sequence, in memory

Beside the comparison, and counted apart from it: inorder's rules alone, as a pure function, without processes. Every
life that the sandbox tells in ${everySequence.maxEvents} events or less (${everySequence.lives} of them) was played in every sequence, each also with one
event twice, with versions and without, with the provider's answers at once and only at the end: ${count(everySequence.plays, 'play')},
${everySequence.wrong} wrong, ${everySequence.doubled} effects doubled, ${everySequence.missing} missing, ${everySequence.asking} that ask for a person. An event that is lost comes last here, as the
provider's list would bring it.

## Who is compared

Four small handlers, each one function in a file of its own under \`src/dev/prove/handlers/\`, with their rows in MySQL.
Around them is what any framework does: the signature is checked, what is thrown is answered 500. Their orders exist
before the first webhook comes.

- **last arrival wins** (\`last-arrival.ts\`): each event id is taken once, under a unique key; the order becomes what the
  event says.
- **newer timestamp wins** (\`newer.ts\`): \`UPDATE … WHERE event_at < ?\`, atomic.
- **newer or equal wins** (\`newer-or-equal.ts\`): the same with \`<=\`.
- **refetch, no lock** (\`refetch.ts\`): asks the provider's API how the whole order stands, and writes that. This API has a
  true answer to it at any moment, which is kinder than most. An event is remembered when all is done.

All four do the effects of a status when an order comes into it, look before each whether it was done, and remember it
after. They are killed after the order was written and before an effect (\`written\`), after an effect and before it is
remembered (\`done\`), and before the answer (\`answering\`).

inorder runs as an operator runs it: a receiver and two workers, MySQL, Temporal, the table of \`machines/order.ts\`. It is
told **no versions**: the sandbox has them, as few providers do, and nobody here looks at them; inorder's sources are read
as \`unordered\` (\`src/dev/prove/inorder.config.ts\`). So it has what the handlers have, a time in whole seconds and an
API to ask, and one thing more that belongs to it: it reads the provider's list of what happened, every few seconds here,
which is how it finds what was lost. None of the four has such a job.

What is true is kept by the sandbox provider, in a few lines that know nothing of inorder's rules. Effects are counted by
the programs that receive them.

## What this does not show

- That your table says what you mean: the stories fit the demo's table. See [writing your table](writing-your-table.md).
- Handlers other than these four. One that locks, keeps an outbox, compares versions, asks again and reads the provider's
  list every few minutes would do better; that is what inorder is.
- An API that lags or fails, receivers of effects that fail, MySQL or Temporal killed, clocks that are off: for these there
  are \`npm run chaos\` and the stories in \`test/scenarios\`.
- Speed. The orders are many and the machine is small.
- Every sequence there is, with every crash: these are ${stories} draws. \`inorder machine check --explore\` goes further in
  memory, with answers that lag and tables of your own.

## Do it yourself

\`\`\`sh
npm ci
npm run prove                      # ${STANDARD}
npm run prove -- --seed 7          # other stories and other troubles
npm run prove -- --stories 2000 --json
\`\`\`

This run was \`npm run prove -- --stories ${stories} --seconds ${seconds} --seed ${seed}\`; it took ${proof.seconds} s from the first delivery. The seed gives the stories, the
sequences, copies, losses, seconds and crashes; how processes overlap is the machine's, so that the handlers' counts
differ by a few from run to run. The status is 1 unless inorder's counts are all 0, each handler's are not, and all five
are right about what came in order.
`;
}

const STANDARD = 'a few minutes; brings MySQL and Temporal where there are none';

function killedAt(kills: Record<string, number>): string {
  const fallen = Object.entries(kills).filter(([, times]) => times > 0);
  if (fallen.length === 0) return 'none';
  return fallen.map(([point, times]) => `\`${point}\` ${times}`).join(', ');
}

function doubledByOthers({ handlers }: Proof): string {
  return handlers.map(({ name, judgement }) => `${TITLES[name]} ${judgement.doubledByOthers}`).join(', ');
}

/** Numbers to the right, words to the left. */
function markdownTable(rows: string[][]): string {
  const [head = [], ...body] = rows;
  const rule = head.map((_, column) => (body.every((row) => /^\d/.test(row[column] ?? '')) ? '---:' : '---'));
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
