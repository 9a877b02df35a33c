/** Each claimed row has a test on the real parts, and each test's row is a claimed one. */
import { REQUIREMENTS } from '../requirements.ts';
import type { Check } from './check.ts';
import { rowsIn, titlesIn } from './test-titles.ts';

const SHOWS_ROWS = /^test\/(integration|scenarios|chaos|browser)\/.*\.test\.ts$/;
const SCENARIO = /^test\/scenarios\/.*\.ya?ml$/;

export const requirementRows: Check = {
  name: 'requirement rows',
  remedy:
    'Put [R…] into the title of a test that shows the row on the real parts, or take the row out of test/requirements.ts.',
  findProblems(tree) {
    const problems: string[] = [];
    const shown = new Set<string>();
    for (const file of tree.files.filter(
      (name) => /^test\/.*\.test\.ts$/.test(name) || SCENARIO.test(name),
    )) {
      const text = tree.read(file);
      const rows = (SCENARIO.test(file) ? scenarioNames(text) : titlesIn(text)).flatMap(rowsIn);
      for (const row of rows) {
        if (!(row in REQUIREMENTS)) problems.push(`${file}: [${row}] is no row of test/requirements.ts`);
        shown.add(row);
      }
      if (rows.length === 0 || SCENARIO.test(file)) continue;
      if (!SHOWS_ROWS.test(file)) {
        problems.push(
          `${file}: only tests on the real parts show a row (test/integration, scenarios, chaos, browser)`,
        );
      } else if (!/from '(\.\.?\/)+(integration\/)?setup\.ts'/.test(text)) {
        problems.push(`${file}: a test that shows a row has its services from test/integration/setup.ts`);
      }
    }
    const missing = Object.keys(REQUIREMENTS).filter((row) => !shown.has(row));
    return [...problems, ...missing.map((row) => `[${row}] is in no test's title: ${REQUIREMENTS[row]}`)];
  },
};

function scenarioNames(text: string): string[] {
  return [...text.matchAll(/^name:\s*(.+)$/gm)].flatMap((match) => match[1] ?? []);
}
