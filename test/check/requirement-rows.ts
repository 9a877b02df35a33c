/** Each claimed row has a test on the real parts, and what a title claims is a row. */
import { posix } from 'node:path';
import { REQUIREMENTS } from '../requirements.ts';
import type { Check, Tree } from './check.ts';
import { findImports } from './import-directions.ts';
import { rowsIn, titlesIn } from './test-titles.ts';

const TESTS = /^test\/(?!unit\/check\/).*\.test\.ts$/;
const SHOWS_ROWS = /^test\/(integration|scenarios|chaos|browser)\//;
const SCENARIO = /^test\/scenarios\/.*\.ya?ml$/;
/** Also those that are shown in part and not claimed yet. */
const ROW = /^R([1-9]|1[0-2]|2\d|3[0-7]|4[0-5]|5[0-8]|6[0-4])$/;
/** What starts a real database and a real Temporal server. */
const REAL_PARTS = /^(test\/integration\/setup\.ts|src\/dev\/services\/(mysql|temporal)\.ts)$/;

export const requirementRows: Check = {
  name: 'requirement rows',
  remedy:
    'Put [R…] into the title of a test that shows the row on the real parts, or take the row out of test/requirements.ts.',
  findProblems(tree) {
    const problems: string[] = [];
    const shown = new Set<string>();
    for (const file of tree.files.filter((name) => TESTS.test(name) || SCENARIO.test(name))) {
      const text = tree.read(file);
      const rows = (SCENARIO.test(file) ? scenarioNames(text) : titlesIn(text)).flatMap(rowsIn);
      if (rows.length === 0) continue;
      const strange = rows.filter((row) => !ROW.test(row));
      problems.push(...strange.map((row) => `${file}: [${row}] is no row`));
      if (!SHOWS_ROWS.test(file)) {
        problems.push(`${file}: only test/integration, scenarios, chaos and browser show rows`);
      } else if (TESTS.test(file) && !reachesRealParts(file, tree)) {
        problems.push(`${file}: shows a row without real services; see test/integration/setup.ts`);
      } else {
        for (const row of rows) shown.add(row);
      }
    }
    const missing = Object.keys(REQUIREMENTS).filter((row) => !shown.has(row));
    return [...problems, ...missing.map((row) => `[${row}] is in no test's title: ${REQUIREMENTS[row]}`)];
  },
};

/** By its imports, and by theirs: a test's world lies beside it, and its world calls setup(). */
function reachesRealParts(file: string, tree: Tree): boolean {
  const seen = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (REAL_PARTS.test(next)) return true;
    if (seen.has(next) || !tree.files.includes(next)) continue;
    seen.add(next);
    const folder = posix.dirname(next);
    const values = findImports(tree.read(next)).filter(({ isType }) => !isType);
    waiting.push(...values.map(({ specifier }) => posix.join(folder, specifier)));
  }
  return false;
}

function scenarioNames(text: string): string[] {
  return [...text.matchAll(/^name:\s*(.+)$/gm)].flatMap((match) => match[1] ?? []);
}
