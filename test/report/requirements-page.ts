/** Writes docs/requirements.md from a run in which all tests passed: each row, and the tests that showed it. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { rowsIn } from '../check/test-titles.ts';
import { REQUIREMENTS } from '../requirements.ts';

const PAGE = 'docs/requirements.md';

export default class RequirementsPage implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: TestRunEndReason): void {
    if (reason !== 'passed') {
      process.stdout.write(`\n${PAGE} stays as it is: it is written from a run in which all passed\n`);
      return;
    }
    const tests = modules.flatMap((module) => [...module.children.allTests('passed')]);
    writeFileSync(PAGE, pageOf(tests.map((test) => ({ file: fileOf(test), title: test.fullName }))));
    process.stdout.write(`\n${PAGE} is written\n`);
  }
}

export function pageOf(tests: { file: string; title: string }[]): string {
  const sections = Object.entries(REQUIREMENTS).map(([row, text]) => {
    const shown = tests
      .filter(({ title }) => rowsIn(title).includes(row))
      .map(({ file, title }) => `- ${title.replaceAll(/\s*\[R[^\]]*\]\s*/g, ' ').trim()} (\`${file}\`)`);
    return [`## ${row}`, '', text, '', ...[...new Set(shown)].sort()].join('\n');
  });
  return `${[
    '# What is shown, and by which tests',
    'Written by `npm run requirements` from a run on a real database and a real Temporal server, in which all tests passed.',
    ...sections,
  ].join('\n\n')}\n`;
}

function fileOf(test: TestCase): string {
  return relative(process.cwd(), test.module.moduleId).replaceAll('\\', '/');
}
