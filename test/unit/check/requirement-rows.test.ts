import { expect, test } from 'vitest';
import { requirementRows } from '../../check/requirement-rows.ts';
import { treeOf } from './tree.ts';

const SETUP = "import { setup } from '../setup.ts';\n";

async function problemsOf(texts: Record<string, string>): Promise<string[]> {
  const problems = await requirementRows.findProblems(treeOf(texts));
  return problems.filter((problem) => !problem.includes("is in no test's title"));
}

async function missingIn(texts: Record<string, string>): Promise<string[]> {
  const problems = await requirementRows.findProblems(treeOf(texts));
  return problems.flatMap((problem) => /^\[(R\d+)\] is in no test's title/.exec(problem)?.[1] ?? []);
}

test('a row is shown by a test that has its services from the setup, itself or by its world', async () => {
  const texts = {
    'test/integration/a/a.test.ts': `${SETUP}test('[R5] stored, then answered', () => {});`,
    'test/integration/a/b.test.ts':
      "import { world } from './world.ts';\ntest('[R6] never waits', () => {});",
    'test/integration/a/world.ts': SETUP,
    'test/scenarios/cancel.yaml': 'name: "[R7] one event"\n',
  };
  expect(await problemsOf(texts)).toEqual([]);
  const missing = await missingIn(texts);
  expect(missing).not.toEqual(expect.arrayContaining(['R5']));
  expect(missing).toEqual(expect.arrayContaining(['R1', 'R63']));
  expect(missing.filter((row) => ['R5', 'R6', 'R7'].includes(row))).toEqual([]);
});

test.each([
  ['a unit test', 'test/unit/a.test.ts', "test('[R5] stored', () => {});"],
  ['a test without services', 'test/integration/a/a.test.ts', "test('[R5] stored', () => {});"],
  [
    'a test that imports only types of the setup',
    'test/integration/a/a.test.ts',
    "import type { World } from '../setup.ts';\ntest('[R5] stored', () => {});",
  ],
])('%s shows no row', async (_what, file, text) => {
  expect(await problemsOf({ [file]: text })).toHaveLength(1);
  expect(await missingIn({ [file]: text })).toContain('R5');
});

test('a row that does not exist is found', async () => {
  const texts = { 'test/integration/a/a.test.ts': `${SETUP}test('[R99] anything', () => {});` };
  expect(await problemsOf(texts)).toEqual(['test/integration/a/a.test.ts: [R99] is no row']);
});
