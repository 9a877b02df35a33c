import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { subscription } from '../../../../../examples/subscription/machine.ts';
import { order } from '../../../../../machines/order.ts';
import { compileMachine } from '../../../../../src/ordering/compile-machine.ts';
import { checkNames } from '../../../../../src/dev/scenario/format/check-names.ts';
import { parseScenario, readScenario } from '../../../../../src/dev/scenario/format/read-scenario.ts';
import type { ReadStory } from '../../../../../src/dev/scenario/format/read-scenario.ts';

const STORY = `name: paid, then refunded
order: '1042'
sources:
  shop: { provider: sandbox }
deliveries:
  - { source: shop, event: e1, type: order.created, version: 12345678901234567 }
  - until: { settled: true }
  - { source: shop, event: e2, type: order.cancelled, version: '2' }
expect:
  order: { status: cancelled }
`;

const read = (text: string) => parseScenario('story.yaml', text);
const problemsOf = (text: string): string[] => {
  const result = read(text);
  return 'problems' in result
    ? result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
};
const story = (text: string): ReadStory => {
  const result = read(text);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result;
};

test('a story is read, with numbers of any size where they are quoted', () => {
  expect(problemsOf(STORY)).toEqual([
    '6:62 12345678901234567 is read as the number 12345678901234568; put it in quotes',
  ]);
  const { scenario } = story(STORY.replace('12345678901234567', "'12345678901234567'"));
  expect(scenario.deliveries[0]).toMatchObject({ event: 'e1', version: '12345678901234567' });
});

test.each([
  ['name: [', 1, 'a broken document'],
  ["name: ''\n", 1, 'must be a text with something in it'],
])('%j is told at its line', (text, line, what) => {
  expect(problemsOf(text)[0]).toMatch(what === 'a broken document' ? /^\d+:\d+ / : new RegExp(what));
  expect(problemsOf(text)[0]).toMatch(new RegExp(`^${line}:`));
});

const WRONG: [string, string, string][] = [
  ['event: e1', 'evnt: e1', "6:21 deliveries[0].evnt is not known here. Did you mean 'event'?"],
  ['sources:', 'sorces:', "3:1 sorces is not known here. Did you mean 'sources'?"],
  ['event: e1', 'event: 007', '6:28 007 is read as the number 7; put it in quotes'],
  [
    'type: order.created',
    'type: order.created, copies: 0',
    '6:53 deliveries[0].copies must be at least 1; it is 0.',
  ],
  ['until:', 'unitl:', '7:5 deliveries[1] is no step: it has none of '],
  ['settled: true', 'settled: soon', "7:14 deliveries[1].until.settled must be 'true'; it is 'soon'."],
  ['status: cancelled', 'status: 5', '10:12 expect.order.status must be a text; it is 5.'],
  ['settled: true', 'settled: true }, within: { ', '7:'],
  [
    'type: order.created',
    'type: order.created, after: 2',
    "6:53 deliveries[0].after must be a duration such as '200ms' or '2s'; it is 2.",
  ],
];
test.each(WRONG)('%s written as %s is told at its place', (right, wrong, problem) => {
  const text = STORY.replace('12345678901234567', '1').replace(right, wrong);
  expect(problemsOf(text).some((one) => one.startsWith(problem))).toBe(true);
});

const compiled = compileMachine(order);
const namesIn = (text: string, table = compiled): string[] => {
  const { scenario, placeOf } = story(text.replace('12345678901234567', '1'));
  if ('problems' in table) throw new Error('there is no machine');
  return checkNames(scenario, table.machine).map(({ path, message }) => `${placeOf(path).line} ${message}`);
};

test('names that something has are nothing to tell of', () => {
  expect(namesIn(STORY)).toEqual([]);
});

test.each([
  ['status: cancelled', 'status: canceled', "10 there is no status 'canceled'. Did you mean 'cancelled'?"],
  [
    'type: order.created',
    'type: order.craeted',
    "6 sandbox has no type 'order.craeted'. Did you mean 'order.created'?",
  ],
  ['provider: sandbox', 'provider: sandbx', "4 there is no provider 'sandbx'. Did you mean 'sandbox'?"],
  ['source: shop, event: e2', 'source: shp, event: e2', "8 there is no source 'shp'. Did you mean 'shop'?"],
  [
    'order: { status',
    'effects: { fulfill: 1 }\n  order: { status',
    "10 there is no effect of the machine 'fulfill'. Did you mean 'fulfil'?",
  ],
  [
    'order: { status',
    'events: { e3: applied }\n  order: { status',
    "10 there is no event told in this story 'e3'.",
  ],
  [
    'order: { status',
    'events: { e1: aplied }\n  order: { status',
    "10 there is no outcome 'aplied'. Did you mean 'applied'?",
  ],
  [
    'order: { status',
    'order: { attention: [reviews], status',
    "10 there is no attention 'reviews'. Did you mean 'review'?",
  ],
])('%s written as %s is a name that nothing has', (right, wrong, problem) => {
  expect(namesIn(STORY.replace(right, wrong)).some((one) => one.startsWith(problem))).toBe(true);
});

