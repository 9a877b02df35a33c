/** One run of StrykerJS over files, or over ranges of them. */
import { Stryker } from '@stryker-mutator/core';
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { changeOf } from './survivors.ts';
import type { Tried } from './survivors.ts';
import type { InProcessOptions } from './test-runner.ts';

/** What judges a changed core. The checker's own tests cost too much for each change, and the properties use it. */
function testFilesOf(root: string): string[] {
  const units = readdirSync(`${root}/test/unit/ordering`).filter((name) => name.endsWith('.test.ts'));
  return [
    ...units.map((name) => `test/unit/ordering/${name}`),
    'test/unit/dev/scenario/stories-in-memory.test.ts',
  ];
}

export interface Result extends Tried {
  status: MutantResult['status'];
  /** By which it can be tried alone. */
  range: string;
}

/** `share`: of a property's runs, so many are made (1: all). */
export async function mutate(root: string, ranges: string[], share: number): Promise<Result[]> {
  const inProcess: InProcessOptions = { testFiles: testFilesOf(root), share };
  const options: PartialStrykerOptions & { inProcess: InProcessOptions } = {
    mutate: ranges,
    // Texts are for people; a test that needs one asks for it by name.
    mutator: { plugins: null, excludedMutations: ['StringLiteral'] },
    testRunner: 'in-process',
    plugins: ['./test/mutation/test-runner.ts'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // Against what never ends without coming by the change again; all else ends by its number of hits.
    timeoutMS: 30_000,
    // There is none to rewrite: what Stryker would need for that, TypeScript 7 does not have.
    tsconfigFile: 'none',
    tempDirName: '.inorder/mutation',
    ignorePatterns: ['.inorder', 'dist'],
    reporters: ['progress-append-only'],
    inProcess,
  };
  const mutants = await new Stryker(options).runMutationTest();
  return mutants
    .filter(({ status }) => status !== 'Ignored')
    .map((mutant) => {
      const { start, end } = mutant.location;
      const file = relative(root, mutant.fileName);
      const source = readFileSync(mutant.fileName, 'utf8');
      return {
        file,
        place: `${file}:${start.line}:${start.column}`,
        // Here Stryker counts columns from 0.
        range: `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`,
        change: changeOf(textBetween(source, mutant.location), mutant.replacement ?? ''),
        isNoticed: mutant.status === 'Killed' || mutant.status === 'Timeout',
        status: mutant.status,
      };
    });
}

/** Lines and columns count from 1. */
function textBetween(source: string, { start, end }: MutantResult['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}