test('a word that only the table has is to be said at its source, whatever else is spelled like it', () => {
  const own = STORY.replaceAll('order.c', 'invoice.c')
    .replace('invoice.created', 'invoice.paid')
    .replace('invoice.cancelled', 'invoice.failed')
    .replace('provider: sandbox', 'provider: sandbox, types: { invoice.failed: invoice.failed }')
    .replace('status: cancelled', 'status: past_due');
  expect(namesIn(own, compileMachine(subscription))).toEqual([
    "6 is a word of the table that sandbox does not know: write types: { invoice.paid: invoice.paid } at source 'shop'.",
  ]);
});

test('a delivery that names neither an order nor an object is refused where its story names none', () => {
  const orderless = STORY.replace("order: '1042'\n", '');
  expect(namesIn(orderless)).toEqual([
    expect.stringMatching(/^5 is about nothing/),
    expect.stringMatching(/^7 /),
  ]);
  expect(namesIn(orderless.replaceAll('type:', "order: '7', type:"))).toEqual([]);
  expect(namesIn(orderless.replaceAll('type:', 'object: pi_1, type:'))).toEqual([]);
});

test('what follows from a first mistake in a line is not told', () => {
  const tabbed = STORY.replace('  - until', '\t- until');
  const lines = problemsOf(tabbed).map((problem) => problem.split(':')[0]);
  expect(problemsOf(tabbed)[0]).toBe('7:1 Tabs are not allowed as indentation');
  expect(lines).toEqual([...new Set(lines)]);
});

test('a word that its provider does not have may be meant, where its refusal is expected', () => {
  const text = STORY.replace('type: order.created', 'type: order.craeted, http: 422');
  expect(namesIn(text)).toEqual([]);
});

test('a place in the story is found, or the nearest around it', () => {
  const { placeOf } = story(STORY.replace('12345678901234567', '1'));
  expect(placeOf(['expect', 'order', 'status'])).toEqual({ line: 10, column: 12 });
  expect(placeOf(['deliveries', 2, 'http'])).toMatchObject({ line: 8 });
  expect(placeOf(['expect', 'order', 'bearer'])).toMatchObject({ line: 10 });
});

test.each([
  ['an alias of nothing', 'name: *nobody\n', /^1:7 Unresolved alias/],
  [
    'aliases of aliases without end',
    ['a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]', ...['b', 'c', 'd'].map(tenfold)].join('\n'),
    /^\d:\d+ Excessive alias count/,
  ],
  [
    'a second document',
    'name: one\n---\nname: two\n',
    /^2:1 a second document begins: a file holds one story$/,
  ],
  ['a tag that YAML does not know', 'name: !env NAME\n', /^1:7 Unresolved tag: !env$/],
  [
    'one name as number and as text',
    "name: x\ntruth: { 1: gone, '1': gone }\n",
    /^2:19 Map keys must be unique$/,
  ],
  ['names that every object has', '__proto__: 1\n', /__proto__ is not known here\.$/m],
])('%s is told at its place, and ends nothing else', (_, text, message) => {
  expect(problemsOf(text).join('\n')).toMatch(message);
});

function tenfold(name: string): string {
  const before = String.fromCharCode(name.charCodeAt(0) - 1);
  return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`;
}

test('a file that is not UTF-8 is refused: its names would be others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inorder-story-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'latin.yaml');
  await writeFile(file, Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xe9, 0x0a]));
  expect(await readScenario(file)).toEqual({
    file,
    problems: [{ line: 1, column: 1, message: 'is not UTF-8: save it as that' }],
  });
});

test('an age that is no duration is refused: the signature would be a good one', () => {
  const aged = STORY.replace('event: e2', 'event: e2, sign: { age: 10 minutes }');
  expect(problemsOf(aged).join('\n')).toMatch(/sign.age must be a duration such as '10m' or '-10m'/);
});

test('a field that no entry of the journal has is refused, also where it must be none', () => {
  const journal = STORY.replace('status: cancelled', 'journal: [ { stautus: null } ]');
  expect(problemsOf(journal).join('\n')).toMatch(/expect.order.journal\[0\].stautus is not known here/);
});
